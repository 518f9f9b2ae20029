"""A CloudFormation template of the tables and their policies, generated from the schema."""

from __future__ import annotations

from typing import Any

from dashboard.table import schema

Template = dict[str, Any]

# A transaction needs the permissions of its single operations.
_ITEMS = ("BatchGetItem", "ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem")
# With the settings of the table, for `doctor` and its page.
APP_ON_TABLE = tuple(sorted([*_ITEMS, "DescribeContinuousBackups", "DescribeTable", "DescribeTimeToLive"]))
APP_ON_INDEXES = ("Query",)
# import_items, export_items and reindex. Only these may read the whole table.
DATA_ON_TABLE = ("BatchWriteItem", "DescribeTable", "GetItem", "PutItem", "Scan", "UpdateItem")

# The stream follower, as a command or as a Lambda function: it reads the stream, and reads and repairs items.
FOLLOWER_ON_STREAM = ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams")
FOLLOWER_ON_TABLE = tuple(sorted([*_ITEMS, "DescribeTable"]))
# run_due, where it creates the tables with the activity of the next month.
DUE_ON_ACTIVITY = (
    *("CreateTable", "DescribeContinuousBackups", "DescribeTable", "DescribeTimeToLive"),
    *("UpdateContinuousBackups", "UpdateTable", "UpdateTimeToLive"),
)


def template() -> Template:
    """The stack: the table, an activity table if a month is given, and the policies of the app and of the commands."""
    main = {"Fn::GetAtt": ["Table", "Arn"]}
    activity = {"Fn::Sub": _arn(schema.activity_table("${TableName}", "*"))}
    indexes = [
        {"Fn::Sub": "${Table.Arn}/index/*"},
        {"Fn::Sub": _arn(schema.activity_table("${TableName}", "*/index/*"))},
    ]
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": "Trastienda: its table, and who may do what to it. Made by manage.py cloudformation.",
        "Parameters": {
            "TableName": _parameter("The table's name: DYNAMODB_TABLE.", "trastienda", r"[a-zA-Z0-9_.-]{3,200}"),
            "ActivityMonth": _parameter(
                "The month to have a table of activity for, such as 2025-08; earlier ones stay. Empty: none.",
                "",
                r"(\d{4}-(0[1-9]|1[0-2]))?",
            ),
            "FollowerFunctionArn": _parameter(
                "The Lambda function that follows the stream (docs/stream.md). Empty: manage.py follow_stream does.",
                "",
                r"(arn:.+)?",
            ),
        },
        "Conditions": {
            "HasActivity": {"Fn::Not": [{"Fn::Equals": [{"Ref": "ActivityMonth"}, ""]}]},
            "HasFollowerFunction": {"Fn::Not": [{"Fn::Equals": [{"Ref": "FollowerFunctionArn"}, ""]}]},
        },
        "Resources": {
            "Table": _table({"Ref": "TableName"}, schema.INDEXES),
            "ActivityTable": {
                "Condition": "HasActivity",
                **_table(
                    {"Fn::Sub": schema.activity_table("${TableName}", "${ActivityMonth}")}, schema.ACTIVITY_INDEXES
                ),
            },
            "AppPolicy": _policy(
                "What Trastienda does while it serves: no scan, no change of a table.",
                (APP_ON_TABLE, [main, activity]),
                (APP_ON_INDEXES, indexes),
            ),
            "DataPolicy": _policy(
                "What import_items, export_items and reindex do. For the people who run them, not for the app.",
                (DATA_ON_TABLE, [main, activity]),
            ),
            "FollowerPolicy": _policy(
                "What the stream follower does, as manage.py follow_stream or as a Lambda function.",
                (FOLLOWER_ON_STREAM, [{"Fn::Sub": "${Table.Arn}/stream/*"}]),
                (FOLLOWER_ON_TABLE, [main, activity]),
                (APP_ON_INDEXES, [{"Fn::Sub": "${Table.Arn}/index/*"}]),
            ),
            "ActivityTablesPolicy": _policy(
                "What run_due does to create the activity table of the next month, unless the stack creates it.",
                (DUE_ON_ACTIVITY, [activity]),
            ),
            "FollowerMapping": {"Condition": "HasFollowerFunction", **_event_source_mapping()},
        },
        "Outputs": {
            "TableName": {"Value": {"Ref": "Table"}},
            "TableArn": {"Value": main},
            "AppPolicyArn": {"Value": {"Ref": "AppPolicy"}},
            "DataPolicyArn": {"Value": {"Ref": "DataPolicy"}},
            "FollowerPolicyArn": {"Value": {"Ref": "FollowerPolicy"}},
            "ActivityTablesPolicyArn": {"Value": {"Ref": "ActivityTablesPolicy"}},
            "StreamArn": {"Value": {"Fn::GetAtt": ["Table", "StreamArn"]}},
        },
    }


def _arn(table: str) -> str:
    return f"arn:${{AWS::Partition}}:dynamodb:${{AWS::Region}}:${{AWS::AccountId}}:table/{table}"


def _parameter(about: str, default: str, pattern: str) -> Template:
    return {"Type": "String", "Description": about, "Default": default, "AllowedPattern": pattern}


def _table(name: Template, indexes: tuple[schema.Index, ...]) -> Template:
    """A table as `create_table` creates it. It is retained when the stack is deleted or the table is replaced."""
    return {
        "Type": "AWS::DynamoDB::Table",
        "DeletionPolicy": "Retain",
        "UpdateReplacePolicy": "Retain",
        "Properties": {
            **_definition(indexes),
            "TableName": name,
            "TimeToLiveSpecification": {"AttributeName": schema.TTL, "Enabled": True},
            "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
            "SSESpecification": {"SSEEnabled": True},
        },
    }


def _event_source_mapping() -> Template:
    """Calls the function with the records of the stream. A failed record is repeated with those after it only."""
    return {
        "Type": "AWS::Lambda::EventSourceMapping",
        "Properties": {
            "EventSourceArn": {"Fn::GetAtt": ["Table", "StreamArn"]},
            "FunctionName": {"Ref": "FollowerFunctionArn"},
            "StartingPosition": "TRIM_HORIZON",
            "BatchSize": 100,
            "FunctionResponseTypes": ["ReportBatchItemFailures"],
        },
    }


def _definition(indexes: tuple[schema.Index, ...]) -> Template:
    """The definition in CloudFormation's form: a stream is enabled by its view alone."""
    definition: Template = schema.definition("", indexes)
    stream = definition.pop("StreamSpecification", None)
    return definition | ({"StreamSpecification": {"StreamViewType": stream["StreamViewType"]}} if stream else {})


def _policy(about: str, *grants: tuple[tuple[str, ...], list[Template]]) -> Template:
    statements = [
        {"Effect": "Allow", "Action": [f"dynamodb:{action}" for action in actions], "Resource": resources}
        for actions, resources in grants
    ]
    return {
        "Type": "AWS::IAM::ManagedPolicy",
        "Properties": {
            "Description": about,
            "PolicyDocument": {"Version": "2012-10-17", "Statement": statements},
        },
    }
