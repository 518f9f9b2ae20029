"""Adds items that nobody edits, such as events of a log, and counts them in the same transaction.

There is no record of a command: the new items are the record. A repeated call finds them and counts nothing twice.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from pynamodb.exceptions import VerboseClientError

from dashboard.core.errors import Unavailable
from dashboard.table import schema
from dashboard.table.connection import client, table
from dashboard.table.items import Raw, key_of
from dashboard.table.keypattern import Key
from dashboard.table.retries import BROKEN, RETRYABLE, Backoff, code_of, table_errors
from dashboard.table.transactions import MAX_STEPS

_CONDITION_FAILED = "ConditionalCheckFailed"
_TOO_LARGE = "ValidationError"
MAX_LOST_REPLIES = 2
# The limit of DynamoDB.
_BATCH = 25


class CounterTooLarge(Exception):
    """A counter would exceed the size of an item. Nothing was written."""


@dataclass(frozen=True)
class NewItem:
    """An item to add to a table, as DynamoDB stores it."""

    table: str
    raw: Raw

    @property
    def key(self) -> Key:
        return key_of(self.raw)

    def step(self) -> dict[str, Any]:
        return {
            "Put": {
                "TableName": self.table,
                "Item": self.raw,
                "ConditionExpression": f"attribute_not_exists({schema.PK})",
            }
        }


@dataclass(frozen=True)
class CounterChange:
    """What to add to an item of the main table: numbers, and members of sets. A missing item is created."""

    key: Key
    numbers: Mapping[str, int]
    members: Mapping[str, frozenset[str]]
    ttl: int

    def step(self) -> dict[str, Any]:
        values = self._values()
        expiry, *additions = (f"#{number} :{number}" for number in range(len(values)))
        body = {
            "TableName": settings.DYNAMODB_TABLE,
            "Key": {schema.PK: {"S": self.key.pk}, schema.SK: {"S": self.key.sk}},
            "UpdateExpression": f"SET {expiry.replace(' ', ' = ')} ADD {', '.join(additions)}",
            "ExpressionAttributeNames": {f"#{number}": name for number, name in enumerate(values)},
            "ExpressionAttributeValues": {f":{number}": value for number, value in enumerate(values.values())},
        }
        return {"Update": body}

    def raw(self) -> Raw:
        """The item with nothing but what this counter adds."""
        return {schema.PK: {"S": self.key.pk}, schema.SK: {"S": self.key.sk}, **self._values()}

    def _values(self) -> Raw:
        values: Raw = {schema.TTL: {"N": str(self.ttl)}}
        values |= {name: {"N": str(number)} for name, number in self.numbers.items()}
        return values | {name: {"SS": sorted(members)} for name, members in self.members.items()}


def put_all(items: Sequence[NewItem], counters: Sequence[CounterChange]) -> None:
    """Write items and whole counters in batches, whatever is there: for demo data, which nobody else writes."""
    requests = [(each.table, each.raw) for each in items]
    requests += [(settings.DYNAMODB_TABLE, each.raw()) for each in counters]
    for start in range(0, len(requests), _BATCH):
        by_table: dict[str, list[dict[str, Any]]] = {}
        for table_name, raw in requests[start : start + _BATCH]:
            by_table.setdefault(table_name, []).append({"PutRequest": {"Item": raw}})
        backoff = Backoff(tries=12)
        while by_table:
            with table_errors():
                by_table = client().batch_write_item(RequestItems=by_table).get("UnprocessedItems") or {}
            if by_table and not backoff.wait():
                raise Unavailable


def append(items: Sequence[NewItem], counters: Sequence[CounterChange]) -> frozenset[Key]:
    """Add all items and count them, or nothing. Returns the keys that exist already; nothing is written then."""
    steps = [each.step() for each in (*items, *counters)]
    if len(steps) > MAX_STEPS:
        raise RuntimeError(f"{len(steps)} steps in one transaction, {MAX_STEPS} at the most.")
    backoff, lost_replies, token = Backoff(tries=12), 0, secrets.token_hex(16)
    while True:
        try:
            table().connection.dispatch("TransactWriteItems", {"TransactItems": steps, "ClientRequestToken": token})
            return frozenset()
        except (ClientError, BotoCoreError) as error:
            code = code_of(error)
            if code == "TransactionCanceledException":
                existing = _existing(items, error)
                if existing:
                    return existing
                token = secrets.token_hex(16)  # The next attempt is a new transaction.
            elif code is None or code in BROKEN:
                # There was no reply. The same token prevents a second write; without it the items that exist do.
                lost_replies += 1
                if lost_replies > MAX_LOST_REPLIES:
                    raise Unavailable from error
            elif code not in RETRYABLE:
                with table_errors():
                    raise
            if not backoff.wait():
                raise Unavailable from error


def _existing(items: Sequence[NewItem], error: ClientError | BotoCoreError) -> frozenset[Key]:
    """The keys of the items that exist. Raises the error unless trying again can help."""
    assert isinstance(error, VerboseClientError)
    codes = [reason.code if reason is not None else None for reason in error.cancellation_reasons]
    existing = frozenset(item.key for item, code in zip(items, codes, strict=False) if code == _CONDITION_FAILED)
    if existing:
        return existing
    if _TOO_LARGE in codes[len(items) :]:
        raise CounterTooLarge from error
    if not RETRYABLE.intersection(codes):
        raise error
    return existing
