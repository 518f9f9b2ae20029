"""One page of events from several partitions, newest first.

Each partition is read up to a number of items. A partition that has more may still contain older events, so the page
ends at the newest event up to which all partitions were read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial

from activity.events import Event, to_milliseconds
from activity.items import event_of, table_of_month
from dashboard.core.errors import BadCursor
from dashboard.table import keys, read
from dashboard.table.items import Raw, is_expired
from dashboard.table.keypattern import Collection
from dashboard.table.read import Page
from dashboard.table.registry import access_pattern
from dashboard.table.retries import MissingTable

# More than this in one answer would be split by DynamoDB.
MAX_ITEMS_PER_PARTITION = 1000
Keep = Callable[[Event], bool]
# An event and its position: its sort key, which orders events of all partitions.
Found = dict[str, Event]
# What a source has; if there are more, the position up to which it was read.
Answer = tuple[Found, str]


@dataclass(frozen=True)
class Period:
    """The time from `start` until before `end`, and the position before which a page starts."""

    start: datetime
    end: datetime
    before: str = ""

    def continued(self, start_key: Raw | None) -> Period:
        """The rest of the period, after a page with this `next_start_key`."""
        if start_key is None:
            return self
        try:
            return replace(self, before=start_key["before"]["S"])
        except (KeyError, TypeError) as error:
            raise BadCursor from error

    def contains(self, position: str, event: Event) -> bool:
        return self.start <= event.at < self.end and (not self.before or position < self.before)

    @property
    def first_second(self) -> str:
        """Sorts before every event of the period. Other writers leave out the milliseconds."""
        return to_milliseconds(self.start)[:19]

    @property
    def last_second(self) -> str:
        last = to_milliseconds(self.end - timedelta(milliseconds=1))[:19]
        return min(last, self.before[:19]) if self.before else last

    @property
    def months(self) -> list[str]:
        """The months of the period (UTC), the newest first."""
        return list(dict.fromkeys(date[:7] for date in self.dates))

    @property
    def dates(self) -> list[str]:
        """The dates of the period (UTC), the newest first."""
        last, first = datetime.fromisoformat(self.last_second).date(), self.start.astimezone(UTC).date()
        return [(last - timedelta(days=n)).isoformat() for n in range((last - first).days + 1)]


@dataclass(frozen=True)
class EventPartition:
    """A partition with events, and how many of them one page reads."""

    collection: Collection
    limit: int

    @classmethod
    def of_month(cls, collection: Collection, month: str, limit: int) -> EventPartition:
        return cls(replace(collection, table=table_of_month(month)), min(limit, MAX_ITEMS_PER_PARTITION))

    def bounds(self, period: Period) -> tuple[str, str]:
        """The sort keys between which the events of the period are."""
        if self.collection.prefix:
            # The event service counts milliseconds. Its ids are hashes, so the whole second is read again.
            last = datetime.fromisoformat(f"{period.last_second}.999+00:00")
            return str(_epoch_milliseconds(period.start)), str(_epoch_milliseconds(last))
        if not period.before:
            return period.first_second, period.last_second
        return period.first_second, period.before.partition("#")[0] if self.collection.index else period.before


@access_pattern(
    "Which events of a period are in one partition of a month, newest first?",
    keys.ACTIVITY,
    keys.OUTSIDE_ACTIVITY,
    keys.ACTIVITY_BY_COUNTRY,
    partition=True,
)
def events_of_partition(source: EventPartition, period: Period) -> Answer:
    """The newest events of the period; if there are more, the position up to which they were read."""
    since, until = source.bounds(period)
    try:
        page = read.raw_page(
            source.collection, since=since, until=until, limit=source.limit, newest_first=True, consistent=False
        )
    except MissingTable:
        return {}, ""  # A month without a table has no events.
    found: Found = {}
    for raw in page.items:
        event = event_of(raw)
        if event is not None and not is_expired(raw):
            found[_position(raw, event)] = event
    return found, min(found, default="") if page.next_start_key else ""


def merged_page(sources: Sequence[EventPartition], period: Period, *, limit: int) -> Page[Event]:
    """A page of the events of all sources. `next_start_key` continues it, also where the page is not full."""
    return merge(read.gather_all(readers(sources, period)) if sources else [], period, limit=limit)


def readers(sources: Iterable[EventPartition], period: Period) -> list[Callable[[], Answer]]:
    """The reads of a page, to run in parallel."""
    return [partial(events_of_partition, source, period) for source in sources]


def merge(answers: Sequence[Answer], period: Period, *, limit: int, keep: Keep | None = None) -> Page[Event]:
    """The newest events of what was read; `keep` is a filter."""
    # What was read up to here is complete in every source.
    complete_until = max((position for _, position in answers), default="")
    found = {position: event for events, _ in answers for position, event in events.items()}
    wanted = sorted(
        (
            position
            for position, event in found.items()
            if position >= complete_until and period.contains(position, event) and (keep is None or keep(event))
        ),
        reverse=True,
    )
    page = [found[position] for position in wanted[:limit]]
    if len(wanted) > limit:
        return Page(page, _start_key(wanted[limit - 1]))
    return Page(page, _start_key(complete_until) if complete_until else None)


def _position(raw: Raw, event: Event) -> str:
    sort_key: str = raw["SK"]["S"]
    return sort_key if keys.ACTIVITY.sk.read(sort_key) else f"{to_milliseconds(event.at)}#{event.id}"


def _start_key(position: str) -> Raw:
    return {"before": {"S": position}}


def _epoch_milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
