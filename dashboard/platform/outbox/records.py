"""The attributes of an item from which something follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dashboard.table import keys
from dashboard.table.attributes import PlainMapAttribute
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute, from_wire

# What an entry without names leads to: it is older than the names.
MAIL = "mail"


@dataclass(frozen=True)
class RecordPlace:
    """What a record is about: the business (empty for the platform), its time and its id, which order the records."""

    business: str
    at: str
    id: str


class OutboxRecord:
    """A base class for items. Audit seals do not include these attributes (dashboard/table/due_times.py)."""

    # The name of the change, as it is registered: an audit action.
    @property
    def change_name(self) -> str:
        raise NotImplementedError

    @property
    def record_place(self) -> RecordPlace:
        raise NotImplementedError

    # Until everything that follows is queued.
    due_at = TimestampAttribute(null=True, attr_name="dueAt")
    # The names of what follows, each with its time.
    outbox = PlainMapAttribute(null=True)

    def set_follow_ups(self, times: Mapping[str, str]) -> None:
        self.outbox = dict(times) or None
        self.due_at = from_wire(min(times.values())) if times else None

    @property
    def next_follow_up(self) -> str:
        times = self.outbox or {}
        return min(times, key=lambda name: (str(times[name]), name), default=MAIL)

    def leave(self, follow_up: str) -> None:
        """Forget what has been queued."""
        self.set_follow_ups({name: str(at) for name, at in (self.outbox or {}).items() if name != follow_up})

    def outbox_keys(self) -> Iterator[IndexKey]:
        if self.due_at:
            yield keys.DUE_OUTBOX.key(due_at=self.due_at)
