"""A log with one partition per day. Partitions cannot be listed, so the days are queried one by one or in parallel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from dashboard.core.clock import now
from dashboard.platform.audit.seals.trails import Trail, all_pages, day_of
from dashboard.table import read
from dashboard.table.items import Raw

DAY = timedelta(days=1)
# Days examined before the first indexed entry: an entry without index keys may be older.
MARGIN = 31 * DAY
# No real entry is older. An invalid date must not cause queries for two thousand years of days.
EARLIEST = date(2000, 1, 1)
# The number of days that are queried in parallel where days are empty.
MAX_PARALLEL_DAYS = 16


@dataclass(frozen=True)
class DailyTrail(Trail):
    """A trail whose partition key decides the day of an entry. A seal covers a whole partition."""

    # The first day with an entry and all entries, both according to the indexes.
    first_day: Callable[[], str | None]
    indexed_entries: Callable[[], Iterator[Raw]]
    partition_day: Callable[[Raw], str]

    def day_of_entry(self, raw: Raw) -> str | None:
        return _valid_day(self.partition_day(raw))

    def has_entries(self) -> bool:
        return self.first_day() is not None

    def next_day(self, since: str, until: str, on_undated: Callable[[Raw], None] = lambda _: None) -> str | None:
        first_day, last = self._first_day_from(since), _valid_day(until)
        if first_day is None or last is None:
            return None
        return next(self._days_with_entries(first_day, date.fromisoformat(last)), None)

    def entries_from(self, since: str) -> Iterator[Raw]:
        """The entries from this position through tomorrow, then indexed entries outside of the examined days."""
        first_day, last = self._first_day_from(since), now().date() + DAY
        for day in self._days_with_entries(first_day, last) if first_day else ():
            yield from self.day(day)
        first_of_all = self._first_day_from("")
        earliest = first_of_all.isoformat() if first_of_all else ""
        for raw in self.indexed_entries():
            day_of_raw = self.day_of_entry(raw)
            if day_of_raw is None or not earliest <= day_of_raw <= last.isoformat():
                yield raw

    def _first_day_from(self, since: str) -> date | None:
        """The first day at or after this position. An empty position means the first day of all."""
        if not since:
            known = self.first_day()
            return max(EARLIEST, date.fromisoformat(known)) - MARGIN if known else None
        if _valid_day(since):
            return date.fromisoformat(since)
        # `position_after` increments the last character, which may give no valid day: `2025-09-2:`, `2025-09-31`.
        previous = _valid_day(since[:-1] + chr(ord(since[-1]) - 1))
        return date.fromisoformat(previous) + DAY if previous else None

    def _days_with_entries(self, first_day: date, last: date) -> Iterator[str]:
        width = 1
        while first_day <= last:
            days = [(first_day + n * DAY).isoformat() for n in range(min(width, (last - first_day).days + 1))]
            has_entries = read.gather_all(self._entries_check(day) for day in days)
            yield from (day for day, has_any in zip(days, has_entries, strict=True) if has_any)
            first_day += len(days) * DAY
            # Empty days often follow each other, so the next query covers more days.
            width = 1 if any(has_entries) else min(2 * width, MAX_PARALLEL_DAYS)

    def _entries_check(self, day: str) -> Callable[[], bool]:
        return lambda: next(all_pages(lambda start: self.entries(day, day, start, 1)), None) is not None


def _valid_day(text: str) -> str | None:
    return text if day_of(text) == text else None
