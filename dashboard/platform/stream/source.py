"""The stream of a table: its shards and their records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings

from dashboard.core.errors import Unavailable
from dashboard.platform.stream.records import Record
from dashboard.table.connection import client, streams_client
from dashboard.table.retries import code_of

# DynamoDB returns at most 1,000 records. A smaller batch is processed well within a lease.
BATCH = 100


class NoStream(Exception):
    """The table has no stream."""


class Trimmed(Exception):
    """Records after the checkpoint are older than 24 hours and no longer exist."""


class IteratorExpired(Exception):
    """An iterator is valid for 15 minutes."""


@dataclass(frozen=True)
class Shard:
    id: str
    parent: str | None = None


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except (ClientError, BotoCoreError) as error:
        code = code_of(error)
        if code == "TrimmedDataAccessException":
            raise Trimmed from error
        if code == "ExpiredIteratorException":
            raise IteratorExpired from error
        raise Unavailable from error


class Stream:
    """One stream. A table has another one after its stream was disabled and enabled again."""

    def __init__(self, arn: str) -> None:
        self.arn = arn

    @classmethod
    def of_table(cls, name: str = "") -> Stream:
        """The current stream of a table; without a name, of the main one."""
        name = name or settings.DYNAMODB_TABLE
        with _errors():
            described: dict[str, Any] = client().describe_table(TableName=name)["Table"]
        if not (described.get("StreamSpecification") or {}).get("StreamEnabled"):
            raise NoStream(f"The table {name} has no stream. To enable it: manage.py create_table")
        return cls(str(described["LatestStreamArn"]))

    def shards(self) -> list[Shard]:
        found: list[Shard] = []
        start: dict[str, Any] = {}
        while True:
            with _errors():
                described = streams_client().describe_stream(StreamArn=self.arn, **start)["StreamDescription"]
            found += [Shard(each["ShardId"], each.get("ParentShardId")) for each in described["Shards"]]
            if not described.get("LastEvaluatedShardId"):
                return found
            start = {"ExclusiveStartShardId": described["LastEvaluatedShardId"]}

    def iterator(self, shard: str, after: str | None) -> str:
        """An iterator that starts after a sequence number, or with the oldest record."""
        position: dict[str, Any] = {"ShardIteratorType": "TRIM_HORIZON"}
        if after is not None:
            position = {"ShardIteratorType": "AFTER_SEQUENCE_NUMBER", "SequenceNumber": after}
        with _errors():
            answer = streams_client().get_shard_iterator(StreamArn=self.arn, ShardId=shard, **position)
        return str(answer["ShardIterator"])

    def records(self, iterator: str, limit: int = BATCH) -> tuple[list[Record], str | None]:
        """The next records and the next iterator, which is None at the end of a closed shard."""
        with _errors():
            answer = streams_client().get_records(ShardIterator=iterator, Limit=limit)
        return answer["Records"], answer.get("NextShardIterator")
