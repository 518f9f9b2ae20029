"""`manage.py doctor`: what is wrong with the table, what people notice of it, and what to do."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from dashboard.core.clock import now
from dashboard.platform.stream.items import StreamShard, StreamTotals
from dashboard.table import admin, connection, keys, schema, write
from tests.conftest import as_on_aws, every_engine
from tests.faults import bad_network, lose_reply
from tests.table import foreign_tables
from tests.table.foreign_tables import table_in_use
from tests.table.notes import on_dynoxide
from tests.table.test_differences import describe_all
from tests.table_health import outside_items as outside


def run_doctor(*, as_json: bool = False) -> tuple[int, str]:
    """The exit code and the output."""
    out = io.StringIO()
    try:
        call_command("doctor", json=as_json, stdout=out)
    except SystemExit as exit:
        return int(str(exit.code)), out.getvalue()
    return 0, out.getvalue()


def doctor() -> tuple[int, dict[str, Any]]:
    code, out = run_doctor(as_json=True)
    found: dict[str, Any] = json.loads(out)
    return code, found


def codes(report: dict[str, Any]) -> list[str]:
    return [finding["code"] for finding in report["findings"]]


@contextmanager
def complete_table() -> Iterator[str]:
    """A table as `create_table` makes it, with a follower that has processed everything."""
    with table_in_use(schema.definition) as name:
        admin.create_table()
        shard = StreamShard.new(table=name, shard="shardId-1")
        shard.caught_up_at = now()
        write.put(shard)
        yield name


@every_engine
def test_a_complete_table_needs_nothing(table: str) -> None:
    with complete_table() as name:
        code, report = doctor()
        assert (code, codes(report)) == (0, ["never_counted"])
        assert report["table"] == name
        engines = {"moto": "Amazon DynamoDB", "dynoxide": "Dynoxide", "dynamodb_local": "DynamoDB Local"}
        assert report["engine"].startswith(engines[table])
        settings_by_label = {each["label"]: each["value"] for each in report["settings"]}
        assert settings_by_label["Key schema"] == "PK (hash), SK (range)"
        assert settings_by_label["Expiry (TTL)"] == "by ttl"
        assert settings_by_label["Stream"] == "NEW_AND_OLD_IMAGES"
        assert settings_by_label["Follower"] == "Up to date"
        recovery = "On" if table == "moto" else "Not supported by this engine"
        assert settings_by_label["Point-in-time recovery"] == recovery
        assert [index["name"] for index in report["indexes"]] == list(schema.BY_NAME)
        assert {index["state"] for index in report["indexes"]} == {"Correct"}

        code, text = run_doctor()
        assert code == 0 and text.rstrip().endswith("Nothing to do.")


@every_engine
@pytest.mark.parametrize(
    ("define", "expiry", "code", "title"),
    [
        (
            foreign_tables.hash_only_index,
            "",
            "index_keys",
            "The index GSI1 has the keys GSI1PK (hash) only, expected GSI1PK (hash), GSI1SK (range)",
        ),
        (
            foreign_tables.keyed_by_tenant,
            "",
            "table_keys",
            "The table has the keys tenantId (hash) only, expected PK (hash), SK (range)",
        ),
        (schema.definition, "timeToArchive", "expiry_attribute", "Items expire by timeToArchive, expected ttl"),
        (
            foreign_tables.site_indexes,
            "",
            "index_projection",
            "The index GSI_Domain projects ALL, expected KEYS_ONLY",
        ),
    ],
)
def test_each_difference_is_named_with_its_effect_and_nothing_is_changed(
    table: str, define: Callable[[str], dict[str, Any]], expiry: str, code: str, title: str
) -> None:
    with table_in_use(define, expiry) as name:
        before = describe_all(name)
        exit_code, report = doctor()
        assert exit_code == 1
        (finding,) = [each for each in report["findings"] if each["code"] == code]
        level = "warn" if code == "expiry_attribute" else "bad"
        assert (finding["title"], finding["level"]) == (title, level)
        assert finding["effect"] and finding["action"] and finding["command"]
        assert run_doctor()[0] == 1
        assert describe_all(name) == before


def test_every_finding_says_its_effect_and_what_to_do(table: str, tmp_path: Any) -> None:
    outside.put_all()
    call_command("reindex", table=settings.DYNAMODB_TABLE, checkpoint=tmp_path / "c", stdout=io.StringIO())
    code, report = doctor()
    assert code == 1
    assert {"malformed_key", "mistyped", "invalid_part", "unknown_file", "unknown_kinds"} <= set(codes(report))
    for finding in report["findings"]:
        assert finding["effect"] and finding["action"], finding["code"]
        assert finding["command"] or finding["route"] or finding["level"] == "info", finding["code"]
    kinds = {each["kind"]: (each["items"], each["known"]) for each in report["kinds"]}
    assert kinds["service"] == (3, True) and kinds["TENANT / POLL"] == (1, False)
    text = run_doctor()[1]
    assert "BUS#andina / THEME#first" in text and "TENANT / POLL: 1; 0 (unknown)" in text


def test_a_missing_table_is_something_to_do(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(settings, "DYNAMODB_TABLE", "no-such-table")
        code, report = doctor()
    assert (code, codes(report)) == (1, ["table_missing"])
    assert report["findings"][0]["command"] == "manage.py create_table"


@on_dynoxide
def test_a_table_that_does_not_answer_is_reported_with_its_own_exit_code(table: str) -> None:
    with bad_network() as network:
        network.add_random_fault(1, lose_reply)
        assert run_doctor()[0] == 2
    connection.client().circuit_breaker.reset()
    with bad_network() as network:
        network.add_random_fault(1, lose_reply)
        code, out = run_doctor(as_json=True)
    assert code == 2 and set(json.loads(out)) == {"error"}


@as_on_aws
def test_recovery_and_expiry_that_are_off_are_reported(table: str) -> None:
    with table_in_use(schema.definition):
        found = codes(doctor()[1])
        assert {"recovery_off", "expiry_off"} <= set(found)
        admin.create_table()
        assert not {"recovery_off", "expiry_off", "stream_off"} & set(codes(doctor()[1]))


def test_a_table_without_a_stream_or_a_follower_is_reported(table: str) -> None:
    without_stream = {key: value for key, value in schema.definition("x").items() if key != "StreamSpecification"}
    with table_in_use(lambda name: without_stream | {"TableName": name}):
        assert "stream_off" in codes(doctor()[1])
        admin.create_table()
        assert "follower_never_ran" in codes(doctor()[1])


def test_a_follower_that_is_late_or_has_failed_is_reported(table: str) -> None:
    with complete_table() as name:
        shard = StreamShard.new(table=name, shard="shardId-2")
        shard.lag_seconds, shard.failed = 400, 2
        shard.failures = [{"kind": "post", "pk": "POST#1", "sk": "POST#1", "reason": "too large", "at": "2026"}]
        write.put(shard)
        code, report = doctor()
        assert code == 1 and {"follower_late", "not_repaired"} <= set(codes(report))
        (failed,) = [each for each in report["findings"] if each["code"] == "not_repaired"]
        assert failed["examples"] == [{"pk": "POST#1", "sk": "POST#1", "detail": "too large"}]


def test_the_counts_of_the_follower_are_reported_before_any_reindex(table: str) -> None:
    with complete_table() as name:
        totals = StreamTotals.new(table=name)
        totals.records, totals.repairs, totals.kinds = 9, 4, {"post": 7, "TENANT / POLL": 2}
        write.put(totals)
        report = doctor()[1]
        assert {each["kind"]: each["by_follower"] for each in report["kinds"]} == {"post": 7, "TENANT / POLL": 2}
        assert (report["follower"]["records"], report["follower"]["repairs"]) == (9, 4)
        assert report["follower"]["lag_seconds"] < 60
        assert "post: 0; 7" in run_doctor()[1]


def test_a_lambda_function_counts_as_a_follower(table: str) -> None:
    with complete_table() as name:
        # Of a command that a function has replaced.
        shard = StreamShard.new(table=name, shard="shardId-1")
        shard.caught_up_at = now() - timedelta(days=3)
        totals = StreamTotals.new(table=name)
        totals.batch_at, totals.batch_lag = now() - timedelta(minutes=5), 2
        write.put(shard)
        write.put(totals)
        code, report = doctor()
        assert (code, codes(report)) == (0, ["never_counted"])
        values = {each["label"]: each["value"] for each in report["settings"]}
        assert values["Follower"] == "Lambda function, last batch 5 min ago"

        totals.batch_lag = 400
        write.put(totals)
        (finding,) = [each for each in doctor()[1]["findings"] if each["code"] == "follower_late"]
        assert finding["command"].startswith("aws lambda list-event-source-mappings --event-source-arn arn:")

        totals.batch_at = now() - timedelta(hours=30)
        write.put(totals)
        titles = {each["code"]: each["title"] for each in doctor()[1]["findings"]}
        assert titles["function_silent"] == "The Lambda function has processed nothing for 30 h"


def test_ids_that_are_not_known_are_counted(table: str) -> None:
    outside.put_all(
        outside.attributes(PK="SYSTEM", SK="FOUND#Pan_Caliente"),
        outside.attributes(PK="SYSTEM", SK="OUTSIDEOWNER#u1"),
        outside.attributes(PK="SYSTEM", SK="OUTSIDEOWNER#u2", email="ana@example.com"),
    )
    titles = {each["code"]: each["title"] for each in doctor()[1]["findings"]}
    assert titles["unknown_businesses"] == "1 business is not known here"
    assert titles["unknown_owners"] == "1 owner is not known here", "the other one is linked to a person"
    assert keys.UNKNOWN_BUSINESS.collection().pk == "SYSTEM"


@on_dynoxide
def test_settings_that_may_not_be_read_are_reported(table: str) -> None:
    from tests.faults import build_reply

    def deny(send: Any, request: Any) -> Any:
        body = {"__type": "com.amazonaws.dynamodb#AccessDeniedException", "message": "no"}
        return build_reply(request, 400, json.dumps(body).encode())

    with bad_network() as network:
        for operation in ("DescribeTable", "DescribeTimeToLive", "DescribeContinuousBackups"):
            network.next(operation, deny)
        code, report = doctor()
    assert code == 1 and "not_allowed" in codes(report)
