"""One run: take what is due under a lease, hand it to its handler, and put off what failed."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from dashboard.core.clock import now
from dashboard.platform.due import queries
from dashboard.platform.due.registry import HANDLERS, STANDING, Standing
from dashboard.table import keys, oplog, write
from dashboard.table.items import Item, PlainItem, Raw, revive
from dashboard.table.keypattern import Key
from dashboard.table.timestamps import from_wire, to_wire

logger = logging.getLogger("trastienda.due")

# As long as a handler may take. Whoever dies in the middle is followed by another run after this.
LEASE = timedelta(minutes=5)
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=1)
# What one run begins at the most.
MAX_ITEMS, MAX_SECONDS = 500, 45.0


@dataclass(frozen=True)
class TaskResult:
    """What became of one piece of work."""

    what: str
    text: str
    failed: bool = False

    def __str__(self) -> str:
        return f"{self.what}: {self.text}"


def run(max_items: int = MAX_ITEMS, max_seconds: float = MAX_SECONDS) -> Iterator[TaskResult]:
    """Do what is due, one after the other; tells what it did as it goes."""
    for ensure in STANDING:
        yield from _ensure(ensure)
    ends, begun, start = time.monotonic() + max_seconds, 0, None
    while True:
        page = queries.due_by_now(start)
        for shown in page.items:
            if begun >= max_items or time.monotonic() > ends:
                yield TaskResult("run_due", "more is due, and is left to the next run")
                return
            told = _take(shown.key)
            if told is not None:
                begun += 1
                yield told
        start = page.next
        if start is None:
            return


def _ensure(ensure: Standing) -> Iterator[TaskResult]:
    name = ensure.__name__
    try:
        said = ensure()
    except Exception as error:
        logger.exception("standing work could not be ensured", extra={"kind": name})
        yield TaskResult(name, _reason(error), failed=True)
    else:
        if said:
            yield TaskResult(name, said)


def _take(key: Key) -> TaskResult | None:
    """Do one piece of work, if it is due and nobody else is at it."""
    lease = to_wire(now() + LEASE)
    raw = _claim(key, lease)
    if raw is None:
        return None
    item, kind = revive(raw), keys.kind_of(key) or "unknown kind"
    handler = HANDLERS.get(kind)
    what = f"{kind} {key.pk} / {key.sk}"
    if handler is None or isinstance(item, PlainItem):
        logger.error("nobody does this kind of work", extra={"kind": kind})
        later = _put_off(key, raw, lease)
        return TaskResult(what, f"nobody here knows what to do with it; {later}", failed=True)
    try:
        with oplog.asking(f"{handler.__module__}.{handler.__name__}"):
            said = handler(item)
    except Exception as error:
        # One that fails must not stop the others, whatever it was.
        logger.exception("work for later failed", extra={"kind": kind})
        return TaskResult(what, f"{_reason(error)} ({_put_off(key, raw, lease)})", failed=True)
    if _still_leased(key, raw, lease):
        logger.error("a handler left its item due", extra={"kind": kind})
        return TaskResult(what, "its handler left it as it was: it comes again", failed=True)
    return TaskResult(what, said or "done")


def _claim(key: Key, lease: str) -> Raw | None:
    """Move it out of sight for as long as a lease, if the item itself, not only the index, says it is due."""
    is_due = (Item.gsistatuspk == keys.DUE.under().pk) & (Item.gsistatussk <= to_wire(now()))
    return write.touch(key, [Item.gsistatussk.set(lease)], is_due)


def _move(key: Key, lease: str, to: datetime) -> bool:
    """Move it to another time, if it still is under our lease."""
    ours = (Item.gsistatuspk == keys.DUE.under().pk) & (Item.gsistatussk == lease)
    return write.touch(key, [Item.gsistatussk.set(to_wire(to))], ours) is not None


def _put_off(key: Key, raw: Raw, lease: str) -> str:
    at = now() + _wait(raw)
    try:
        moved = _move(key, lease, at)
    except Exception:
        # The table is not there: then the lease is what it waits for.
        logger.exception("work for later could not be put off")
        return f"again at {lease}"
    return f"again at {to_wire(at)}" if moved else "it was moved on meanwhile"


def _still_leased(key: Key, raw: Raw, lease: str) -> bool:
    try:
        return _move(key, lease, now() + _wait(raw))
    except Exception:
        logger.exception("work for later could not be looked at again")
        return False


def _wait(raw: Raw) -> timedelta:
    """As long again as it is overdue: every wait is about twice the last, and nothing has to be counted."""
    try:
        overdue = now() - from_wire(raw["dueAt"]["S"])
    except (KeyError, ValueError):
        overdue = FIRST_WAIT
    return min(max(overdue, FIRST_WAIT), LONGEST_WAIT)


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
