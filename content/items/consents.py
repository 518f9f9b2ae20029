"""Visitors' choices about cookies."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

from content.items.lists import by_type
from dashboard.table import keys
from dashboard.table.attributes import LenientNumberAttribute, LenientUnicodeAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import from_wire

# As digits: milliseconds since 1970 in the key of the website service.
_SHORTEST_EPOCH = 12
# The kind of the audit entries of consents.
CONSENT = "consent"
CHOICES = ("all", "necessary", "denied")
OTHER_CHOICE = "other"


def listed_choice(choice: str | None) -> str:
    """The list and the counter of a choice."""
    return choice if choice in CHOICES else OTHER_CHOICE


class Consent(Item):
    """A visitor's choice, with the proof of it."""

    key_pattern = keys.CONSENT
    editable = False
    needs_key_parts = True

    choice = LenientUnicodeAttribute(null=True)
    timestamp = LenientNumberAttribute(null=True)
    ip = LenientUnicodeAttribute(null=True)
    user_agent = LenientUnicodeAttribute(null=True, attr_name="userAgent")
    # The service does not record which policy the visitor saw. Other services may.
    policy_text = LenientUnicodeAttribute(null=True, attr_name="policyText")
    policy_version = LenientUnicodeAttribute(null=True, attr_name="policyVersion")
    # Ours: the day on which the stream follower counted it.
    counted_on = LenientUnicodeAttribute(null=True, attr_name="countedOn")

    @property
    def visitor(self) -> str:
        return str(self.key_parts["visitor"])

    @property
    def moment(self) -> datetime | None:
        """When the visitor chose: by the attribute, else by the key."""
        return _epoch_moment(self.timestamp) or _key_moment(str(self.key_parts.get("at", ""))) or self.created_at

    @property
    def day(self) -> date | None:
        """The day in UTC that counts it."""
        return self.moment.date() if self.moment else None

    def index_keys(self) -> Iterator[IndexKey]:
        # Services write times as text and as milliseconds: the index needs one form.
        parts = {"tenant": self.key_parts.get("tenant"), "at": self.moment or self.key_parts.get("at")}
        yield from by_type(self, "CONSENT", at=parts["at"])
        yield from keys.CONSENTS_BY_CHOICE.optional_key(choice=listed_choice(self.choice), **parts)


def _epoch_moment(milliseconds: float | None) -> datetime | None:
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC) if milliseconds and milliseconds > 0 else None
    except (ValueError, OverflowError, OSError):
        return None


def _key_moment(text: str) -> datetime | None:
    if text.isascii() and text.isdigit() and len(text) >= _SHORTEST_EPOCH:
        return _epoch_moment(int(text[:16]))
    try:
        return from_wire(text)
    except (ValueError, OverflowError):
        return None


class ConsentDay(Item):
    """How many visitors made each choice on a day in UTC. The stream follower adds to it."""

    key_pattern = keys.CONSENT_DAY
    editable = False
    needs_key_parts = True

    all = LenientNumberAttribute(null=True)
    necessary = LenientNumberAttribute(null=True)
    denied = LenientNumberAttribute(null=True)
    other = LenientNumberAttribute(null=True)

    @property
    def date(self) -> str:
        return str(self.key_parts["date"])

    def number(self, choice: str) -> int:
        return int(getattr(self, choice) or 0)
