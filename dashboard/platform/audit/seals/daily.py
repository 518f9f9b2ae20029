"""A log with a partition for each day: nobody can list them, so they are walked, several side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from dashboard.core.clock import now
from dashboard.platform.audit.seals.trails import Trail, all_pages, day_of
from dashboard.table import read
from dashboard.table.items import Raw

DAY = timedelta(days=1)
# Before the first entry that the indexes know: one without index keys may be a little older.
MARGIN = 31 * DAY
# Nothing was decided before: what says so is wrong, and nobody walks through two thousand years for it.
EARLIEST = date(2000, 1, 1)
# So many empty days are asked for at a time.
MAX_PARALLEL_DAYS = 16


@dataclass(frozen=True)
class DailyTrail(Trail):
    """Its partition says to which day an entry belongs, whatever its sort key is: a seal covers all of a partition."""

    # The first day that has an entry, and all entries, as far as indexes lead to them.
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
        """What stands from here through tomorrow, and then what the indexes lead to and no such walk does."""
        first_day, last = self._first_day_from(since), now().date() + DAY
        for day in self._days_with_entries(first_day, last) if first_day else ():
            yield from self.day(day)
        begins = self._first_day_from("")
        known = begins.isoformat() if begins else ""
        for raw in self.indexed_entries():
            action_and_actor = self.day_of_entry(raw)
            if action_and_actor is None or not known <= action_and_actor <= last.isoformat():
                yield raw

    def _first_day_from(self, since: str) -> date | None:
        """The first day at or above this place; without one the first of all."""
        if not since:
            known = self.first_day()
            return max(EARLIEST, date.fromisoformat(known)) - MARGIN if known else None
        if _valid_day(since):
            return date.fromisoformat(since)
        # What `after` makes of the last day of a month, or of a day that ends in 9, is none itself.
        before = _valid_day(since[:-1] + chr(ord(since[-1]) - 1))
        return date.fromisoformat(before) + DAY if before else None

    def _days_with_entries(self, first_day: date, last: date) -> Iterator[str]:
        width = 1
        while first_day <= last:
            days = [(first_day + n * DAY).isoformat() for n in range(min(width, (last - first_day).days + 1))]
            found = read.gather_all(self._entries_check(day) for day in days)
            yield from (day for day, there in zip(days, found, strict=True) if there)
            first_day += len(days) * DAY
            # Where nothing was, nothing much will be; where there is something, the next day has some too.
            width = 1 if any(found) else min(2 * width, MAX_PARALLEL_DAYS)

    def _entries_check(self, day: str) -> Callable[[], bool]:
        return lambda: next(all_pages(lambda start: self.entries(day, day, start, 1)), None) is not None


def _valid_day(text: str) -> str | None:
    return text if day_of(text) == text else None
