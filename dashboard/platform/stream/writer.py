"""Applies the writes of one repair: all of them, or none if anything that they were computed from has changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings

from dashboard.core.clock import now
from dashboard.core.errors import Unavailable
from dashboard.core.names import printable_value
from dashboard.platform.stream.changes import AttributeValue, Values, Write
from dashboard.table import oplog, schema
from dashboard.table.attributes import to_attribute
from dashboard.table.connection import client
from dashboard.table.retries import ABSENT, BROKEN, RETRYABLE, Backoff, code_of

_CONDITION_FAILED = {"ConditionalCheckFailed", "ConditionalCheckFailedException"}
# The name of these calls in the op log.
REPAIR = f"{__name__}.apply"
_CALLS = {"Update": "update_item", "Put": "put_item", "Delete": "delete_item"}


class WriteRefused(Exception):
    """The table refuses the write, for example because the item would exceed 400 KB."""


def apply(writes: list[Write], table: str = "", backoff: Backoff | None = None) -> bool:
    """Apply the writes in one call. False if a condition failed and nothing was written."""
    steps = [_step(write, table or settings.DYNAMODB_TABLE) for write in writes]
    backoff = backoff or Backoff(tries=10)
    while True:
        try:
            with oplog.attributed_to(REPAIR):
                _send(steps)
            return True
        except (ClientError, BotoCoreError) as error:
            codes = _codes(error)
            if codes & _CONDITION_FAILED:
                return False
            if not codes or codes & (RETRYABLE | BROKEN | ABSENT):
                if codes & ABSENT or not backoff.wait():
                    raise Unavailable from error
            elif isinstance(error, ClientError):
                message = printable_value(error.response["Error"].get("Message"))
                raise WriteRefused(f"the table refuses it: {message}") from error


def _send(steps: list[tuple[str, dict[str, Any]]]) -> None:
    if len(steps) == 1 and steps[0][0] in _CALLS:
        verb, body = steps[0]
        getattr(client(), _CALLS[verb])(**body)
    else:
        client().transact_write_items(TransactItems=[{verb: body} for verb, body in steps])


def _codes(error: ClientError | BotoCoreError) -> set[str]:
    """The error's codes; for a cancelled transaction, those of its steps. Empty if there was no answer."""
    if isinstance(error, ClientError) and "CancellationReasons" in error.response:
        return {str(reason.get("Code")) for reason in error.response["CancellationReasons"]} - {"None"}
    code = code_of(error)
    return set() if code is None else {code}


def _step(write: Write, table_name: str) -> tuple[str, dict[str, Any]]:
    """The step of a transaction, which is also the body of a single call."""
    key = {schema.PK: {"S": write.key.pk}, schema.SK: {"S": write.key.sk}}
    table = {"TableName": table_name}
    if write.creates:
        return "Put", table | _new_item(key, write.values)
    builder = _ExpressionBuilder()
    body: dict[str, Any] = {**table, "Key": key}
    if write.expected or not write.added:
        body["ConditionExpression"] = builder.condition(write.expected)
    if write.values or write.added:
        body["UpdateExpression"] = builder.update(write.values, write.added)
    body["ExpressionAttributeNames"] = builder.names
    if builder.values:
        body["ExpressionAttributeValues"] = builder.values
    return "Delete" if write.deletes else "Update" if write.values or write.added else "ConditionCheck", body


def _new_item(key: dict[str, AttributeValue], values: Values) -> dict[str, Any]:
    """A Put at a free key, or at the key of an expired item that DynamoDB has not deleted yet."""
    return {
        "Item": key | {name: value for name, value in values.items() if value is not None},
        "ConditionExpression": "attribute_not_exists(#pk) OR #ttl <= :now",
        "ExpressionAttributeNames": {"#pk": schema.PK, "#ttl": schema.TTL},
        "ExpressionAttributeValues": {":now": {"N": str(int(now().timestamp()))}},
    }


class _ExpressionBuilder:
    """Builds expressions, and collects the placeholders for their names and values."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, AttributeValue] = {}

    def condition(self, expected: Values) -> str:
        if expected.get(schema.PK, "present") is None:
            return f"attribute_not_exists({self._name(schema.PK)})"
        conditions = [f"attribute_exists({self._name(schema.PK)})"]
        for name, value in expected.items():
            if name in (schema.PK, schema.SK):
                continue
            placeholder = self._name(name)
            conditions.append(
                f"attribute_not_exists({placeholder})" if value is None else f"{placeholder} = {self._value(value)}"
            )
        return " AND ".join(conditions)

    def update(self, values: Values, added: Mapping[str, int | float]) -> str:
        setting = [f"{self._name(name)} = {self._value(value)}" for name, value in values.items() if value is not None]
        removing = [self._name(name) for name, value in values.items() if value is None]
        adding = [f"{self._name(name)} {self._value(to_attribute(number))}" for name, number in added.items()]
        parts = [
            ("SET " + ", ".join(setting)) if setting else "",
            ("REMOVE " + ", ".join(removing)) if removing else "",
            ("ADD " + ", ".join(adding)) if adding else "",
        ]
        return " ".join(part for part in parts if part)

    def _name(self, name: str) -> str:
        for placeholder, known in self.names.items():
            if known == name:
                return placeholder
        placeholder = f"#n{len(self.names)}"
        self.names[placeholder] = name
        return placeholder

    def _value(self, value: AttributeValue) -> str:
        placeholder = f":v{len(self.values)}"
        self.values[placeholder] = value
        return placeholder
