"""Injects network faults where botocore sends its HTTP requests to the engine.

    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply, throttle)
        network.add_random_fault(0.15, lose_reply)

Has no effect on moto in this process, which answers before a request is sent.
"""

from __future__ import annotations

import io
import json
import random
import sys
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar
from unittest.mock import patch

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.exceptions import EndpointConnectionError, ReadTimeoutError
from botocore.retries.standard import ExponentialBackoff
from urllib3 import HTTPResponse

from dashboard.core.errors import Unavailable
from dashboard.table import connection

T = TypeVar("T")
# An engine that has ended must make a test fail, not wait forever.
PATIENCE = 120.0
Send = Callable[[AWSPreparedRequest], AWSResponse]
Fault = Callable[[Send, AWSPreparedRequest], AWSResponse]


@dataclass(frozen=True)
class SentRequest:
    """One request that was sent."""

    operation: str
    body: dict[str, Any]


def parse_request(request: AWSPreparedRequest) -> SentRequest:
    target: bytes | str = request.headers["X-Amz-Target"]
    name = target.decode() if isinstance(target, bytes) else target
    return SentRequest(name.partition(".")[2], json.loads(request.body or b"{}"))  # type: ignore[arg-type]


def build_reply(
    request: AWSPreparedRequest, status: int, body: bytes, headers: dict[str, str] | None = None
) -> AWSResponse:
    headers = {"Content-Type": "application/x-amz-json-1.0"} if headers is None else headers
    raw = HTTPResponse(io.BytesIO(body), headers, status, preload_content=False)
    return AWSResponse(str(request.url), status, headers, raw)  # type: ignore[arg-type]


def retry_until_available(action: Callable[[], T]) -> T:
    """Repeat the action until the engine is available, and return its result."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return action()
        except Unavailable:
            if time.monotonic() > deadline:
                raise


# --- Faults ------------------------------------------------------------------------------------
def lose_reply(send: Send, request: AWSPreparedRequest) -> AWSResponse:
    """The engine executes the request, but the reply is lost."""
    send(request)
    raise ReadTimeoutError(endpoint_url=request.url)


def lose_request(_: Send, request: AWSPreparedRequest) -> AWSResponse:
    """The request never reaches the engine."""
    raise EndpointConnectionError(endpoint_url=request.url)


def error_reply(status: int, code: str, **fields: Any) -> Fault:
    """A fault that replies with this error and does not send the request."""

    def fault(_: Send, request: AWSPreparedRequest) -> AWSResponse:
        body = {"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": code, **fields}
        return build_reply(request, status, json.dumps(body).encode())

    return fault


def collide(send: Send, request: AWSPreparedRequest) -> AWSResponse:
    """Another transaction is writing the last item of this one."""
    steps = parse_request(request).body["TransactItems"]
    reasons = [{"Code": "None"}] * (len(steps) - 1) + [{"Code": "TransactionConflict"}]
    return error_reply(400, "TransactionCanceledException", CancellationReasons=reasons)(send, request)


def gateway_error(_: Send, request: AWSPreparedRequest) -> AWSResponse:
    """A gateway answers instead of DynamoDB."""
    return build_reply(request, 502, b"<html><h1>Bad gateway</h1></html>")


def foreign_reply(status: int, body: bytes, **headers: str) -> Fault:
    """A fault that lets the engine execute the request, and then replies with something else."""

    def fault(send: Send, request: AWSPreparedRequest) -> AWSResponse:
        send(request)
        return build_reply(request, status, body, headers)

    return fault


def act_then_break(send: Send, request: AWSPreparedRequest) -> AWSResponse:
    """The engine executes the request and replies with an internal error."""
    send(request)
    return broken(send, request)


throttle = error_reply(400, "ProvisionedThroughputExceededException")
broken = error_reply(500, "InternalServerError")


# --- The network ---------------------------------------------------------------------------------
class Network:
    """The log of sent requests and the faults to inject."""

    def __init__(self, send: Send, seed: int) -> None:
        self.log: list[SentRequest] = []
        self.faults = 0
        self._send = send
        self._planned_faults: defaultdict[str, deque[Fault]] = defaultdict(deque)
        self._random_faults: list[tuple[float, Fault]] = []
        self._frozen_replies: dict[bytes, tuple[int, bytes]] | None = None
        self._random = random.Random(seed)
        self._lock = threading.Lock()

    def next(self, operation: str, *faults: Fault) -> None:
        """Inject these faults into the next calls of this operation, one each."""
        self._planned_faults[operation].extend(faults)

    def add_random_fault(self, chance: float, fault: Fault) -> None:
        """Inject this fault into any call with this probability."""
        self._random_faults.append((chance, fault))

    def stop_faults(self) -> None:
        """Remove all faults."""
        self._planned_faults.clear()
        self._random_faults.clear()

    def freeze_indexes(self) -> None:
        """Repeat the first reply of each index query from now on, as an index that lags behind the table."""
        self._frozen_replies = self._frozen_replies or {}

    def thaw_indexes(self) -> None:
        self._frozen_replies = None

    def calls(self, operation: str) -> list[dict[str, Any]]:
        return [each.body for each in self.log if each.operation == operation]

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        sent_request = parse_request(request)
        with self._lock:
            self.log.append(sent_request)
            fault = self._next_fault(sent_request.operation)
            self.faults += fault is not None
        if fault is not None:
            return fault(self._send, request)
        if self._frozen_replies is not None and "IndexName" in sent_request.body:
            return self._earlier_reply(request, self._frozen_replies)
        return self._send(request)

    def _next_fault(self, operation: str) -> Fault | None:
        planned_faults = self._planned_faults[operation]
        if planned_faults:
            return planned_faults.popleft()
        return next((fault for chance, fault in self._random_faults if self._random.random() < chance), None)

    def _earlier_reply(self, request: AWSPreparedRequest, replies: dict[bytes, tuple[int, bytes]]) -> AWSResponse:
        question = request.body if isinstance(request.body, bytes) else str(request.body).encode()
        if question not in replies:
            answer = self._send(request)
            replies[question] = answer.status_code, answer.content
        return build_reply(request, *replies[question])


@contextmanager
def bad_network(seed: int = 7, *, opens_circuit_breaker: bool = False) -> Iterator[Network]:
    """Intercept the requests of botocore, and shorten its waits between retries.

    The circuit breaker stays closed unless the test is about it: others expect every call to be sent.
    """
    client = connection.client()
    session = client._endpoint.http_session
    network = Network(session.send, seed)
    max_silent_attempts = client.circuit_breaker.max_silent_attempts if opens_circuit_breaker else sys.maxsize
    with (
        patch.object(session, "send", network.send),
        patch.object(client.circuit_breaker, "max_silent_attempts", max_silent_attempts),
        patch.object(ExponentialBackoff, "delay_amount", lambda *_: random.uniform(0, 0.005)),
    ):
        yield network
