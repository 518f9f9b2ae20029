"""Records of the stream of a log table as rows of an incoming file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from activity.archive.pseudonyms import archived_names
from activity.archive.schema import Row, row_of
from activity.items import event_of
from dashboard.platform.stream.records import Record, created_at, sequence_number
from dashboard.table import schema
from dashboard.table.items import Raw

# DynamoDB itself deletes expired items in this name.
_EXPIRY = "dynamodb.amazonaws.com"
# The digits of the longest sequence number: with leading zeros, texts have the order of the numbers.
_POSITION_DIGITS = 40


class NotAnEvent(Exception):
    """The item has no shape of an event."""


def rows_of_record(record: Record) -> Iterator[Row]:
    """The rows of a change: the event as it is now, or that it was deleted. None if it has only expired.

    Raises NotAnEvent for an item that cannot be read.
    """
    if is_expiry(record):
        return
    body = record["dynamodb"]
    old, new = body.get("OldImage"), body.get("NewImage")
    event = event_of(new or old or {})
    if event is None:
        raise NotAnEvent("it has no shape of an event")
    position = position_of(sequence_number(record))
    if new is not None:
        before, row = event_of(old) if old else None, row_of(event)
        if before is None or row_of(before) != row:  # A change of what the archive does not have is none.
            yield (*row, position, False)
    else:
        for name in archived_names(event.user):
            yield (*row_of(event, name), position, True)


def is_expiry(record: Record) -> bool:
    """Whether an item was deleted because it was older than the log tables keep events. The archive keeps it.

    Somebody who deletes an expired item has only been faster than DynamoDB.
    """
    if record.get("eventName") != "REMOVE":
        return False
    identity = record.get("userIdentity") or {}
    if _EXPIRY in (identity.get("principalId"), identity.get("PrincipalId")):
        return True
    expires = _number(record["dynamodb"].get("OldImage") or {})
    return expires is not None and expires <= created_at(record)


def position_of(sequence: str) -> str:
    return sequence.rjust(_POSITION_DIGITS, "0")


def _number(raw: Raw) -> float | None:
    with suppress(KeyError, ValueError):
        return float(raw[schema.TTL]["N"])
    return None
