"""What is sent to somebody: what mail and deliveries of webhooks have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, cast

from django.utils.functional import Promise
from pynamodb.attributes import UnicodeAttribute

from dashboard.table.items import Item
from dashboard.table.keypattern import Parts, Pattern
from dashboard.table.timestamps import TimestampAttribute


class QueueEntry:
    """A base class for items that wait in a queue, in the partition of a business or of the platform."""

    business_pattern: ClassVar[Pattern]
    state_labels: ClassVar[Mapping[str, str | Promise]]
    # The colour and the icon of each state.
    state_levels: ClassVar[Mapping[str, tuple[str, str]]]
    reason_labels: ClassVar[Mapping[str, str | Promise]]

    state = UnicodeAttribute()
    # In the queue until then.
    due_at = TimestampAttribute(null=True, attr_name="dueAt")
    # Why it waits or was not sent.
    reason = UnicodeAttribute(null=True)

    @property
    def parts(self) -> Parts:
        item = cast(Item, self)
        return item.key_pattern.read(*item.key) or self.business_pattern.read(*item.key) or {}

    @property
    def business(self) -> str:
        """The business that sends it; empty for the platform."""
        return str(self.parts.get("tenant", ""))

    @property
    def place(self) -> str:
        """Its name in URLs: the time and the id in its key."""
        return f"{self.parts.get('at', '')}_{self.parts.get('id', '')}"

    @property
    def state_label(self) -> str | Promise:
        return self.state_labels.get(self.state, self.state)

    @property
    def state_level(self) -> str:
        return self.state_levels.get(self.state, ("plain", ""))[0]

    @property
    def state_icon(self) -> str:
        return self.state_levels.get(self.state, ("", "circle-help"))[1]

    @property
    def reason_label(self) -> str | Promise:
        return self.reason_labels.get(self.reason or "", self.reason or "")

    def leave_queue(self, state: str, reason: str | None = None) -> None:
        self.state, self.reason, self.due_at = state, reason, None
