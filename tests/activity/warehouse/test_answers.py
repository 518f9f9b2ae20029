"""Answers from stored results, the archive and the log tables, and what a page costs."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from activity.archive import sealing
from activity.archive.storage import ArchiveFolder, Storage
from activity.archive.writer import write_events
from activity.events import Event
from activity.params import DayRange, Filters
from activity.services import LogStatus, log
from activity.warehouse import answers, calculation, unsealed
from activity.warehouse.answers import export_events, load
from activity.warehouse.due import calculate_results, ensure_results_task
from activity.warehouse.engines import local
from activity.warehouse.errors import FileLost, TooLarge, TooSlow, Unanswered
from activity.warehouse.queries import results_task
from activity.warehouse.questions import Statement
from activity.warehouse.reports import (
    Report,
    countries_report,
    day_report,
    events_report,
    people_report,
    returning_report,
    rooms_report,
)
from activity.warehouse.results import AnswerSource, AnswerState, ReportAnswer
from activity.warehouse.values import dates_between
from dashboard.core import clock
from dashboard.table.commands import SYSTEM, new_command
from tests.activity.warehouse import reference
from tests.activity.warehouse.conftest import DAY, MOMENT, ZONE
from tests.conftest import every_engine

TODAY = DayRange.of_day(MOMENT.astimezone(ZONE).date(), ZONE)


def some_events(count: int, days: DayRange, seed: int = 1) -> list[Event]:
    chance = random.Random(seed)
    seconds = int((min(days.end, clock.now()) - days.start).total_seconds())
    return [
        Event(
            f"s{seed}-{number}",
            f"p{chance.randrange(20)}@{chance.choice(['uno', 'dos'])}.test",
            days.start + timedelta(milliseconds=chance.randrange(seconds * 1000)),
            chance.choice(["room_enter", "room_completed", "time_spent", "sign_in"]),
            chance.choice(["sala1", "sala2", None]),
            chance.choice(["México", "Perú", None]),
            chance.choice([{}, {"open": False}, {"duration": 400}]),
        )
        for number in range(count)
    ]


def seal(storage: Storage, events: list[Event]) -> None:
    """Write events of past days, and seal all dates of the local day."""
    write_events(storage, events)
    for day in dates_between(*DAY.utc_dates):
        sealing.seal_day(storage, day)


def answer(report: Report[Any]) -> ReportAnswer[Any]:
    (found,), _ = load([report])
    return found


def calculate() -> str:
    ensure_results_task()
    task = results_task()
    assert task is not None
    return calculate_results(task)


@every_engine
def test_a_closed_day_is_answered_from_the_archive_and_then_from_the_stored_result(archive: Storage) -> None:
    events = some_events(200, DAY)
    seal(archive, events)
    reports: list[Report[Any]] = [day_report(DAY), rooms_report(DAY), countries_report(DAY)]
    first, _ = load(reports)
    assert {(each.state, each.source, each.as_of) for each in first} == {
        (AnswerState.READY, AnswerSource.ARCHIVE, None)
    }
    assert first[0].result == reference.day_summary(events, DAY)
    assert first[2].result == reference.countries(events, DAY)
    assert calculate() == "calculated 1 days of activity"
    again, _ = load(reports)
    assert {each.source for each in again} == {AnswerSource.STORED}
    assert [each.result for each in again] == [each.result for each in first]
    # With filters nothing is stored.
    filtered = answer(day_report(DAY, Filters(country="peru")))
    assert filtered.source == AnswerSource.ARCHIVE
    assert filtered.result == reference.day_summary(events, DAY, Filters(country="peru"))


def test_results_are_calculated_once_and_again_after_the_day_is_sealed_again(archive: Storage) -> None:
    events = some_events(60, DAY)
    seal(archive, events)
    assert calculate() == "calculated 1 days of activity"
    assert calculate() == "calculated 0 days of activity"
    late = some_events(10, DAY, seed=2)
    write_events(archive, late)
    # The stored result is of other files: it is not shown.
    found = answer(day_report(DAY))
    assert found.source == AnswerSource.ARCHIVE
    assert found.result == reference.day_summary(events + late, DAY)
    assert calculate() == "calculated 1 days of activity"
    assert answer(day_report(DAY)) == found._replace(source=AnswerSource.STORED)


def test_two_runs_at_once_calculate_the_same(archive: Storage) -> None:
    seal(archive, some_events(30, DAY))
    ensure_results_task()
    task, other = results_task(), results_task()
    assert task is not None
    assert other is not None
    assert calculate_results(task) == "calculated 1 days of activity"
    assert calculate_results(other) == "another run has saved its progress"
    assert answer(day_report(DAY)).source == AnswerSource.STORED


@every_engine
def test_today_is_answered_from_the_log(archive: Storage) -> None:
    events = some_events(150, TODAY)
    assert {result.status for result in log(events)} == {LogStatus.LOGGED}
    for filters in (Filters(), Filters(country="mexico"), Filters(room="sala1", action="room_enter")):
        found = answer(day_report(TODAY, filters))
        assert (found.source, found.as_of, found.searched_since) == (AnswerSource.LOG, MOMENT, None)
        assert found.result == reference.day_summary(events, TODAY, filters)
    assert len(answer(events_report(TODAY)).result.events) == 50
    assert answer(people_report(TODAY)).result.total == len(reference.people_of(events))
    assert sorted(each.event_id for each in export_events(events_report(TODAY))) == sorted(e.id for e in events)


def test_a_day_that_is_sealed_in_part_is_answered_from_both(archive: Storage) -> None:
    # Of the local day, the first date in UTC is sealed; the second one is not.
    events = some_events(80, DAY)
    dates = dates_between(*DAY.utc_dates)
    first = [event for event in events if event.at.date() == dates[0]]
    second = [event for event in events if event.at.date() == dates[1]]
    assert first
    assert second
    with clock.frozen(datetime(2026, 3, 11, 14, tzinfo=UTC)):
        write_events(archive, first)
        log(second)
        found = answer(day_report(DAY))
        assert (found.source, found.result) == (AnswerSource.LOG, reference.day_summary(events, DAY))
    # Nobody has sealed it a day later: a further round trip reads the log.
    found = answer(day_report(DAY))
    assert (found.source, found.result) == (AnswerSource.LOG, reference.day_summary(events, DAY))
    assert answer(returning_report(DAY, TODAY)).result == reference.returning(events, DAY, TODAY)


def test_the_log_is_read_backwards_until_everything_is_counted(
    archive: Storage, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.ACTIVITY_LOG_SECONDS = 1
    monkeypatch.setattr(unsealed, "MAX_ITEMS_PER_PARTITION", 2)
    events = some_events(160, TODAY)
    log(events)
    unsealed.forget()
    seen = []
    try:
        for second in range(0, 120, 2):
            with clock.frozen(MOMENT + timedelta(seconds=second)):
                found = answer(day_report(TODAY))
            seen.append(found.result.total.events)
            if found.searched_since is None:
                break
            counted = [event for event in events if event.at > found.searched_since]
            assert found.result.total.events >= len(counted)
        assert seen == sorted(seen)
        assert len(seen) > 2
        assert found.result == reference.day_summary(events, TODAY)
        # A second later another event is there; those before are not read again.
        new = Event("new", "neu@uno.test", MOMENT, "sign_in")
        log([new])
        with clock.frozen(MOMENT + timedelta(seconds=200)):
            assert answer(day_report(TODAY)).result == reference.day_summary([*events, new], TODAY)
    finally:
        unsealed.forget()


def test_empty_days_and_days_before_everything(archive: Storage) -> None:
    for days in (DAY, TODAY, DayRange.of_day(date(2001, 1, 1), ZONE), DayRange.of_day(date(2030, 1, 1), ZONE)):
        for report in (day_report(days), rooms_report(days), countries_report(days), people_report(days)):
            found = answer(report)
            assert found.state == AnswerState.READY
            assert found.result == report.build([])
    assert answer(day_report(DAY)).result.total == (0, 0)
    assert len(answer(day_report(DAY)).result.by_hour) == 24


def test_a_result_of_many_events_is_calculated_in_a_job(archive: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    events = some_events(60, DAY)
    seal(archive, events)
    monkeypatch.setattr(answers, "MAX_ROWS_AT_ONCE", 59)
    report = day_report(DAY)
    assert answer(report).state == AnswerState.CALCULATING
    assert answer(people_report(DAY)).state == AnswerState.READY
    job = calculation.start([report], "Activity", url="/activity/", command=new_command(SYSTEM))
    step = calculation.run_step(job)
    assert (step.done, step.cursor) == (1, None)
    assert answer(report) == ReportAnswer(reference.day_summary(events, DAY), DAY, source=AnswerSource.STORED)


def test_a_missing_file_is_a_clear_error(archive: Storage) -> None:
    seal(archive, some_events(20, DAY))
    calculate()
    assert isinstance(archive, ArchiveFolder)
    next(path for path in Path(archive.root).rglob("*.parquet") if "2026-03-10" in str(path)).unlink()
    found = answer(day_report(DAY, Filters(action="sign_in")))
    assert found.state == AnswerState.FAILED
    assert found.problem == "A file of the archive is missing. Ask an administrator to check the archive."
    assert found.result.total == (0, 0)
    # What was stored before can still be read.
    assert answer(day_report(DAY)).state == AnswerState.READY


def test_a_day_with_a_missing_file_does_not_delay_the_others(archive: Storage) -> None:
    before = DayRange.of_day(DAY.first - timedelta(days=1), ZONE)
    seal(archive, some_events(40, before, seed=2) + some_events(60, DAY))
    sealing.seal_day(archive, before.first)
    assert isinstance(archive, ArchiveFolder)
    next(path for path in archive.root.rglob("*.parquet") if "date=2026-03-11" in str(path)).unlink()
    with pytest.raises(FileLost):
        calculate()
    task = results_task()
    assert task is not None
    assert set(task.done or {}) == {before.first.isoformat()}
    assert answer(day_report(before)).source == AnswerSource.STORED


def test_a_damaged_file_and_questions_that_are_too_large_are_clear_errors(archive: Storage, settings: Any) -> None:
    seal(archive, some_events(20, DAY))
    assert isinstance(archive, ArchiveFolder)
    files = [path for path in Path(archive.root).rglob("*.parquet") if "events" in str(path)]
    content = files[0].read_bytes()
    files[0].write_bytes(content[:-20])
    assert answer(day_report(DAY)).problem == "The archive could not be read. Try again in a moment."
    files[0].write_bytes(content)
    settings.ACTIVITY_QUERY_SECONDS = 0.3
    long = "WITH pairs AS (SELECT COUNT(*) AS n FROM range(10000000), range(10000000)) SELECT n FROM pairs"
    with pytest.raises(TooSlow):
        local.fetch_rows(Statement(long, {}, {"n": "integer"}), local.EventData())
    settings.ACTIVITY_QUERY_SECONDS = 60
    with pytest.raises(TooLarge):
        local.fetch_rows(
            Statement(
                "WITH big AS (SELECT LIST(range) AS n FROM range(900000000)) SELECT n FROM big", {}, {"n": "text"}
            ),
            local.EventData(),
        )


def test_a_question_reads_nothing_but_the_archive(archive: Storage, tmp_path: Path) -> None:
    seal(archive, some_events(5, DAY))
    answer(day_report(DAY))
    outside = tmp_path / "outside.csv"
    outside.write_text("secret")
    for sql in (
        f"SELECT * FROM read_csv('{outside}')",
        f"SELECT * FROM '{outside}'",
        "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM read_parquet('https://127.0.0.1:1/x.parquet')",
        "SELECT * FROM rows_of_this_frame",
    ):
        rows_of_this_frame = local.ARCHIVE_COLUMNS.empty_table()  # noqa: F841 - DuckDB could find it by its name
        with pytest.raises(Unanswered):
            local.fetch_rows(Statement(f"WITH x AS ({sql}) SELECT * FROM x", {}, {}), local.EventData())
    for setting in ("enable_external_access = true", "threads = 8", "memory_limit = '9GB'"):
        with pytest.raises(duckdb.Error):
            local._database(str(settings_of_archive(archive))).cursor().execute(f"SET {setting}")


def settings_of_archive(storage: Storage) -> Path:
    assert isinstance(storage, ArchiveFolder)
    return storage.root


def test_people_are_found_by_their_address_in_a_pseudonymised_archive(archive: Storage, settings: Any) -> None:
    settings.ACTIVITY_PSEUDONYM_KEYS = ["first key"]
    events = some_events(60, DAY)
    seal(archive, events)
    user = events[0].user
    expected = {event.id for event in events if event.user == user}
    settings.ACTIVITY_PSEUDONYM_KEYS = ["second key", "first key"]
    found = answer(events_report(DAY, user=user)).result.events
    assert {each.event_id for each in found} == expected
    assert all(each.user.startswith("p-") for each in found)
    assert answer(events_report(DAY, user="nadie@uno.test")).result.events == []
    people = answer(people_report(DAY)).result.people
    assert len(people) == len(reference.people_of(events))
    assert not any("@" in person.user for person in people)


def test_reports_survive_a_job() -> None:
    between = (DAY.start, DAY.end)
    for report in (
        day_report(DAY, Filters(country="peru")),
        returning_report(DAY, TODAY),
        people_report(DAY, hour=3, between=between, after="x"),
        events_report(DAY, user="ana@uno.test"),
    ):
        again = Report.from_dict(report.to_dict())
        assert again.digest == report.digest
        assert answers.unsign(answers.sign(report)).digest == report.digest
