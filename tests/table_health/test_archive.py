"""`doctor` and the home page say how late the archive of activity is, and what it could not archive."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from dashboard.core.clock import now
from dashboard.platform.stream.items import StreamShard
from dashboard.platform.table_health.home import PROCESSES
from dashboard.platform.table_health.queries import current_log_table
from dashboard.table import write
from tests.table.notes import on_dynoxide
from tests.table_health.test_doctor import codes, complete_table, doctor, run_doctor


@pytest.fixture(autouse=True)
def with_archive(settings: Any) -> None:
    settings.ACTIVITY_ARCHIVE = "/srv/archive"


def followed(lag: timedelta = timedelta(), **values: Any) -> None:
    shard = StreamShard.new(table=current_log_table(), shard="shardId-1")
    shard.caught_up_at = now() - lag
    for name, value in values.items():
        setattr(shard, name, value)
    write.put(shard)


@on_dynoxide
def test_an_archive_that_runs_needs_nothing(table: str) -> None:
    with complete_table():
        followed(timedelta(minutes=2))
        _, report = doctor()
        assert not [code for code in codes(report) if "archive" in code]
        assert report["archive"]["failed"] == 0
        assert "Archive of activity: Up to date" in run_doctor()[1]


@on_dynoxide
def test_an_archive_that_never_ran_is_reported(table: str) -> None:
    with complete_table():
        code, report = doctor()
        assert (code, "archive_never_ran" in codes(report), report["archive"]) == (1, True, None)


@on_dynoxide
def test_an_archive_that_is_late_is_reported(table: str) -> None:
    with complete_table():
        followed(timedelta(hours=1))
        code, report = doctor()
        assert (code, "archive_late" in codes(report)) == (1, True)
        assert "s behind" in run_doctor()[1]


@on_dynoxide
def test_items_that_could_not_be_archived_are_listed(table: str) -> None:
    with complete_table():
        failure = {
            "kind": "activity",
            "pk": "USER#x",
            "sk": "PROFILE",
            "reason": "no event",
            "at": "2025-08-18T10:00:00Z",
        }
        followed(failed=1, failures=[failure])
        _, report = doctor()
        (finding,) = [each for each in report["findings"] if each["code"] == "not_archived"]
        assert [each["sk"] for each in finding["examples"]] == ["PROFILE"]


@on_dynoxide
def test_a_product_without_an_archive_says_nothing_of_it(table: str, settings: Any) -> None:
    settings.ACTIVITY_ARCHIVE = ""
    with complete_table():
        _, report = doctor()
        assert not [code for code in codes(report) if "archive" in code]
        assert "Archive" not in run_doctor()[1]


def test_each_finding_about_the_archive_has_a_line_of_its_own_at_home() -> None:
    assert {"archive_never_ran", "archive_late", "not_archived"} <= PROCESSES
