"""The clock of the product. Tests stop it or move it."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta

_frozen: ContextVar[datetime | None] = ContextVar("frozen", default=None)
_offset = timedelta()


def now() -> datetime:
    """The current time to the second, the precision of timestamps in the table."""
    return (_frozen.get() or datetime.now(UTC) + _offset).replace(microsecond=0)


def is_frozen() -> bool:
    return _frozen.get() is not None


@contextmanager
def frozen(moment: datetime) -> Iterator[None]:
    """Stop the clock for the length of the block, in this context only."""
    token = _frozen.set(moment)
    try:
        yield
    finally:
        _frozen.reset(token)


@contextmanager
def shifted(by: timedelta) -> Iterator[None]:
    """Move the clock of the whole process, including the threads of a live server."""
    global _offset
    before, _offset = _offset, _offset + by
    try:
        yield
    finally:
        _offset = before
