"""Retries with jitter, and the error codes that allow one."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from botocore.exceptions import BotoCoreError, ClientError
from pynamodb.exceptions import PynamoDBException

from dashboard.core.errors import Unavailable

T = TypeVar("T")

THROTTLED = {
    "ProvisionedThroughputExceededException",
    "ProvisionedThroughputExceeded",
    "ThrottlingException",
    "ThrottlingError",
    "RequestLimitExceeded",
    "LimitExceededException",
}
COLLIDED = {"TransactionConflict", "TransactionConflictException", "TransactionInProgressException"}
RETRYABLE = THROTTLED | COLLIDED
BROKEN = {"InternalServerError", "InternalServerErrorException", "ServiceUnavailable", "InternalFailure"}
# A gateway in front of DynamoDB returns no error code, only a status.
BROKEN |= {"500", "502", "503", "504"}
# No table or no credentials: for the person, the table is unavailable.
ABSENT = {"ResourceNotFoundException", "UnrecognizedClientException", "AccessDeniedException"}
ABSENT |= {"ExpiredTokenException", "InvalidSignatureException"}


class Backoff:
    """Full jitter: each wait is a random time up to a limit that doubles."""

    def __init__(self, tries: int = 8, first: float = 0.02, most: float = 0.5) -> None:
        self.left, self.limit, self.most = tries, first, most

    def wait(self) -> bool:
        """Wait before the next try. False if no try is left."""
        self.left -= 1
        if self.left <= 0:
            return False
        time.sleep(random.uniform(0, self.limit))
        self.limit = min(self.limit * 2, self.most)
        return True


def retry_on(error: type[Exception], attempt: Callable[[], T], *, tries: int = 12) -> T:
    """Call `attempt` again while it raises `error`, with a pause in between. The last failure is raised."""
    backoff = Backoff(tries)
    while True:
        try:
            return attempt()
        except error:
            if not backoff.wait():
                raise


def code_of(error: PynamoDBException | ClientError | BotoCoreError) -> str | None:
    """DynamoDB's code of an error; None if there was no answer."""
    cause = error.cause if isinstance(error, PynamoDBException) else error
    return cause.response["Error"].get("Code") if isinstance(cause, ClientError) else None


class MissingTable(Unavailable):
    """The table that was named does not exist, for example that of a month."""


@contextmanager
def table_errors() -> Iterator[None]:
    """Raise `Unavailable` for a missing answer, and for errors that no input of a person can cause."""
    try:
        yield
    except (PynamoDBException, ClientError, BotoCoreError) as error:
        code = code_of(error)
        if code == "ResourceNotFoundException":
            raise MissingTable from error
        if code is None or code in RETRYABLE | BROKEN | ABSENT:
            raise Unavailable from error
        raise
