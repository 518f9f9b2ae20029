"""The one clock: code asks `now()`, tests set it."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta

_frozen: ContextVar[datetime | None] = ContextVar("frozen", default=None)
_offset = timedelta()


def now() -> datetime:
    """The moment, to the second: what the table's timestamps hold."""
    return (_frozen.get() or datetime.now(UTC) + _offset).replace(microsecond=0)


def is_frozen() -> bool:
    return _frozen.get() is not None


@contextmanager
def frozen(moment: datetime) -> Iterator[None]:
    """Stop the clock in this context."""
    token = _frozen.set(moment)
    try:
        yield
    finally:
        _frozen.reset(token)


@contextmanager
def shifted(by: timedelta) -> Iterator[None]:
    """Move the clock of the whole process, threads of a live server included."""
    global _offset
    before, _offset = _offset, _offset + by
    try:
        yield
    finally:
        _offset = before
