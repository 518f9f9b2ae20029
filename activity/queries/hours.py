"""The counts of a day by hour, from the counters: for today, which is not in the archive yet."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import partial

from activity.counters import COUNTRY, EVENTS, ROOM_ACTION
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.registry import access_pattern

MAX_DAYS = 3


@dataclass
class HourCounts:
    """The events that happened within an hour (UTC)."""

    at: datetime
    events: int = 0
    by_country: Counter[str] = field(default_factory=Counter)
    by_action: Counter[str] = field(default_factory=Counter)
    by_room: Counter[str] = field(default_factory=Counter)
    # By action and room; without a room under "".
    by_room_action: Counter[tuple[str, str]] = field(default_factory=Counter)
    # How often people tried to enter a room that was not open, by room.
    closed_by_room: Counter[str] = field(default_factory=Counter)

    def add(self, raw: Raw) -> None:
        """Add the counts of one shard."""
        for name, value in raw.items():
            kind, _, rest = name.partition(":")
            if "N" not in value or kind not in {EVENTS, COUNTRY, ROOM_ACTION}:
                continue
            number = int(value["N"])
            if kind == EVENTS:
                self.events += number
            elif kind == COUNTRY:
                self.by_country[rest] += number
            else:
                self._add_room_action(rest, number)

    def _add_room_action(self, name: str, number: int) -> None:
        label, _, room = name.partition("|")
        action, _, state = label.partition(":")
        self.by_action[action] += number
        self.by_room_action[action, room] += number
        if room:
            self.by_room[room] += number
        if state:
            self.closed_by_room[room] += number


def hour_counts(start: datetime, end: datetime) -> list[HourCounts]:
    """The counts of every hour from `start` until before `end`, at most three days; hours without events included."""
    days = days_between(start, end)[:MAX_DAYS]
    found: dict[datetime, HourCounts] = {}
    for hours in read.gather_all([partial(counts_of_day, day) for day in days]) if days else []:
        found |= hours
    moments = [datetime.combine(day, time(hour), UTC) for day in days for hour in range(24)]
    first = start.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    return [found.get(moment) or HourCounts(moment) for moment in moments if first <= moment < end]


def days_between(start: datetime, end: datetime) -> list[date]:
    """The dates (UTC) of a period, the oldest first."""
    first, last = start.astimezone(UTC).date(), (end.astimezone(UTC) - timedelta(microseconds=1)).date()
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


@access_pattern("How many events were there in each hour of a day?", keys.ACTIVITY_HOUR, partition=True)
def counts_of_day(day: date) -> dict[datetime, HourCounts]:
    """The counts of the hours of a day that have events: at most some hundred small items."""
    hours: dict[datetime, HourCounts] = {}
    for raw in read.raw_page(keys.ACTIVITY_HOUR.collection(date=day.isoformat()), consistent=False).items:
        parts = keys.ACTIVITY_HOUR.read(raw["PK"]["S"], raw["SK"]["S"])
        if parts is not None:
            at = datetime.strptime(f"{parts['hour']}+0000", "%Y-%m-%dT%H%z")
            hours.setdefault(at, HourCounts(at)).add(raw)
    return hours
