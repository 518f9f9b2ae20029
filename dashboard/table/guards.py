"""Refuses calls that read the whole table. The check is below PynamoDB, so that no code can avoid it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

# Scan reads the whole table, and PartiQL can.
WHOLE_TABLE_CALLS = ("Scan", "ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction")

_in_request: ContextVar[bool] = ContextVar("in_request", default=False)
_offline: ContextVar[bool] = ContextVar("offline", default=False)


class ScanRefused(RuntimeError):
    """A programming error: a request tried to read the whole table."""


@contextmanager
def serving_request() -> Iterator[None]:
    token = _in_request.set(True)
    try:
        yield
    finally:
        _in_request.reset(token)


@contextmanager
def offline() -> Iterator[None]:
    """Let a command read the whole table. Refused while a request is served."""
    if _in_request.get():
        raise ScanRefused("A request cannot go offline.")
    token = _offline.set(True)
    try:
        yield
    finally:
        _offline.reset(token)


def install(client: Any) -> None:
    for name in WHOLE_TABLE_CALLS:
        client.meta.events.register_first(f"before-call.dynamodb.{name}", _refuse)


def _refuse(model: Any, **_: object) -> None:
    if _in_request.get() or not _offline.get():
        raise ScanRefused(f"{model.name} reads the whole table: query an index instead.")
