"""The CloudFormation template: valid, the same table as `create_table`, and only rights that the code uses."""

from __future__ import annotations

import ast
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from cfnlint import api
from django.core.management import call_command

from activity.archive.schema import COLUMNS, path_of
from dashboard.platform.transfer import cloudformation
from dashboard.table import admin, connection, oplog, schema
from tests.conftest import every_engine
from tests.table.source_trees import modules
from tests.table.test_create_table import describe_table, shape
from tests.table.test_create_table import no_table as no_table
from tests.transfer import sample_items
from tests.transfer.helpers import run, stored_items


@pytest.fixture(scope="module")
def template() -> dict[str, Any]:
    out = io.StringIO()
    call_command("cloudformation", stdout=out)
    parsed: dict[str, Any] = json.loads(out.getvalue())
    return parsed


def properties(template: dict[str, Any], resource: str = "Table") -> dict[str, Any]:
    found: dict[str, Any] = template["Resources"][resource]["Properties"]
    return found


def actions(template: dict[str, Any], policy: str) -> set[str]:
    statements = properties(template, policy)["PolicyDocument"]["Statement"]
    return {action.removeprefix("dynamodb:") for statement in statements for action in statement["Action"]}


def complaints(template: dict[str, Any]) -> list[str]:
    """Errors and warnings of cfn-lint, without its remarks (`I…`)."""
    return [str(each) for each in api.lint_all(json.dumps(template)) if not each.rule.id.startswith("I")]


def test_cfn_lint_reports_nothing(template: dict[str, Any]) -> None:
    assert complaints(template) == []


def test_cfn_lint_reports_a_broken_template(template: dict[str, Any]) -> None:
    broken = json.loads(json.dumps(template))
    del broken["Resources"]["Table"]["Properties"]["KeySchema"]
    assert complaints(broken) != []


@every_engine
def test_the_template_defines_the_same_table_as_create_table(
    template: dict[str, Any], table: str, no_table: str
) -> None:
    admin.create_table()
    found = describe_table(no_table)
    assert shape(properties(template)) == shape(found)
    assert properties(template)["BillingMode"] == "PAY_PER_REQUEST"
    if table != "moto":  # The others have neither encryption nor recovery to compare.
        return
    assert found["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert (found["SSEDescription"]["Status"], properties(template)["SSESpecification"]["SSEEnabled"]) == (
        "ENABLED",
        True,
    )
    ttl = connection.client().describe_time_to_live(TableName=no_table)["TimeToLiveDescription"]
    assert (ttl["TimeToLiveStatus"], ttl["AttributeName"]) == ("ENABLED", "ttl")
    assert properties(template)["TimeToLiveSpecification"] == {"AttributeName": "ttl", "Enabled": True}
    backups = connection.client().describe_continuous_backups(TableName=no_table)["ContinuousBackupsDescription"]
    assert backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "ENABLED"
    assert properties(template)["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}


def test_the_template_follows_the_schema(template: dict[str, Any]) -> None:
    expected: Any = schema.definition("any")
    assert shape(properties(template)) == shape(expected)
    activity: Any = schema.definition("any", schema.ACTIVITY_INDEXES)
    assert shape(properties(template, "ActivityTable")) == shape(activity)
    assert properties(template, "ActivityTable")["TableName"] == {"Fn::Sub": "${TableName}-activity-${ActivityMonth}"}


def test_a_lambda_function_gets_the_stream_only_if_it_is_named(template: dict[str, Any]) -> None:
    mapping = template["Resources"]["FollowerMapping"]
    assert mapping["Condition"] == "HasFollowerFunction"
    assert mapping["Properties"]["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert mapping["Properties"]["EventSourceArn"] == {"Fn::GetAtt": ["Table", "StreamArn"]}
    assert template["Parameters"]["FollowerFunctionArn"]["Default"] == ""


def test_the_tables_are_kept_when_the_stack_is_deleted(template: dict[str, Any]) -> None:
    tables = [each for each in template["Resources"].values() if each["Type"] == "AWS::DynamoDB::Table"]
    assert len(tables) == 2
    assert {(each["DeletionPolicy"], each["UpdateReplacePolicy"]) for each in tables} == {("Retain", "Retain")}


# --- The archive of activity ---------------------------------------------------------------------
def test_nothing_of_the_archive_is_made_without_a_bucket(template: dict[str, Any]) -> None:
    conditional = {name: each.get("Condition") for name, each in template["Resources"].items() if "Archive" in name}
    assert {*conditional.values()} == {"HasArchive", "HasOddMonthMapping", "HasEvenMonthMapping"}
    assert template["Parameters"]["ArchiveBucketName"]["Default"] == ""


def test_the_bucket_is_private_and_keeps_old_versions(template: dict[str, Any]) -> None:
    bucket = properties(template, "ArchiveBucket")
    assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}
    assert {*bucket["PublicAccessBlockConfiguration"].values()} == {True}
    old, results = bucket["LifecycleConfiguration"]["Rules"]
    assert old["NoncurrentVersionExpiration"] == {"NoncurrentDays": {"Ref": "ArchiveOldVersionDays"}}
    assert "ExpirationInDays" not in old, "no current file is ever removed by a rule"
    assert results["Prefix"] == "results/"
    assert template["Resources"]["ArchiveBucket"]["DeletionPolicy"] == "Retain"


def test_athena_reads_the_columns_and_paths_of_the_archive(template: dict[str, Any]) -> None:
    table = properties(template, "ArchiveGlueTable")["TableInput"]
    kinds = {"timestamp[ms]": "timestamp"}
    expected = [{"Name": each.name, "Type": kinds.get(str(each.type), str(each.type))} for each in COLUMNS]
    assert table["StorageDescriptor"]["Columns"] == expected
    location = table["Parameters"]["storage.location.template"]["Fn::Sub"]
    prefix = location.replace("${ArchiveBucket}", "bucket").replace("${!date}", "2025-08-18")
    assert f"s3://bucket/activity/{path_of(date(2025, 8, 18), 'el salvador')}".startswith(f"{prefix}/")
    assert template["Outputs"]["ArchiveAddress"]["Value"] == {"Fn::Sub": "s3://${ArchiveBucket}/activity"}


def test_the_app_only_reads_the_archive(template: dict[str, Any]) -> None:
    on_files = {
        (action, resource["Fn::Sub"].partition("/")[2])
        for statement in properties(template, "ArchiveReaderPolicy")["PolicyDocument"]["Statement"]
        for action in statement["Action"]
        for resource in statement["Resource"]
        if action in {"s3:PutObject", "s3:DeleteObject"}
    }
    assert on_files == {("s3:PutObject", "results/*")}, "Athena writes results in the name of the app"


# --- Rights --------------------------------------------------------------------------------------
# The right that each call needs. A transaction needs the rights for the items it writes.
BY_METHOD = {
    "get_item": "GetItem",
    "batch_get_item": "BatchGetItem",
    "query": "Query",
    "update_item": "UpdateItem",
    "delete_item": "DeleteItem",
    "put_item": "PutItem",
    "describe_table": "DescribeTable",
    "describe_time_to_live": "DescribeTimeToLive",
    "describe_continuous_backups": "DescribeContinuousBackups",
    "scan": "Scan",
    "batch_write_item": "BatchWriteItem",
}
BY_VERB = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}
NOT_SERVING = ("dashboard/dev", "dashboard/platform/stream", "dashboard/platform/transfer")


def rights_used_by_the_app() -> set[str]:
    """The rights that the code needs which serves requests."""
    found: set[str] = set()
    for at, tree in modules():
        if str(at).startswith(NOT_SERVING) or "management" in at.parts or at.name in {"admin.py", "demo.py"}:
            continue
        called = {n.func.attr for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)}
        found |= {BY_METHOD[name] for name in called & BY_METHOD.keys()}
        if at == Path("dashboard/table/transactions.py"):
            verbs = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
            found |= {BY_VERB[verb] for verb in verbs & BY_VERB.keys()}
    return found


def test_the_app_has_exactly_the_rights_that_it_uses(template: dict[str, Any]) -> None:
    assert actions(template, "AppPolicy") == rights_used_by_the_app()
    assert "Scan" not in actions(template, "AppPolicy")


def test_the_app_may_query_the_indexes(template: dict[str, Any]) -> None:
    on_table, on_indexes = properties(template, "AppPolicy")["PolicyDocument"]["Statement"]
    assert on_indexes["Action"] == ["dynamodb:Query"]
    assert all(each["Fn::Sub"].endswith("/index/*") for each in on_indexes["Resource"])
    assert {"Fn::GetAtt": ["Table", "Arn"]} in on_table["Resource"]
    assert "*" not in on_table["Resource"]


def test_the_commands_have_exactly_the_rights_that_they_use(
    template: dict[str, Any], table: str, tmp_path: Path
) -> None:
    """The calls are recorded while the commands run."""
    called: set[str] = set()
    connection.client().meta.events.register("before-call.dynamodb.*", lambda model, **_: called.add(model.name))
    path = sample_items.write(tmp_path / "items.json", 5)
    run("import_items", path, as_is=True)
    before = set(called)
    run("reindex", checkpoint=tmp_path / "checkpoint")
    run("export_items", tmp_path / "out.json")
    assert len(stored_items()) == 5
    assert before <= called <= actions(template, "DataPolicy")
    # GetItem after a collision: see test_reindex.py.
    assert actions(template, "DataPolicy") - called == {"GetItem"}
    assert oplog.current_pattern.get() == ""


def test_each_right_is_listed_once(template: dict[str, Any]) -> None:
    for names in (cloudformation.APP_ON_TABLE, cloudformation.DATA_ON_TABLE):
        assert list(names) == sorted(set(names))
