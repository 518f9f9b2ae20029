"""Queries for the table itself: its settings, its counts, and any item."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from pynamodb.exceptions import PynamoDBException

from dashboard.core.clock import now
from dashboard.core.errors import Unavailable
from dashboard.platform.adoption.queries import outside_owners
from dashboard.platform.due.queries import oldest_due_time
from dashboard.platform.stream.items import StreamShard, StreamTotals
from dashboard.platform.stream.queries import FollowerState, follower_state, shard_states, totals
from dashboard.platform.table_health.items import ReindexReport
from dashboard.platform.table_health.state import DescribeOutcome, DescribeResult, TableEndpoint, TableState
from dashboard.table import connection, keys, read, schema
from dashboard.table.admin import is_unsupported
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from dashboard.table.registry import access_pattern
from dashboard.table.retries import code_of

T = TypeVar("T")

NEIGHBOURS = 5
# DynamoDB's codes for an item that cannot be read because the table has other keys or does not exist.
_FOREIGN_TABLE = {"ValidationException", "ResourceNotFoundException"}


def state_reads() -> dict[str, Callable[[], Any]]:
    """The reads of the state by name, for a page that runs them together with others."""
    archive = {}
    if settings.ACTIVITY_ARCHIVE:
        log = current_log_table()
        archive = {
            "archive_shards": lambda: _none_if_foreign_table(lambda: shard_states(log)),
            "archive_finished": lambda: _none_if_foreign_table(lambda: totals(log)),
        }
    return archive | {
        "table": describe_table,
        "expiry": describe_expiry,
        "recovery": describe_recovery,
        "report": lambda: _none_if_foreign_table(last_report),
        "shards": lambda: _none_if_foreign_table(shard_states),
        "finished": lambda: _none_if_foreign_table(totals),
        "businesses": lambda: _none_if_foreign_table(count_unknown_businesses),
        "owners": lambda: _none_if_foreign_table(outside_owners),
        "due": lambda: _none_if_foreign_table(oldest_due_time),
    }


def load_state() -> TableState:
    """The settings of the table and its counts, in one round trip. Raises Unavailable if it does not answer."""
    reads = state_reads()
    return build_state(dict(zip(reads, read.gather_all(reads.values()), strict=True)))


def build_state(results: Mapping[str, Any]) -> TableState:
    """From the results of `state_reads`."""
    owners = results["owners"]
    return TableState(
        name=settings.DYNAMODB_TABLE,
        endpoint=_endpoint(results["table"]),
        table=results["table"],
        expiry=results["expiry"],
        recovery=results["recovery"],
        at=now(),
        follower=_follower_state(results["shards"], results["finished"]),
        archive=_follower_state(results.get("archive_shards"), results.get("archive_finished")),
        report=results["report"],
        unknown_businesses=results["businesses"] or 0,
        unknown_owners=sum(not owner.email for owner in owners.items) if owners else 0,
        oldest_due=results["due"],
        has_more_owners=bool(owners and owners.next_start_key),
    )


def current_log_table() -> str:
    """The table with the activity of this month."""
    return schema.activity_table(settings.DYNAMODB_TABLE, f"{now():%Y-%m}")


def _follower_state(shards: list[StreamShard] | None, finished: StreamTotals | None) -> FollowerState | None:
    return follower_state(shards, finished) if shards is not None and finished is not None else None


@access_pattern("Which keys, indexes and stream does the table have?")
def describe_table() -> DescribeResult:
    return _describe("Table", lambda: connection.client().describe_table(TableName=settings.DYNAMODB_TABLE))


@access_pattern("By which attribute do items expire?")
def describe_expiry() -> DescribeResult:
    client = connection.client()
    return _describe("TimeToLiveDescription", lambda: client.describe_time_to_live(TableName=settings.DYNAMODB_TABLE))


@access_pattern("Is point-in-time recovery on?")
def describe_recovery() -> DescribeResult:
    name, client = "ContinuousBackupsDescription", connection.client()
    return _describe(name, lambda: client.describe_continuous_backups(TableName=settings.DYNAMODB_TABLE))


@access_pattern("What did the last reindex count?", keys.REINDEX_REPORT)
def last_report() -> ReindexReport | None:
    return read.get(ReindexReport, keys.REINDEX_REPORT.key(), consistent=False)


@access_pattern("How many ids in the table are not a business?", keys.UNKNOWN_BUSINESS, partition=True)
def count_unknown_businesses() -> int:
    """Up to 100."""
    return read.count(keys.UNKNOWN_BUSINESS.collection())


@access_pattern("What is stored at this key?")
def load_raw(key: Key) -> Raw | None:
    return read.raw_item(key)


@access_pattern("Which items of the partition are before this key, nearest first?")
def keys_before(key: Key) -> list[Key]:
    return read.neighbour_keys(key, before=True, limit=NEIGHBOURS)


@access_pattern("Which items of the partition are after this key, nearest first?")
def keys_after(key: Key) -> list[Key]:
    return read.neighbour_keys(key, before=False, limit=NEIGHBOURS)


def _describe(part: str, call: Callable[[], Any]) -> DescribeResult:
    """The answer to a call about the table itself. Not every engine implements it, and not everyone may call it."""
    try:
        answer = call()
    except ClientError as error:
        code = code_of(error)
        if code == "ResourceNotFoundException":
            return DescribeResult(DescribeOutcome.MISSING)
        if code == "AccessDeniedException":
            return DescribeResult(DescribeOutcome.DENIED)
        if is_unsupported(error):
            return DescribeResult(DescribeOutcome.UNSUPPORTED)
        raise Unavailable from error
    except BotoCoreError as error:
        raise Unavailable from error
    server = answer.get("ResponseMetadata", {}).get("HTTPHeaders", {}).get("server", "")
    return DescribeResult(DescribeOutcome.OK, answer[part], str(server))


def _none_if_foreign_table(load: Callable[[], T]) -> T | None:
    """None if the table has other keys or does not exist: its settings say so."""
    try:
        return load()
    except Unavailable as error:
        if isinstance(error.__cause__, PynamoDBException | ClientError) and code_of(error.__cause__) in _FOREIGN_TABLE:
            return None
        raise
    except (PynamoDBException, ClientError) as error:
        if code_of(error) in _FOREIGN_TABLE:
            return None
        raise


def _endpoint(table: DescribeResult) -> TableEndpoint:
    url = connection.endpoint_url()
    region = str(table.content.get("TableArn", "")).split(":")[3:4] or [connection.region() or ""]
    is_aws = "amazonaws." in url
    return TableEndpoint(
        "Amazon DynamoDB" if is_aws else _local_engine(table.server, region[0]), region[0], url, is_aws
    )


def _local_engine(server: str, region: str) -> str:
    """Local engines name themselves in a header or in the name of the region."""
    if region == "ddblocal":
        return "DynamoDB Local"
    return "moto" if server.startswith("Werkzeug") else server.replace("/", " ") or "?"
