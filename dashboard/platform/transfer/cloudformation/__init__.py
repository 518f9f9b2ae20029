"""A CloudFormation template of the tables, of the archive of activity, and of the policies."""

from __future__ import annotations

from dashboard.platform.transfer.cloudformation import archive
from dashboard.platform.transfer.cloudformation.parts import (
    Template,
    event_source_mapping,
    parameter,
    policy,
    table_arn,
)
from dashboard.platform.transfer.cloudformation.tables import dynamodb_table
from dashboard.table import schema

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
    main, stream = {"Fn::GetAtt": ["Table", "Arn"]}, {"Fn::GetAtt": ["Table", "StreamArn"]}
    activity = {"Fn::Sub": table_arn(schema.activity_table("${TableName}", "*"))}
    indexes = [
        {"Fn::Sub": "${Table.Arn}/index/*"},
        {"Fn::Sub": table_arn(schema.activity_table("${TableName}", "*/index/*"))},
    ]
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": "Trastienda: its table, and who may do what to it. Made by manage.py cloudformation.",
        "Parameters": {
            "TableName": parameter("The table's name: DYNAMODB_TABLE.", "trastienda", r"[a-zA-Z0-9_.-]{3,200}"),
            "ActivityMonth": parameter(
                "The month to have a table of activity for, such as 2025-08; earlier ones stay. Empty: none.",
                "",
                r"(\d{4}-(0[1-9]|1[0-2]))?",
            ),
            "FollowerFunctionArn": parameter(
                "The Lambda function that follows the stream (docs/stream.md). Empty: manage.py follow_stream does.",
                "",
                r"(arn:.+)?",
            ),
            **archive.PARAMETERS,
        },
        "Conditions": {
            **archive.CONDITIONS,
            "HasActivity": {"Fn::Not": [{"Fn::Equals": [{"Ref": "ActivityMonth"}, ""]}]},
            "HasFollowerFunction": {"Fn::Not": [{"Fn::Equals": [{"Ref": "FollowerFunctionArn"}, ""]}]},
        },
        "Resources": {
            "Table": dynamodb_table({"Ref": "TableName"}, schema.INDEXES),
            "ActivityTable": {
                "Condition": "HasActivity",
                **dynamodb_table(
                    {"Fn::Sub": schema.activity_table("${TableName}", "${ActivityMonth}")}, schema.ACTIVITY_INDEXES
                ),
            },
            "AppPolicy": policy(
                "What Trastienda does while it serves: no scan, no change of a table.",
                (APP_ON_TABLE, [main, activity]),
                (APP_ON_INDEXES, indexes),
            ),
            "DataPolicy": policy(
                "What import_items, export_items and reindex do. For the people who run them, not for the app.",
                (DATA_ON_TABLE, [main, activity]),
            ),
            "FollowerPolicy": policy(
                "What the stream follower does, as manage.py follow_stream or as a Lambda function.",
                (FOLLOWER_ON_STREAM, [{"Fn::Sub": "${Table.Arn}/stream/*"}]),
                (FOLLOWER_ON_TABLE, [main, activity]),
                (APP_ON_INDEXES, [{"Fn::Sub": "${Table.Arn}/index/*"}]),
            ),
            "ActivityTablesPolicy": policy(
                "What run_due does to create the activity table of the next month, unless the stack creates it.",
                (DUE_ON_ACTIVITY, [activity]),
            ),
            "FollowerMapping": {
                "Condition": "HasFollowerFunction",
                **event_source_mapping(stream, "FollowerFunctionArn", 100),
            },
            **archive.resources(main, activity),
        },
        "Outputs": {
            **archive.OUTPUTS,
            "TableName": {"Value": {"Ref": "Table"}},
            "TableArn": {"Value": main},
            "AppPolicyArn": {"Value": {"Ref": "AppPolicy"}},
            "DataPolicyArn": {"Value": {"Ref": "DataPolicy"}},
            "FollowerPolicyArn": {"Value": {"Ref": "FollowerPolicy"}},
            "ActivityTablesPolicyArn": {"Value": {"Ref": "ActivityTablesPolicy"}},
            "StreamArn": {"Value": stream},
        },
    }
