"""The op log: every call to DynamoDB with its cost, summed for the page that made it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponseBase

from dashboard.table import tenancy
from dashboard.table.guards import serving_request

logger = logging.getLogger("trastienda.table")
T = TypeVar("T")
WRITES = {"TransactWriteItems", "UpdateItem", "PutItem", "DeleteItem", "BatchWriteItem"}


@dataclass
class Call:
    """One call to DynamoDB."""

    operation: str
    pattern: str
    index: str | None
    wave: int
    business: str | None = None
    api_key: str | None = None
    units: float = 0.0
    ms: float = 0.0
    attempts: int = 1
    error: str | None = None


@dataclass
class CallSequence:
    """Calls that follow each other, and how many waves of calls there were so far."""

    waves: int = 0

    def run(self, work: Callable[[], T]) -> T:
        """Run `work`, in a context of its own, as the next part of this sequence."""
        _sequence.set(self)
        return work()


@dataclass
class Log(CallSequence):
    """The calls of one request, command or test."""

    calls: list[Call] = field(default_factory=list)

    @property
    def units(self) -> float:
        return sum(call.units for call in self.calls)

    @property
    def ms(self) -> float:
        return sum(call.ms for call in self.calls)

    @property
    def trips(self) -> int:
        """Sequential round trips: parallel calls count as one."""
        return len({call.wave for call in self.calls})

    @property
    def has_sent_writes(self) -> bool:
        """Whether a write was sent, answered or not. A call that the circuit breaker refuses is not in the log."""
        return any(call.operation in WRITES for call in self.calls)


_log: ContextVar[Log | None] = ContextVar("log", default=None)
_sequence: ContextVar[CallSequence | None] = ContextVar("sequence", default=None)
current_pattern: ContextVar[str] = ContextVar("current_pattern", default="")


@contextmanager
def recording() -> Iterator[Log]:
    """Record the calls that are made in the block."""
    log = Log()
    tokens = _log.set(log), _sequence.set(log)
    try:
        yield log
    finally:
        _log.reset(tokens[0])
        _sequence.reset(tokens[1])


@contextmanager
def attributed_to(pattern: str) -> Iterator[None]:
    """Attribute the calls in the block to this access pattern or service."""
    token = current_pattern.set(pattern)
    try:
        yield
    finally:
        current_pattern.reset(token)


def new_sequence() -> CallSequence:
    """A sequence that starts now and runs independently of the current one."""
    return CallSequence((_sequence.get() or CallSequence()).waves)


@contextmanager
def parallel_sequences(count: int) -> Iterator[list[CallSequence]]:
    """Sequences that start together. Afterwards the current one has as many waves as the longest of them."""
    current = _sequence.get() or CallSequence()
    sequences = [CallSequence(current.waves) for _ in range(count)]
    try:
        yield sequences
    finally:
        current.waves = max([current.waves, *(sequence.waves for sequence in sequences)])


def _next_wave() -> int:
    sequence = _sequence.get() or CallSequence()
    sequence.waves += 1
    return sequence.waves


def count_calls(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: records the calls of each request in `request.oplog`, and refuses scans in requests."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        with recording() as log, serving_request():
            request.oplog = log  # type: ignore[attr-defined]
            return get_response(request)

    return middleware


def install(client: Any) -> None:
    events = client.meta.events
    events.register("provide-client-params.dynamodb.*", _started)
    events.register("after-call.dynamodb.*", _answered)
    events.register("after-call-error.dynamodb.*", _failed)


def _started(params: dict[str, Any], model: Any, context: dict[str, Any], **_: object) -> None:
    binding = tenancy.bound.get()
    call = Call(
        operation=model.name,
        pattern=current_pattern.get(),
        index=params.get("IndexName"),
        wave=_next_wave(),
        business=binding.business if binding else None,
        api_key=binding.api_key if binding else None,
    )
    context["oplog"] = time.perf_counter(), call


def _answered(http_response: Any, parsed: dict[str, Any], context: dict[str, Any], **_: object) -> None:
    error = parsed.get("Error", {}).get("Code")
    consumed = parsed.get("ConsumedCapacity") or []
    units = sum(each.get("CapacityUnits", 0.0) for each in (consumed if isinstance(consumed, list) else [consumed]))
    retries = parsed.get("ResponseMetadata", {}).get("RetryAttempts", 0)
    _record(context, units=units, attempts=retries + 1, error=error)


def _failed(exception: Exception, context: dict[str, Any], **_: object) -> None:
    attempts = context.get("retries", {}).get("attempt", 1)
    _record(context, units=0.0, attempts=attempts, error=type(exception).__name__)


def _record(context: dict[str, Any], *, units: float, attempts: int, error: str | None) -> None:
    if "oplog" not in context:
        return
    started, call = context.pop("oplog")
    call.ms = (time.perf_counter() - started) * 1000
    call.units, call.attempts, call.error = units, attempts, error
    log = _log.get()
    if log is not None:
        log.calls.append(call)
    logger.info(
        "dynamodb",
        extra={
            "operation": call.operation,
            "pattern": call.pattern,
            "index": call.index,
            "tenant": call.business,
            "api_key": call.api_key,
            "ms": round(call.ms, 1),
            "units": call.units,
            "attempts": call.attempts,
            "error": call.error,
        },
    )
