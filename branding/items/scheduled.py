"""Scheduled publications and share links."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from dashboard.core.clock import now
from dashboard.table import keys
from dashboard.table.attributes import PlainListAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute


class ScheduledPublication(Item):
    """A version that will go live at a set time. If that fails, it stays with the reason until it is dismissed."""

    key_pattern = keys.SCHEDULED
    needs_key_parts = True

    version = NumberAttribute(null=True)
    due_at = TimestampAttribute(null=True, attr_name="dueAt")
    timezone = UnicodeAttribute(null=True)
    note = UnicodeAttribute(null=True)
    created_by = UnicodeAttribute(null=True, attr_name="createdBy")
    created_by_name = UnicodeAttribute(null=True, attr_name="createdByName")
    # Pairs of colours below AA that the person who scheduled it has accepted.
    below_aa = PlainListAttribute(null=True, attr_name="belowAA")
    # Why it was not published: a key of `schedules.MISSED_REASONS`.
    missed = UnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        if not self.missed:
            yield from keys.DUE.optional_key(due_at=self.due_at or self.key_parts.get("due_at"))

    @property
    def business(self) -> str:
        return str(self.key_parts["tenant"])

    @property
    def number(self) -> int:
        return int(self.key_parts["version"])

    @property
    def due_key(self) -> str:
        """The time in its key."""
        return str(self.key_parts["due_at"])

    @property
    def url_id(self) -> str:
        """Its id in URLs."""
        return f"{self.due_key}_{self.number}"


class ShareLink(Item):
    """A preview link that works without an account. Only a hash of its secret is stored."""

    key_pattern = keys.SHARE
    needs_key_parts = True
    editable = False

    version = NumberAttribute(null=True)
    created_by = UnicodeAttribute(null=True, attr_name="createdBy")
    created_by_name = UnicodeAttribute(null=True, attr_name="createdByName")
    note = UnicodeAttribute(null=True)
    views = NumberAttribute(null=True)
    last_viewed_at = TimestampAttribute(null=True, attr_name="lastViewedAt")

    @property
    def id(self) -> str:
        """The hash of its secret."""
        return str(self.key_parts["hash"])

    @property
    def expires_at(self) -> datetime | None:
        try:
            return datetime.fromtimestamp(int(self.ttl), tz=now().tzinfo) if self.ttl is not None else None
        except (OverflowError, ValueError, OSError):
            return None
