"""A CloudFormation template of the tables and their policies, generated from the schema."""

from __future__ import annotations

from typing import Any

from dashboard.table import schema

Template = dict[str, Any]

# A transaction needs the permissions of its single operations.
APP_ON_TABLE = ("BatchGetItem", "ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem")
# The settings of the table, for `doctor` and its page.
APP_ON_TABLE += ("DescribeContinuousBackups", "DescribeTable", "DescribeTimeToLive")
APP_ON_INDEXES = ("Query",)
# import_items, export_items and reindex. Only these may read the whole table.
DATA_ON_TABLE = ("BatchWriteItem", "DescribeTable", "GetItem", "PutItem", "Scan", "UpdateItem")


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
        },
        "Conditions": {"HasActivity": {"Fn::Not": [{"Fn::Equals": [{"Ref": "ActivityMonth"}, ""]}]}},
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
        },
        "Outputs": {
            "TableName": {"Value": {"Ref": "Table"}},
            "TableArn": {"Value": main},
            "AppPolicyArn": {"Value": {"Ref": "AppPolicy"}},
            "DataPolicyArn": {"Value": {"Ref": "DataPolicy"}},
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
            **schema.definition("", indexes),
            "TableName": name,
            "TimeToLiveSpecification": {"AttributeName": schema.TTL, "Enabled": True},
            "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True},
            "SSESpecification": {"SSEEnabled": True},
        },
    }


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
