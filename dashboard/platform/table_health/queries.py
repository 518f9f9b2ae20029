"""Queries for the table itself: its settings, its counts, and any item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from pynamodb.exceptions import PynamoDBException

from dashboard.core.clock import now
from dashboard.core.errors import Unavailable
from dashboard.platform.table_health.items import ReindexReport
from dashboard.platform.table_health.state import Answer, Endpoint, Reply, Shard, TableState
from dashboard.table import connection, keys, oplog, read
from dashboard.table.admin import is_unsupported
from dashboard.table.attributes import as_plain
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from dashboard.table.registry import access_pattern
from dashboard.table.retries import code_of
from dashboard.table.timestamps import from_wire

T = TypeVar("T")

MAX_SHARDS = 200
MAX_FOUND = 100
NEIGHBOURS = 5
# The type of an id that was found without one.
UNTYPED = "id"
# DynamoDB's codes for an item that cannot be read because the table has other keys or does not exist.
_OTHER_TABLE = {"ValidationException", "ResourceNotFoundException"}


def load_state() -> TableState:
    """The settings of the table and its counts, in one round trip. Raises Unavailable if it does not answer."""
    reads: list[Callable[[], Any]] = [
        lambda: _ask("describe_table", "Table"),
        lambda: _ask("describe_time_to_live", "TimeToLiveDescription"),
        lambda: _ask("describe_continuous_backups", "ContinuousBackupsDescription"),
        lambda: _unless_other_table(last_report, None),
        lambda: _unless_other_table(shards, ()),
        lambda: _unless_other_table(found_by_type, {}),
    ]
    (table, server), (expiry, _), (recovery, _), report, followed, found = read.gather_all(reads)
    return TableState(
        name=settings.DYNAMODB_TABLE,
        endpoint=_endpoint(table, server),
        table=table,
        expiry=expiry,
        recovery=recovery,
        at=now(),
        shards=followed,
        report=report,
        found=found,
    )


@access_pattern("What did the last reindex count?", keys.REINDEX_REPORT)
def last_report() -> ReindexReport | None:
    return read.get(ReindexReport, keys.REINDEX_REPORT.key(), consistent=False)


@access_pattern("How far is the stream follower?", keys.STREAM_SHARD, partition=True)
def shards() -> tuple[Shard, ...]:
    collection = keys.STREAM_SHARD.collection(table=settings.DYNAMODB_TABLE)
    return tuple(_shard(raw) for raw in read.raw_page(collection, limit=MAX_SHARDS).items)


@access_pattern("Which ids in the table are not known here?", keys.FOUND, partition=True)
def found_by_type() -> Mapping[str, int]:
    """The number of ids by type. It stops at MAX_FOUND ids."""
    page = read.raw_page(keys.FOUND.collection(), limit=MAX_FOUND, attributes=["type"])
    return Counter(str(_value(raw, "type") or UNTYPED) for raw in page.items)


@access_pattern("What is stored at this key?")
def load_raw(key: Key) -> Raw | None:
    return read.raw_item(key)


@access_pattern("Which items of the partition are before this key, nearest first?")
def keys_before(key: Key) -> list[Key]:
    return read.neighbour_keys(key, before=True, limit=NEIGHBOURS)


@access_pattern("Which items of the partition are after this key, nearest first?")
def keys_after(key: Key) -> list[Key]:
    return read.neighbour_keys(key, before=False, limit=NEIGHBOURS)


def _ask(operation: str, part: str) -> tuple[Answer, str]:
    """The answer to a call about the table, and the name of the server that gave it."""
    try:
        with oplog.attributed_to(f"{__name__}.load_state"):
            answer = getattr(connection.client(), operation)(TableName=settings.DYNAMODB_TABLE)
    except ClientError as error:
        code = code_of(error)
        if code == "ResourceNotFoundException":
            return Answer(Reply.MISSING), ""
        if code == "AccessDeniedException":
            return Answer(Reply.DENIED), ""
        if is_unsupported(error):
            return Answer(Reply.UNSUPPORTED), ""
        raise Unavailable from error
    except BotoCoreError as error:
        raise Unavailable from error
    server = answer.get("ResponseMetadata", {}).get("HTTPHeaders", {}).get("server", "")
    return Answer(Reply.OK, answer[part]), str(server)


def _unless_other_table(load: Callable[[], T], default: T) -> T:
    """The default if the table has other keys or does not exist: the settings then say so."""
    try:
        return load()
    except Unavailable as error:
        if isinstance(error.__cause__, PynamoDBException | ClientError) and code_of(error.__cause__) in _OTHER_TABLE:
            return default
        raise
    except (PynamoDBException, ClientError) as error:
        if code_of(error) in _OTHER_TABLE:
            return default
        raise


def _endpoint(table: Answer, server: str) -> Endpoint:
    url = str(connection.client().meta.endpoint_url)
    region = str(table.content.get("TableArn", "")).split(":")[3:4] or [connection.region() or ""]
    is_aws = "amazonaws." in url
    return Endpoint("Amazon DynamoDB" if is_aws else _local_engine(server, region[0]), region[0], url, is_aws)


def _local_engine(server: str, region: str) -> str:
    """Local engines name themselves in a header or in the name of the region."""
    if region == "ddblocal":
        return "DynamoDB Local"
    return "moto" if server.startswith("Werkzeug") else server.replace("/", " ") or "?"


def _shard(raw: Raw) -> Shard:
    lag = _value(raw, "lag")
    updated = _value(raw, "updatedAt")
    try:
        updated_at = from_wire(updated) if isinstance(updated, str) else None
    except (ValueError, OverflowError):
        updated_at = None
    return Shard(
        id=raw["SK"]["S"].partition("#")[2],
        lag=float(lag) if isinstance(lag, int | float) and not isinstance(lag, bool) else None,
        updated_at=updated_at,
        is_finished=bool(_value(raw, "finished")),
    )


def _value(raw: Raw, name: str) -> Any:
    return as_plain(raw[name]) if name in raw else None
