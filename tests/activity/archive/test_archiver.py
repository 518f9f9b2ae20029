"""One process archives the log tables of all months."""

from __future__ import annotations

import threading
from datetime import date, timedelta

import pytest

from activity.archive import due, manifest, schedule
from activity.archive.archiver import Archiver
from activity.archive.items import ArchiveTask
from activity.archive.lambda_handler import handler
from activity.archive.months import has_stream, months_around
from activity.archive.queries import archive_task
from activity.archive.storage import Storage
from activity.items import table_of_month
from dashboard.core import clock
from dashboard.core.errors import Unavailable
from dashboard.platform.due.runner import run
from tests import tables
from tests.activity.archive.helpers import RECENT, ids, put_all, recent
from tests.activity.archive.test_lambda import batch
from tests.table.notes import on_dynoxide

EARLIER = RECENT - timedelta(days=35)


def test_the_months_whose_events_can_still_change_are_followed() -> None:
    assert months_around(date(2026, 1, 15)) == ["2026-02", "2026-01", "2025-12", "2025-11", "2025-10", "2025-09"]


@on_dynoxide
def test_events_of_several_months_are_archived(archive: Storage, log_streams: None, dynoxide_endpoint: str) -> None:
    earlier = table_of_month(f"{EARLIER:%Y-%m}")
    with tables.log_table("dynoxide", dynoxide_endpoint, earlier, has_stream=True):
        put_all([*recent(3), *recent(2, first=3, day=EARLIER)])
        archiver = Archiver(archive)
        archiver.catch_up()
        archiver.release()
        assert (archiver.archived, archiver.failed) == (5, 0)
        schedule.seal_due(archive)
    assert (len(ids(archive, RECENT)), len(ids(archive, EARLIER))) == (3, 2)


@on_dynoxide
def test_a_table_without_a_stream_stops_nothing(archive: Storage, dynoxide_endpoint: str, log_streams: None) -> None:
    name = table_of_month(f"{EARLIER:%Y-%m}")
    with tables.log_table("dynoxide", dynoxide_endpoint, name):
        Archiver(archive).step()
    assert not has_stream(table_of_month("2020-01")), "there is no such table"


@on_dynoxide
def test_it_continues_when_the_table_answers_again(
    archive: Storage, log_streams: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_all(recent(3))
    archiver, stop = Archiver(archive, seconds_per_file=0.0), threading.Event()
    step = archiver.step
    answers = iter([Unavailable(), None])

    def fail_once() -> int:
        if (error := next(answers, None)) is not None:
            raise error
        found = step()
        if manifest.incoming():
            stop.set()
        return found

    monkeypatch.setattr(archiver, "step", fail_once)
    interruptions = list(archiver.watch(stop, idle=0.05))
    archiver.release()
    assert len(interruptions) == 1
    assert "does not answer" in interruptions[0]
    assert archiver.archived == 3


@on_dynoxide
def test_due_tasks_seal_days_again_and_again(archive: Storage, log_streams: None) -> None:
    put_all(recent(3))
    archiver = Archiver(archive)
    archiver.catch_up()
    archiver.release()
    assert due.ensure_archive_task() is not None
    assert due.ensure_archive_task() is None
    results = [str(each) for each in run() if "archive" in str(each)]
    assert any("sealed 7 days of the archive" in each for each in results), results
    assert len(ids(archive, RECENT)) == 3
    task = archive_task()
    assert isinstance(task, ArchiveTask)
    assert task.due_at is not None and task.due_at > clock.now()


@on_dynoxide
def test_after_the_lambda_function_a_day_waits_an_hour(archive: Storage, log_streams: None) -> None:
    yesterday = clock.now().date() - timedelta(days=1)
    table = table_of_month(f"{yesterday:%Y-%m}")
    found = batch(recent(2, day=yesterday))
    for record in found["Records"]:
        record["eventSourceARN"] = f"arn:aws:dynamodb:us-east-1:1:table/{table}/stream/x"
    assert handler(found) == {"batchItemFailures": []}
    midnight = clock.now().replace(hour=0, minute=0, second=0)
    with clock.frozen(midnight + timedelta(minutes=50)):
        assert yesterday not in schedule.seal_due(archive)
    with clock.frozen(midnight + timedelta(minutes=70)):
        assert yesterday in schedule.seal_due(archive)
    assert len(ids(archive, yesterday)) == 2
