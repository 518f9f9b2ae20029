"""Calculates and stores the results of closed days: with Athena in several steps, each of which ends soon."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from activity.archive import manifest
from activity.warehouse import services
from activity.warehouse.answers import archived_events
from activity.warehouse.archive_days import ArchiveDays, archive_days
from activity.warehouse.engines import athena, local
from activity.warehouse.engines.local import Row
from activity.warehouse.errors import Unanswered
from activity.warehouse.queries import stored_result
from activity.warehouse.reports import Report
from dashboard.core.errors import Refused
from dashboard.platform.jobs import services as jobs
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import FailedTarget, Step
from dashboard.table.commands import Command

KIND = "activity.question"
# A step of a job takes about this long.
POLL_SECONDS = 0.5
POLLS = 3

Answer = tuple[list[Row], bool]


def start(reports: Sequence[Report[Any]], title: str, *, url: str, command: Command) -> Job:
    """Start the job that answers reports about closed days. `url` is the page that shows them."""
    if not all(load_days(report).is_closed for report in reports):
        raise Refused(_("These days are not complete yet."))
    about = {"reports": [report.to_dict() for report in reports], "url": url}
    return jobs.start(KIND, title, command=command, total=len(reports), first={"at": 0}, about=about)


def run_step(job: Job) -> Step:
    """Look whether the answer to the next report is there, and store it."""
    cursor: dict[str, Any] = job.cursor or {}
    reports, at = (job.about or {}).get("reports", []), int(cursor.get("at", 0))
    following = {"at": at + 1} if at + 1 < len(reports) else None
    if at >= len(reports):
        return Step()
    report = Report.from_dict(reports[at])
    days = load_days(report)
    if is_stored(report, days):
        return Step(following, done=1)
    # Of days that were sealed again meanwhile, the earlier execution is of no use.
    is_same = cursor.get("generations") == days.generations
    try:
        execution = str(cursor["execution"]) if is_same else begin(report, days)
        answer = _poll(report, days, execution)
    except Unanswered as error:
        return Step(following, failed=(FailedTarget(f"{at + 1}", str(error.text)),))
    if answer is None:
        return Step({"at": at, "execution": execution, "generations": days.generations})
    services.store(report, answer[0], days.generations, is_truncated=answer[1])
    return Step(following, done=1)


def _poll(report: Report[Any], days: ArchiveDays, execution: str) -> Answer | None:
    """The answer; None if it still takes longer than a request should."""
    for attempt in range(POLLS):
        if attempt:
            time.sleep(POLL_SECONDS)
        answer = finish(report, days, execution)
        if answer is not None:
            return answer
    return None


def load_days(report: Report[Any]) -> ArchiveDays:
    dates = [day for each in report.dates for day in each]
    return archive_days(report.dates, manifest.sealed(min(dates), max(dates)))


def is_stored(report: Report[Any], days: ArchiveDays) -> bool:
    stored = stored_result(report)
    return stored is not None and stored.generations == days.generations


def begin(report: Report[Any], days: ArchiveDays) -> str:
    """Start the calculation. Athena starts the same question about the same files once."""
    if settings.ACTIVITY_WAREHOUSE == "duckdb":
        return ""
    return athena.start(report.statement, days.generations)


def finish(report: Report[Any], days: ArchiveDays, execution: str) -> Answer | None:
    """The answer; None while it is calculated."""
    if settings.ACTIVITY_WAREHOUSE == "duckdb":
        return local.fetch_rows(report.statement, archived_events(report, days))
    return athena.fetch_rows(execution, report.statement)


def calculate(reports: Sequence[Report[Any]], days: ArchiveDays, ends: float) -> bool:
    """Store the answers to reports about the same closed days, until a moment. Returns whether all are stored."""
    running = [(report, begin(report, days)) for report in reports if not is_stored(report, days)]
    while running:
        running = [each for each in running if not _store_if_finished(*each, days)]
        if running and time.monotonic() > ends:
            return False
        if running:
            time.sleep(POLL_SECONDS)
    return True


def _store_if_finished(report: Report[Any], execution: str, days: ArchiveDays) -> bool:
    answer = finish(report, days, execution)
    if answer is not None:
        services.store(report, answer[0], days.generations, is_truncated=answer[1])
    return answer is not None
