"""Events that are not in the archive yet, from the log tables: today, and what is not sealed.

Each process remembers what it has read of a period: the next page reads what is new, and continues backwards where the
log had more than one read returns. A result therefore says since when its events are complete.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from django.conf import settings

from activity.archive.schema import rows_of
from activity.countries import known_countries, learn_countries
from activity.queries.countries import sources_of
from activity.queries.hours import HourCounts, counts_of_day
from activity.queries.merge import MAX_ITEMS_PER_PARTITION, Answer, Period, merge, readers
from activity.warehouse.engines.local import ARCHIVE_COLUMNS
from activity.warehouse.values import Moments
from dashboard.core.clock import now
from dashboard.table.read import gather_all

# Events may be logged some minutes after they happened: the newest ones are read again.
OVERLAP = timedelta(minutes=1)
# Later ones are found when everything is read again.
RELOAD = timedelta(minutes=10)
_PERIODS = 8
# Further reads, one after the other, where many events arrived since the last page.
_MORE_READS = 10
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)

Read = Callable[[], Any]


@dataclass(frozen=True)
class Logged:
    """The rows of a period. If `before` is set, older events than this position are missing."""

    rows: pa.Table
    before: str = ""
    read_at: datetime = _NEVER
    loaded_at: datetime = _NEVER

    @property
    def searched_since(self) -> datetime | None:
        return datetime.fromisoformat(self.before.partition("#")[0]) if self.before else None


_NOTHING = Logged(ARCHIVE_COLUMNS.empty_table())
_lock = threading.Lock()
_remembered: OrderedDict[tuple[str, datetime, datetime], Logged] = OrderedDict()


class LogReading:
    """One reading of a period: its reads run in parallel with others of the page, as one round trip."""

    def __init__(self, between: Moments) -> None:
        self.start, self.end = between
        self._key = (settings.DYNAMODB_TABLE, self.start, self.end)
        self._moment = now()
        self._known = self._recall()
        self._countries = known_countries()
        self.reads: list[Read] = []
        if self._is_fresh:
            return
        self._newest = readers(self._sources(self._new_period, self._countries), self._new_period)
        old_period = self._old_period
        self._older = readers(self._sources(old_period, self._countries), old_period) if old_period else []
        self.reads = [partial(_hours, self._new_period), *self._newest, *self._older]

    @property
    def _is_fresh(self) -> bool:
        return self._moment - self._known.read_at < timedelta(seconds=settings.ACTIVITY_LOG_SECONDS)

    @property
    def _new_period(self) -> Period:
        since = min(self._known.read_at, self.end) - OVERLAP if self._known is not _NOTHING else self.start
        return Period(max(self.start, since), self.end)

    @property
    def _old_period(self) -> Period | None:
        known = self._known
        return Period(self.start, self.end, known.before) if known.before else None

    def logged(self, found: Sequence[Any]) -> Logged:
        """The rows of the period, from the results of the reads."""
        if not self.reads:
            return self._known
        hours, *answers = found
        newest, older = answers[: len(self._newest)], answers[len(self._newest) :]
        unknown = learn_countries(name for hour in hours for name in hour.by_country)
        if unknown:
            # Rare: the first event from a country since this process started. Its events are read from the start.
            whole = Period(self.start, self.end)
            self._known, newest, older = _NOTHING, [], []
            newest = gather_all(readers(self._sources(whole, [*self._countries, *unknown]), whole))
        logged = self._merged(newest, older)
        with _lock:
            _remembered[self._key] = logged
            _remembered.move_to_end(self._key)
            while len(_remembered) > _PERIODS:
                _remembered.popitem(last=False)
        return logged

    def _merged(self, newest: list[Answer], older: list[Answer]) -> Logged:
        period = self._new_period
        rows, before = _rows(newest, period)
        for _ in range(_MORE_READS if self._known is not _NOTHING else 0):
            if not before:
                break
            rest = replace(period, before=before)
            older_rows, before = _rows(gather_all(readers(self._sources(rest, self._countries), rest)), rest)
            rows = pa.concat_tables([rows, older_rows])
        loaded_at = self._known.loaded_at if self._known is not _NOTHING else self._moment
        if before or self._known is _NOTHING:
            # Too many: what was known before is not connected with them.
            return Logged(rows, before, self._moment, loaded_at)
        cut = pa.scalar(period.start.astimezone(UTC).replace(tzinfo=None), pa.timestamp("ms"))
        kept = self._known.rows.filter(pc.less(self._known.rows["at"], cut))
        parts, before = [kept, rows], self._known.before
        if self._old_period:
            oldest, before = _rows(older, self._old_period)
            parts.append(oldest)
        return Logged(pa.concat_tables(parts), before, self._moment, loaded_at)

    def _recall(self) -> Logged:
        with _lock:
            known = _remembered.get(self._key, _NOTHING)
        is_old = self._moment - known.loaded_at > RELOAD or not settings.ACTIVITY_LOG_SECONDS
        return _NOTHING if is_old else known

    def _sources(self, period: Period, countries: Sequence[str]) -> list[Any]:
        return [
            source
            for country in countries
            for day in period.dates
            for source in sources_of(country, day, MAX_ITEMS_PER_PARTITION)
        ]


def _hours(period: Period) -> list[HourCounts]:
    """The counters of the period, which name its countries."""
    days = [date.fromisoformat(day) for day in period.dates]
    return [hour for day in days for hour in counts_of_day(day).values()]


def _rows(answers: Sequence[Answer], period: Period) -> tuple[pa.Table, str]:
    """The events of some reads as rows, and the position before which there are more."""
    page = merge(answers, period, limit=sum(len(found) for found, _ in answers) + 1)
    rows = rows_of(page.items)
    dates = pc.strftime(rows["at"], "%Y-%m-%d")
    table = rows.append_column(ARCHIVE_COLUMNS.field("date"), dates).select(ARCHIVE_COLUMNS.names)
    return table.cast(ARCHIVE_COLUMNS), (page.next_start_key or {}).get("before", {}).get("S", "")


def forget() -> None:
    """Forget what was read: the next page reads everything again."""
    with _lock:
        _remembered.clear()


def joined(parts: Sequence[Logged]) -> Logged:
    """The rows of several periods, complete since the latest moment since which all of them are."""
    if not parts:
        return _NOTHING
    before = max(each.before for each in parts)
    return replace(parts[0], rows=pa.concat_tables([each.rows for each in parts]), before=before)
