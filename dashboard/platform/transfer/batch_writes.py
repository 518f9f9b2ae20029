"""Batches of puts: unprocessed items are sent again, refused items are reported by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from botocore.exceptions import BotoCoreError, ClientError

from dashboard.platform.transfer.target import Stopped, Target, command_backoff, is_retryable
from dashboard.table.items import Raw

BATCH = 25
# A request may have 16 MB, and JSON escapes can make text six times longer.
BATCH_BYTES = 2 * 1024 * 1024
_REFUSED = "ValidationException"


class Entry(NamedTuple):
    """An item and its line in the file."""

    line: int
    raw: Raw
    # The length of the line in bytes.
    size: int


class BatchProblem(NamedTuple):
    line: int
    reason: str


def batches(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Split the entries into requests."""
    batch: list[Entry] = []
    size = 0
    for entry in entries:
        if batch and (len(batch) == BATCH or size + entry.size > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(entry)
        size += entry.size
    if batch:
        yield batch


def put_batch(target: Target, entries: Sequence[Entry]) -> list[BatchProblem]:
    """Put up to 25 items, none of them twice. Returns when all are confirmed or refused."""
    waiting: list[Any] = [{"PutRequest": {"Item": entry.raw}} for entry in entries]
    backoff = command_backoff()
    while waiting:
        try:
            answer = target.client.batch_write_item(RequestItems={target.name: waiting})
        except (ClientError, BotoCoreError) as error:
            if isinstance(error, ClientError) and error.response["Error"].get("Code") == _REFUSED:
                # One item is invalid. All are put again one by one; a second put has no effect.
                return [problem for entry in entries for problem in _put(target, entry)]
            if not is_retryable(error):
                raise Stopped(f"The table refuses: {error}") from error
            if not backoff.wait():
                raise Stopped(f"The table does not answer: {error}") from error
            continue
        left = answer.get("UnprocessedItems", {}).get(target.name, [])
        if 0 < len(left) < len(waiting):
            backoff = command_backoff()  # The table makes progress: do not give up.
        if left and not backoff.wait():
            raise Stopped("The table takes no more items for now.")
        waiting = left
    return []


def _put(target: Target, entry: Entry) -> list[BatchProblem]:
    try:
        target.call("put_item", Item=entry.raw)
    except ClientError as error:
        if error.response["Error"].get("Code") != _REFUSED:
            raise Stopped(f"The table refuses: {error}") from error
        return [BatchProblem(entry.line, f"the table refuses it: {error.response['Error'].get('Message', '')}")]
    return []
