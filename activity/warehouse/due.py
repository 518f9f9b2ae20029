"""The due task that calculates the usual reports of each day, once the day is closed, and again if it changes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from activity.archive import manifest
from activity.archive.items import SealedDay
from activity.params import DayRange
from activity.warehouse import calculation, services
from activity.warehouse.archive_days import ArchiveDays, archive_days
from activity.warehouse.errors import Unanswered
from activity.warehouse.items import ResultsTask
from activity.warehouse.queries import results_task
from activity.warehouse.reports import USUAL, Report
from dashboard.core.clock import now
from dashboard.core.errors import Conflict
from dashboard.platform.due.registry import before_each_run, due
from dashboard.web.locale import zone
from rooms.public import all_rooms, event_zone

# How far back the task looks. Older days are calculated when somebody asks.
MAX_DAYS = 95
# One call stays well within the lease; the rest is due again at once.
MAX_SECONDS = 45.0


@before_each_run
def ensure_results_task() -> str | None:
    if results_task() is None and services.begin():
        return "began to calculate results of activity"
    return None


@due("activity results")
def calculate_results(task: ResultsTask) -> str:
    """Calculate the days whose files changed since the last run, the newest first."""
    ends = time.monotonic() + MAX_SECONDS
    event, done, count = zone(event_zone(all_rooms())), _done(task), 0
    is_finished, problem = True, None
    for days, closed in _closed_days(event):
        reports = [Report[Any](name, days) for name in USUAL]
        # Other files, another time zone or another question give other results.
        mark = " ".join([closed.generations, *(report.digest[:8] for report in reports)])
        if done.get(days.first) == mark:
            continue
        try:
            is_finished = time.monotonic() < ends and calculation.calculate(reports, closed, ends)
        except Unanswered as error:
            # A file that is missing does not delay the other days.
            problem = error
            continue
        if not is_finished:
            break
        done[days.first] = mark
        count += 1
    try:
        services.save_progress(task, done, is_finished=is_finished)
    except Conflict:
        return "another run has saved its progress"
    if problem is not None:
        raise problem
    return f"calculated {count} days of activity"


def _closed_days(event: ZoneInfo) -> list[tuple[DayRange, ArchiveDays]]:
    today = now().astimezone(event).date()
    first = today - timedelta(days=MAX_DAYS)
    sealed = manifest.sealed(first - timedelta(days=1), today + timedelta(days=1))
    days = [DayRange.of_day(today - timedelta(days=back), event) for back in range(1, MAX_DAYS)]
    found = [(each, _archive_days(each, sealed)) for each in days]
    # A day that the archive does not have has no results to calculate.
    return [(each, closed) for each, closed in found if closed.is_closed and closed.sealed]


def _archive_days(days: DayRange, sealed: list[SealedDay]) -> ArchiveDays:
    return archive_days([days.utc_dates], sealed)


def _done(task: ResultsTask) -> dict[date, str]:
    stored: Mapping[str, Any] = task.done or {}
    return {date.fromisoformat(day): str(mark) for day, mark in stored.items()}
