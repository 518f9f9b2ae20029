"""The tables of the template."""

from __future__ import annotations

from dashboard.platform.transfer.cloudformation.parts import Template
from dashboard.table import schema


def dynamodb_table(name: Template, indexes: tuple[schema.Index, ...]) -> Template:
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


def _definition(indexes: tuple[schema.Index, ...]) -> Template:
    """The definition in CloudFormation's form: a stream is enabled by its view alone."""
    definition: Template = schema.definition("", indexes)
    stream = definition.pop("StreamSpecification", None)
    return definition | ({"StreamSpecification": {"StreamViewType": stream["StreamViewType"]}} if stream else {})
