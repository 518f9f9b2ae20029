"""The tables with the activity of a month are created in advance, like the template creates them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError
from django.conf import settings

from activity import due
from activity.events import Event
from activity.queries import hour_counts
from activity.services import LogStatus, log
from dashboard.core.clock import frozen
from dashboard.core.ids import new_id
from dashboard.table import admin, connection, schema
from tests.conftest import as_on_aws, every_engine
from tests.table.test_create_table import describe_table, shape


@pytest.fixture(autouse=True)
def other_name(table: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A name of which no log table exists. Tables that the test creates are deleted."""
    name = f"test-{new_id()}"
    monkeypatch.setattr(settings, "DYNAMODB_TABLE", name)
    monkeypatch.setattr(due, "_complete", set())
    yield name
    for each in connection.client().list_tables().get("TableNames", ()):
        if each.startswith(name):
            connection.client().delete_table(TableName=each)


@every_engine
def test_this_and_the_next_month_have_tables_from_the_first_run_on(table: str, other_name: str) -> None:
    with frozen(datetime(2026, 12, 31, 23, 59, tzinfo=UTC)):
        text = due.create_log_tables() or ""
        assert due.create_log_tables() is None
        due._complete.clear()
        report = due.create_log_tables() or ""
    names = [f"{other_name}-activity-2026-12", f"{other_name}-activity-2027-01"]
    assert text == "; ".join(f"table {name}: created" for name in names)
    assert "created" not in report
    expected: Any = schema.definition("any", schema.ACTIVITY_INDEXES)
    assert [shape(describe_table(name)) for name in names] == [shape(expected)] * 2


@as_on_aws
def test_on_aws_they_have_expiry_and_recovery(table: str, other_name: str) -> None:
    due.create_log_tables()
    name = schema.log_table_names(datetime.now(UTC))[0]
    client = connection.client()
    ttl = client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    backups = client.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
    assert (ttl["TimeToLiveStatus"], ttl["AttributeName"]) == ("ENABLED", "ttl")
    assert backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "ENABLED"
    assert describe_table(name)["SSEDescription"]["Status"] == "ENABLED"


def test_a_table_that_was_left_incomplete_is_completed(other_name: str) -> None:
    name = schema.log_table_names(datetime.now(UTC))[0]
    definition: Any = schema.definition(name, schema.ACTIVITY_INDEXES)
    del definition["StreamSpecification"]
    connection.client().create_table(**definition)
    assert "stream: enabled" in admin.create_log_table(name)
    assert admin.create_log_table(name) == []


def test_the_names_follow_the_setting(other_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "ACTIVITY_TABLE", "EsenciaFest-ActivityLogs-{month}")
    assert schema.activity_table("any", "2025-08") == "EsenciaFest-ActivityLogs-2025-08"


def test_nothing_is_counted_in_a_month_without_a_table(other_name: str) -> None:
    admin.create_table()
    at = datetime(2025, 8, 1, tzinfo=UTC)
    event = Event(id="e1", user="ana@empresa.test", at=at, action="sign_in", country="Chile")
    (result,) = log([event], moment=at)
    assert result.status == LogStatus.UNAVAILABLE
    assert hour_counts(at, at + timedelta(hours=1))[0].events == 0


def test_without_the_right_to_create_it_a_missing_table_is_reported_in_time(
    other_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(name: str) -> list[str]:
        if name.endswith("2026-11"):
            return []
        raise ClientError({"Error": {"Code": "AccessDeniedException"}}, "CreateTable")

    monkeypatch.setattr(due, "create_log_table", refuse)
    with frozen(datetime(2026, 11, 20, tzinfo=UTC)):
        assert due.create_log_tables() is None
    with frozen(datetime(2026, 11, 25, tzinfo=UTC)), pytest.raises(RuntimeError, match="2026-12 is missing"):
        due.create_log_tables()
