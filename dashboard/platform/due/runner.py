"""Runs due tasks: takes a lease on each item, calls its handler and postpones failed tasks."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from dashboard.core.clock import now
from dashboard.platform.due import queries
from dashboard.platform.due.registry import BEFORE_EACH_RUN, HANDLERS, Preparation
from dashboard.table import keys, oplog, write
from dashboard.table.items import Item, PlainItem, Raw, to_item
from dashboard.table.keypattern import Key
from dashboard.table.timestamps import from_wire, to_wire

logger = logging.getLogger("trastienda.due")

# The maximum duration of a handler. If a run dies, another one takes the item after this time.
LEASE = timedelta(minutes=5)
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=1)
# The maximum that one run starts.
MAX_ITEMS, MAX_SECONDS = 500, 45.0


@dataclass(frozen=True)
class TaskResult:
    """The result of one task."""

    task: str
    text: str
    failed: bool = False

    def __str__(self) -> str:
        return f"{self.task}: {self.text}"


def run(max_items: int = MAX_ITEMS, max_seconds: float = MAX_SECONDS) -> Iterator[TaskResult]:
    """Run the due tasks one after the other; yields the result of each."""
    for prepare in BEFORE_EACH_RUN:
        yield from _prepare(prepare)
    ends, started, start_key = time.monotonic() + max_seconds, 0, None
    while True:
        page = queries.due_tasks(start_key)
        for item in page.items:
            if started >= max_items or time.monotonic() > ends:
                yield TaskResult("run_due", "more tasks are due; the next run continues")
                return
            result = _run_task(item.key)
            if result is not None:
                started += 1
                yield result
        start_key = page.next_start_key
        if start_key is None:
            return


def _prepare(prepare: Preparation) -> Iterator[TaskResult]:
    name = prepare.__name__
    try:
        text = prepare()
    except Exception as error:
        logger.exception("a repeating task could not be prepared", extra={"kind": name})
        yield TaskResult(name, _reason(error), failed=True)
    else:
        if text:
            yield TaskResult(name, text)


def _run_task(key: Key) -> TaskResult | None:
    """Run one task, if it is due and no other run has it."""
    lease = to_wire(now() + LEASE)
    raw = _acquire_lease(key, lease)
    if raw is None:
        return None
    item, kind = to_item(raw), keys.kind_of(key) or "unknown kind"
    handler = HANDLERS.get(kind)
    task = f"{kind} {key.pk} / {key.sk}"
    if handler is None or isinstance(item, PlainItem):
        logger.error("a kind of task has no handler", extra={"kind": kind})
        later = _postpone(key, raw, lease)
        return TaskResult(task, f"no handler for this kind; {later}", failed=True)
    try:
        with oplog.attributed_to(f"{handler.__module__}.{handler.__name__}"):
            text = handler(item)
    except Exception as error:
        # A task that fails must not stop the others.
        logger.exception("a due task failed", extra={"kind": kind})
        return TaskResult(task, f"{_reason(error)} ({_postpone(key, raw, lease)})", failed=True)
    if _still_leased(key, raw, lease):
        logger.error("a handler left its item due", extra={"kind": kind})
        return TaskResult(task, "its handler did not reschedule it; it will run again", failed=True)
    return TaskResult(task, text or "done")


def _acquire_lease(key: Key, lease: str) -> Raw | None:
    """Move the item to the end of the lease in the index, if the item itself is due."""
    is_due = (Item.gsistatuspk == keys.DUE.collection().pk) & (Item.gsistatussk <= to_wire(now()))
    return write.update(key, [Item.gsistatussk.set(lease)], is_due)


def _move(key: Key, lease: str, to: datetime) -> bool:
    """Move the item to another time, if we still have the lease."""
    has_lease = (Item.gsistatuspk == keys.DUE.collection().pk) & (Item.gsistatussk == lease)
    return write.update(key, [Item.gsistatussk.set(to_wire(to))], has_lease) is not None


def _postpone(key: Key, raw: Raw, lease: str) -> str:
    at = now() + _wait(raw)
    try:
        moved = _move(key, lease, at)
    except Exception:
        # The table does not answer: the item is due again at the end of the lease.
        logger.exception("a due task could not be postponed")
        return f"again at {lease}"
    return f"again at {to_wire(at)}" if moved else "it was rescheduled meanwhile"


def _still_leased(key: Key, raw: Raw, lease: str) -> bool:
    try:
        return _move(key, lease, now() + _wait(raw))
    except Exception:
        logger.exception("a due task could not be checked again")
        return False


def _wait(raw: Raw) -> timedelta:
    """Wait as long as the task is overdue, so that each wait is about twice the previous one."""
    try:
        overdue = now() - from_wire(raw["dueAt"]["S"])
    except (KeyError, ValueError):
        overdue = FIRST_WAIT
    return min(max(overdue, FIRST_WAIT), LONGEST_WAIT)


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
