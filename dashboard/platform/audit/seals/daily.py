"""A log with a partition for each day: nobody can list them, so they are walked, several side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from dashboard.core.clock import now
from dashboard.platform.audit.seals.trails import Trail, day_of, every
from dashboard.table import read
from dashboard.table.items import Raw

DAY = timedelta(days=1)
# Before the first entry that the indexes know: one without index keys may be a little older.
MARGIN = 31 * DAY
# Nothing was decided before: what says so is wrong, and nobody walks through two thousand years for it.
EARLIEST = date(2000, 1, 1)
# So many empty days are asked for at a time.
WIDEST = 16


@dataclass(frozen=True)
class DailyTrail(Trail):
    """Its partition says to which day an entry belongs, whatever its sort key is: a seal covers all of a partition."""

    # The first day that has an entry, and all entries, as far as indexes lead to them.
    first: Callable[[], str | None]
    indexed: Callable[[], Iterator[Raw]]
    partition: Callable[[Raw], str]

    def day_named(self, raw: Raw) -> str | None:
        return _day(self.partition(raw))

    def has_entries(self) -> bool:
        return self.first() is not None

    def next_day(self, since: str, until: str, odd: Callable[[Raw], None] = lambda _: None) -> str | None:
        first, last = self._from(since), _day(until)
        if first is None or last is None:
            return None
        return next(self._with_entries(first, date.fromisoformat(last)), None)

    def tail(self, since: str) -> Iterator[Raw]:
        """What stands from here through tomorrow, and then what the indexes lead to and no such walk does."""
        first, last = self._from(since), now().date() + DAY
        for day in self._with_entries(first, last) if first else ():
            yield from self.day(day)
        begins = self._from("")
        known = begins.isoformat() if begins else ""
        for raw in self.indexed():
            named = self.day_named(raw)
            if named is None or not known <= named <= last.isoformat():
                yield raw

    def _from(self, since: str) -> date | None:
        """The first day at or above this place; without one the first of all."""
        if not since:
            known = self.first()
            return max(EARLIEST, date.fromisoformat(known)) - MARGIN if known else None
        if _day(since):
            return date.fromisoformat(since)
        # What `after` makes of the last day of a month, or of a day that ends in 9, is none itself.
        before = _day(since[:-1] + chr(ord(since[-1]) - 1))
        return date.fromisoformat(before) + DAY if before else None

    def _with_entries(self, first: date, last: date) -> Iterator[str]:
        width = 1
        while first <= last:
            days = [(first + n * DAY).isoformat() for n in range(min(width, (last - first).days + 1))]
            found = read.gather_all(self._asking(day) for day in days)
            yield from (day for day, there in zip(days, found, strict=True) if there)
            first += len(days) * DAY
            # Where nothing was, nothing much will be; where there is something, the next day has some too.
            width = 1 if any(found) else min(2 * width, WIDEST)

    def _asking(self, day: str) -> Callable[[], bool]:
        return lambda: next(every(lambda start: self.entries(day, day, start, 1)), None) is not None


def _day(text: str) -> str | None:
    return text if day_of(text) == text else None
