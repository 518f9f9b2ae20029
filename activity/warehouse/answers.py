"""Answers reports: from stored results, from the archive, and from the log tables for what is not sealed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, TypeVar

import pyarrow as pa
from django.conf import settings
from django.core import signing
from django.utils.translation import gettext as _

from activity.archive import manifest
from activity.archive.items import SealedDay
from activity.archive.schema import day_of
from activity.warehouse import rows, unsealed
from activity.warehouse.archive_days import ArchiveDays, archive_days, local_files, period_of
from activity.warehouse.engines import local
from activity.warehouse.engines.local import ARCHIVE_COLUMNS, Row
from activity.warehouse.errors import Unanswered
from activity.warehouse.items import StoredResult
from activity.warehouse.queries import stored_result
from activity.warehouse.questions import EVENTS_EXPORT, TIME
from activity.warehouse.reports import Report
from activity.warehouse.results import AnswerSource, AnswerState, ListedEvent, ReportAnswer
from activity.warehouse.unsealed import Logged, LogReading
from activity.warehouse.values import dates_between
from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.table.commands import FORM_LIFE
from dashboard.table.read import gather_all

T = TypeVar("T")
Read = Callable[[], Any]
# A date is sealed some time after it is over. Until then its events are read with the page, not after the manifest.
SEALED_AFTER = timedelta(hours=3)
# DuckDB takes about a second for so many events.
MAX_ROWS_AT_ONCE = 1_500_000
_SALT = "activity.question"
# A page reads the log tables for so many dates at most.
MAX_OPEN_DATES = 3


class Reading:
    """What a report needs: `reads` run in parallel with others, as one round trip, and `answer` takes their results."""

    def __init__(self, report: Report[Any]) -> None:
        self.report = report
        self._moment = now()
        self._logs = [(day, log) for day in self._surely_open() for log in self._log_readings(day)]
        self.reads: list[Read] = [
            self._sealed,
            self._stored,
            *(read for _, log in self._logs for read in log.reads),
        ]

    def answer(self, found: Sequence[Any]) -> ReportAnswer[Any]:
        sealed, stored, *logged = found
        days = archive_days(self.report.dates, sealed)
        try:
            if not days.is_closed:
                return self._answer_open(days, self.logged(days, logged))
            if stored is not None and stored.generations == days.generations:
                return self._answer(stored_rows(self.report, stored), AnswerSource.STORED, bool(stored.is_truncated))
            if is_answered_here(self.report, days):
                found_rows, is_truncated = local.fetch_rows(self.report.statement, archived_events(self.report, days))
                return self._answer(found_rows, AnswerSource.ARCHIVE, is_truncated)
        except Unanswered as error:
            return replace_answer(self._answer([], AnswerSource.ARCHIVE), AnswerState.FAILED, str(error.text))
        unanswered = replace_answer(self._answer([], AnswerSource.ARCHIVE), AnswerState.CALCULATING)
        return unanswered._replace(question=sign(self.report))

    def _answer(self, found: Sequence[Row], source: AnswerSource, is_truncated: bool = False) -> ReportAnswer[Any]:
        return ReportAnswer(self.report.build(found), self.report.days, source=source, is_truncated=is_truncated)

    def _answer_open(self, days: ArchiveDays, logged: Logged) -> ReportAnswer[Any]:
        events = archived_events(self.report, days, logged.rows)
        found, is_truncated = local.fetch_rows(self.report.statement, events)
        answer = self._answer(found, AnswerSource.LOG, is_truncated)
        return answer._replace(as_of=self._moment, searched_since=logged.searched_since)

    def _sealed(self) -> list[SealedDay]:
        dates = [day for each in self.report.dates for day in each]
        return manifest.sealed(min(dates), max(dates))

    def _stored(self) -> StoredResult | None:
        # Lists are not stored where they are answered at once, nor are answers about today.
        is_stored = not (self.report.kind.is_list and is_answered_here(self.report)) and not self._logs
        return stored_result(self.report) if is_stored else None

    def _dates(self) -> list[date]:
        return sorted({day for each in self.report.dates for day in dates_between(*each)})

    def _surely_open(self) -> list[date]:
        """The dates that are not over, or were over just now."""
        first, last = day_of(self._moment - SEALED_AFTER), day_of(self._moment)
        return [day for day in self._dates() if first <= day <= last]

    def _log_readings(self, day: date) -> Iterator[LogReading]:
        for between in self.report.periods:
            start, end = period_of(day, between)
            if start < end:
                yield LogReading((start, end))

    def logged(self, days: ArchiveDays, found: Sequence[Any]) -> Logged:
        """The rows of all dates that are not sealed, at most of the newest ones."""
        position, parts = 0, []
        for day, log in self._logs:
            answers = found[position : position + len(log.reads)]
            position += len(log.reads)
            logged = log.logged(answers)
            if day not in days.sealed:
                parts.append(logged)
        read = {day for day, _ in self._logs}
        missing = [day for day in days.open_dates if day not in read]
        for day in missing[-MAX_OPEN_DATES:]:
            # The archive is behind: a further round trip.
            parts += [log.logged(gather_all(log.reads) if log.reads else []) for log in self._log_readings(day)]
        logged = unsealed.joined(parts)
        if left_out := missing[:-MAX_OPEN_DATES]:
            first_read = datetime.combine(left_out[-1] + timedelta(days=1), datetime.min.time()).isoformat() + "Z"
            logged = replace(logged, before=max(logged.before, first_read))
        return logged


def load(reports: Sequence[Report[Any]], *reads: Read) -> tuple[list[ReportAnswer[Any]], list[Any]]:
    """The answers to some reports and the results of other reads, in one round trip to the table."""
    readings = [Reading(report) for report in reports]
    found = gather_all([*reads, *(read for reading in readings for read in reading.reads)])
    position, answers = len(reads), []
    for reading in readings:
        answers.append(reading.answer(found[position : position + len(reading.reads)]))
        position += len(reading.reads)
    return answers, found[: len(reads)]


def is_answered_here(report: Report[Any], days: ArchiveDays | None = None) -> bool:
    """Whether DuckDB answers the report within the request, from these days.

    Results of many events are calculated in a job and stored. A page of a list is never stored; where Athena answers,
    DuckDB answers lists of one or two dates, from a few small files.
    """
    if settings.ACTIVITY_WAREHOUSE == "duckdb":
        is_small = days is None or sum(file.rows for file in days.files(report.filters.country)) <= MAX_ROWS_AT_ONCE
        return report.kind.is_list or is_small
    dates = sum((last - first).days + 1 for first, last in report.dates)
    return report.kind.is_list and dates <= 2


def archived_events(report: Report[Any], days: ArchiveDays, logged: pa.Table | None = None) -> local.EventData:
    files = local_files(days.files(report.filters.country))
    return local.EventData(files, logged if logged is not None else ARCHIVE_COLUMNS.empty_table())


def stored_rows(report: Report[Any], stored: StoredResult) -> list[Row]:
    kinds = list(report.kind.question.columns.values())
    return [
        tuple(
            datetime.fromisoformat(value) if kind == TIME and value else value
            for value, kind in zip(row, kinds, strict=True)
        )
        for row in json.loads(stored.rows or "[]")
    ]


def sign(report: Report[Any]) -> str:
    """A report as a field of a form."""
    return signing.dumps(report.to_dict(), salt=_SALT, compress=True)


def unsign(text: str) -> Report[Any]:
    """Raises Refused for a text that nobody signed."""
    try:
        return Report.from_dict(signing.loads(text, salt=_SALT, max_age=FORM_LIFE))
    except signing.BadSignature as error:
        raise Refused(_("This form was open for too long. Reload the page and try again.")) from error


def replace_answer(answer: ReportAnswer[Any], state: AnswerState, problem: str = "") -> ReportAnswer[Any]:
    return answer._replace(state=state, problem=problem)


def export_events(report: Report[Any]) -> Iterator[ListedEvent]:
    """All events of a report of events, oldest first. Each date is a question of its own, which bounds the memory."""
    reading = Reading(report)
    sealed, _result, *found = gather_all(reading.reads)
    days = archive_days(report.dates, sealed)
    logged = reading.logged(days, found).rows
    values, filters = dict(report.statement.values), report.filters.values | report.more_filters
    for day in days.dates:
        values |= {"first_date": day.isoformat(), "last_date": day.isoformat()}
        of_day = days.of_date(day)
        rows_of_day = logged if day in days.open_dates else ARCHIVE_COLUMNS.empty_table()
        statement = EVENTS_EXPORT.statement(values, filters)
        for row in local.stream_rows(statement, archived_events(report, of_day, rows_of_day)):
            yield rows.event(row)
