"""Parts that the resources of the template share."""

from __future__ import annotations

from typing import Any

Template = dict[str, Any]
Grant = tuple[tuple[str, ...], list[Any]]


def table_arn(table: str) -> str:
    return f"arn:${{AWS::Partition}}:dynamodb:${{AWS::Region}}:${{AWS::AccountId}}:table/{table}"


def parameter(about: str, default: str, pattern: str) -> Template:
    return {"Type": "String", "Description": about, "Default": default, "AllowedPattern": pattern}


def policy(about: str, *grants: Grant, service: str = "dynamodb") -> Template:
    """A policy that people attach to the role of a process."""
    return managed_policy(about, [statement(service, actions, resources) for actions, resources in grants])


def managed_policy(about: str, statements: list[Template]) -> Template:
    return {
        "Type": "AWS::IAM::ManagedPolicy",
        "Properties": {
            "Description": about,
            "PolicyDocument": {"Version": "2012-10-17", "Statement": statements},
        },
    }


def statement(service: str, actions: tuple[str, ...], resources: list[Any]) -> Template:
    return {"Effect": "Allow", "Action": [f"{service}:{action}" for action in actions], "Resource": resources}


def event_source_mapping(stream: Any, function: str, batch: int, **properties: Any) -> Template:
    """Calls a function with the records of a stream. A failed record is repeated with those after it only."""
    return {
        "Type": "AWS::Lambda::EventSourceMapping",
        "Properties": {
            "EventSourceArn": stream,
            "FunctionName": {"Ref": function},
            "StartingPosition": "TRIM_HORIZON",
            "BatchSize": batch,
            "FunctionResponseTypes": ["ReportBatchItemFailures"],
            **properties,
        },
    }
