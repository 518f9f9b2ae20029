"""Queries for the table itself: its settings, its counts, and any item."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from pynamodb.exceptions import PynamoDBException

from dashboard.core.clock import now
from dashboard.core.errors import Unavailable
from dashboard.platform.adoption.queries import outside_owners
from dashboard.platform.stream.queries import combined_state, shard_states, totals
from dashboard.platform.table_health.items import ReindexReport
from dashboard.platform.table_health.state import Answer, Endpoint, Reply, TableState
from dashboard.table import connection, keys, read
from dashboard.table.admin import is_unsupported
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from dashboard.table.registry import access_pattern
from dashboard.table.retries import code_of

T = TypeVar("T")

NEIGHBOURS = 5
# DynamoDB's codes for an item that cannot be read because the table has other keys or does not exist.
_OTHER_TABLE = {"ValidationException", "ResourceNotFoundException"}


def load_state() -> TableState:
    """The settings of the table and its counts, in one round trip. Raises Unavailable if it does not answer."""
    reads: list[Callable[[], Any]] = [
        describe_table,
        describe_expiry,
        describe_recovery,
        lambda: _unless_other_table(last_report),
        lambda: _unless_other_table(shard_states),
        lambda: _unless_other_table(totals),
        lambda: _unless_other_table(count_found),
        lambda: _unless_other_table(outside_owners),
    ]
    table, expiry, recovery, report, shards, finished, businesses, owners = read.gather_all(reads)
    return TableState(
        name=settings.DYNAMODB_TABLE,
        endpoint=_endpoint(table),
        table=table,
        expiry=expiry,
        recovery=recovery,
        at=now(),
        follower=combined_state(shards, finished) if shards is not None and finished is not None else None,
        report=report,
        unknown_businesses=businesses or 0,
        unknown_owners=sum(not owner.email for owner in owners.items) if owners else 0,
    )


@access_pattern("Which keys, indexes and stream does the table have?")
def describe_table() -> Answer:
    return _answer("Table", lambda: connection.client().describe_table(TableName=settings.DYNAMODB_TABLE))


@access_pattern("By which attribute do items expire?")
def describe_expiry() -> Answer:
    client = connection.client()
    return _answer("TimeToLiveDescription", lambda: client.describe_time_to_live(TableName=settings.DYNAMODB_TABLE))


@access_pattern("Is point-in-time recovery on?")
def describe_recovery() -> Answer:
    name, client = "ContinuousBackupsDescription", connection.client()
    return _answer(name, lambda: client.describe_continuous_backups(TableName=settings.DYNAMODB_TABLE))


@access_pattern("What did the last reindex count?", keys.REINDEX_REPORT)
def last_report() -> ReindexReport | None:
    return read.get(ReindexReport, keys.REINDEX_REPORT.key(), consistent=False)


@access_pattern("How many ids in the table are not a business?", keys.FOUND, partition=True)
def count_found() -> int:
    """Up to 100."""
    return read.count(keys.FOUND.collection())


@access_pattern("What is stored at this key?")
def load_raw(key: Key) -> Raw | None:
    return read.raw_item(key)


@access_pattern("Which items of the partition are before this key, nearest first?")
def keys_before(key: Key) -> list[Key]:
    return read.neighbour_keys(key, before=True, limit=NEIGHBOURS)


@access_pattern("Which items of the partition are after this key, nearest first?")
def keys_after(key: Key) -> list[Key]:
    return read.neighbour_keys(key, before=False, limit=NEIGHBOURS)


def _answer(part: str, call: Callable[[], Any]) -> Answer:
    """The answer to a call about the table itself. Not every engine implements it, and not everyone may call it."""
    try:
        answer = call()
    except ClientError as error:
        code = code_of(error)
        if code == "ResourceNotFoundException":
            return Answer(Reply.MISSING)
        if code == "AccessDeniedException":
            return Answer(Reply.DENIED)
        if is_unsupported(error):
            return Answer(Reply.UNSUPPORTED)
        raise Unavailable from error
    except BotoCoreError as error:
        raise Unavailable from error
    server = answer.get("ResponseMetadata", {}).get("HTTPHeaders", {}).get("server", "")
    return Answer(Reply.OK, answer[part], str(server))


def _unless_other_table(load: Callable[[], T]) -> T | None:
    """None if the table has other keys or does not exist: its settings say so."""
    try:
        return load()
    except Unavailable as error:
        if isinstance(error.__cause__, PynamoDBException | ClientError) and code_of(error.__cause__) in _OTHER_TABLE:
            return None
        raise
    except (PynamoDBException, ClientError) as error:
        if code_of(error) in _OTHER_TABLE:
            return None
        raise


def _endpoint(table: Answer) -> Endpoint:
    url = connection.endpoint_url()
    region = str(table.content.get("TableArn", "")).split(":")[3:4] or [connection.region() or ""]
    is_aws = "amazonaws." in url
    return Endpoint("Amazon DynamoDB" if is_aws else _local_engine(table.server, region[0]), region[0], url, is_aws)


def _local_engine(server: str, region: str) -> str:
    """Local engines name themselves in a header or in the name of the region."""
    if region == "ddblocal":
        return "DynamoDB Local"
    return "moto" if server.startswith("Werkzeug") else server.replace("/", " ") or "?"
