"""A bad network on demand: what happens between us and the engine, injected where botocore sends HTTP.

    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply, throttle)
        network.often(0.15, lose_reply)

Not for moto in this process: it answers before anything is sent.
"""

from __future__ import annotations

import io
import json
import random
import threading
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
Send = Callable[[AWSPreparedRequest], AWSResponse]
Fault = Callable[[Send, AWSPreparedRequest], AWSResponse]


@dataclass(frozen=True)
class Sent:
    """One request as it went out."""

    operation: str
    body: dict[str, Any]


def sent(request: AWSPreparedRequest) -> Sent:
    target: bytes | str = request.headers["X-Amz-Target"]
    name = target.decode() if isinstance(target, bytes) else target
    return Sent(name.partition(".")[2], json.loads(request.body or b"{}"))  # type: ignore[arg-type]


def reply(request: AWSPreparedRequest, status: int, body: bytes) -> AWSResponse:
    headers = {"Content-Type": "application/x-amz-json-1.0"}
    raw = HTTPResponse(io.BytesIO(body), headers, status, preload_content=False)
    return AWSResponse(str(request.url), status, headers, raw)  # type: ignore[arg-type]


def answered(press: Callable[[], T]) -> T:
    """What pressing comes to, once there is an answer: «not now, repeating is safe» is none."""
    while True:
        try:
            return press()
        except Unavailable:
            continue


# --- What can go wrong ---------------------------------------------------------------------------
def lose_reply(send: Send, request: AWSPreparedRequest) -> AWSResponse:
    """The engine acts, and we never hear of it."""
    send(request)
    raise ReadTimeoutError(endpoint_url=request.url)


def lose_request(_: Send, request: AWSPreparedRequest) -> AWSResponse:
    """Nobody is there: the engine never hears of it."""
    raise EndpointConnectionError(endpoint_url=request.url)


def answering(status: int, code: str, **more: Any) -> Fault:
    """An error in the engine's name, which does nothing."""

    def fault(_: Send, request: AWSPreparedRequest) -> AWSResponse:
        body = {"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": code, **more}
        return reply(request, status, json.dumps(body).encode())

    return fault


def collide(send: Send, request: AWSPreparedRequest) -> AWSResponse:
    """Another transaction has its hands on the last item of this one."""
    steps = sent(request).body["TransactItems"]
    reasons = [{"Code": "None"}] * (len(steps) - 1) + [{"Code": "TransactionConflict"}]
    return answering(400, "TransactionCanceledException", CancellationReasons=reasons)(send, request)


def gateway_error(_: Send, request: AWSPreparedRequest) -> AWSResponse:
    """Something between us and DynamoDB answers in its place."""
    return reply(request, 502, b"<html><h1>Bad gateway</h1></html>")


def act_then_break(send: Send, request: AWSPreparedRequest) -> AWSResponse:
    """The engine acts and then answers that it broke."""
    send(request)
    return broken(send, request)


throttle = answering(400, "ProvisionedThroughputExceededException")
broken = answering(500, "InternalServerError")


# --- The network ---------------------------------------------------------------------------------
class Network:
    """What goes out, and what befalls it."""

    def __init__(self, send: Send, seed: int) -> None:
        self.log: list[Sent] = []
        self.faults = 0
        self._send = send
        self._planned: defaultdict[str, deque[Fault]] = defaultdict(deque)
        self._chances: list[tuple[float, Fault]] = []
        self._frozen: dict[bytes, tuple[int, bytes]] | None = None
        self._random = random.Random(seed)
        self._lock = threading.Lock()

    def next(self, operation: str, *faults: Fault) -> None:
        """What befalls the next calls of this operation, in turn."""
        self._planned[operation].extend(faults)

    def often(self, chance: float, fault: Fault) -> None:
        """What befalls any call, with this chance."""
        self._chances.append((chance, fault))

    def calm(self) -> None:
        """Nothing more goes wrong."""
        self._planned.clear()
        self._chances.clear()

    def freeze_indexes(self) -> None:
        """From now on an index that was asked before answers as it did: it lags behind the table."""
        self._frozen = self._frozen or {}

    def thaw_indexes(self) -> None:
        self._frozen = None

    def calls(self, operation: str) -> list[dict[str, Any]]:
        return [each.body for each in self.log if each.operation == operation]

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        going = sent(request)
        with self._lock:
            self.log.append(going)
            fault = self._fault(going.operation)
            self.faults += fault is not None
        if fault is not None:
            return fault(self._send, request)
        if self._frozen is not None and "IndexName" in going.body:
            return self._as_it_was(request, self._frozen)
        return self._send(request)

    def _fault(self, operation: str) -> Fault | None:
        planned = self._planned[operation]
        if planned:
            return planned.popleft()
        return next((fault for chance, fault in self._chances if self._random.random() < chance), None)

    def _as_it_was(self, request: AWSPreparedRequest, known: dict[bytes, tuple[int, bytes]]) -> AWSResponse:
        asked = request.body if isinstance(request.body, bytes) else str(request.body).encode()
        if asked not in known:
            answer = self._send(request)
            known[asked] = answer.status_code, answer.content
        return reply(request, *known[asked])


@contextmanager
def bad_network(seed: int = 7) -> Iterator[Network]:
    """Stand between botocore and the engine; botocore's own waits are short meanwhile."""
    session = connection.client()._endpoint.http_session
    network = Network(session.send, seed)
    with (
        patch.object(session, "send", network.send),
        patch.object(ExponentialBackoff, "delay_amount", lambda *_: random.uniform(0, 0.005)),
    ):
        yield network
