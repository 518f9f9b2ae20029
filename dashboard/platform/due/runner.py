"""Runs due tasks: takes a lease on each item, calls its handler and postpones failed tasks."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from pynamodb.expressions.operand import Path

from dashboard.core.clock import now
from dashboard.platform.due import queries
from dashboard.platform.due.registry import BEFORE_EACH_RUN, HANDLERS, Preparation
from dashboard.table import keys, oplog, write
from dashboard.table.due_times import LEASE_FOR, LEASE_UNTIL, RETRY_AT, RETRY_FOR
from dashboard.table.items import Item, PlainItem, Raw, to_item
from dashboard.table.keypattern import IndexPattern, Key
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


def run(
    max_items: int = MAX_ITEMS, max_seconds: float = MAX_SECONDS, *, queue: IndexPattern = keys.DUE
) -> Iterator[TaskResult]:
    """Run the due tasks of a queue one after the other; yields the result of each."""
    if queue is keys.DUE:
        for prepare in BEFORE_EACH_RUN:
            yield from _prepare(prepare)
    ends, started, start_key = time.monotonic() + max_seconds, 0, None
    while True:
        page = queries.due_tasks(start_key, queue=queue)
        for item in page.items:
            if started >= max_items or time.monotonic() > ends:
                yield TaskResult("run_due", "more tasks are due; the next run continues")
                return
            result = _run_task(item.key, queue)
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


def _run_task(key: Key, queue: IndexPattern) -> TaskResult | None:
    """Run one task, if it is due and no other run has it."""
    until = to_wire(now() + LEASE)
    raw = _acquire_lease(key, until, queue)
    if raw is None:
        return None
    item, kind = to_item(raw), keys.kind_of(key) or "unknown kind"
    lease = _Lease(key, until, raw, queue.collection().pk)
    handler = HANDLERS.get(kind)
    task = f"{kind} {key.pk} / {key.sk}"
    if handler is None or isinstance(item, PlainItem):
        logger.error("a kind of task has no handler", extra={"kind": kind})
        return TaskResult(task, f"no handler for this kind; {_postpone(lease)}", failed=True)
    try:
        with oplog.attributed_to(f"{handler.__module__}.{handler.__name__}"):
            text = handler(item)
    except Exception as error:
        # A task that fails must not stop the others.
        logger.exception("a due task failed", extra={"kind": kind})
        return TaskResult(task, f"{_reason(error)} ({_postpone(lease)})", failed=True)
    if _still_leased(lease):
        logger.error("a handler left its item due", extra={"kind": kind})
        return TaskResult(task, "its handler did not reschedule it; it will run again", failed=True)
    return TaskResult(task, text or "done")


@dataclass(frozen=True)
class _Lease:
    """A task that this run has until a time, and the item as it was then."""

    key: Key
    until: str
    raw: Raw
    # The partition of its queue in the index.
    queue: str

    @property
    def due_at(self) -> str:
        """The time under which the class of the item lists it; the stored one if the class does not list it."""
        item = to_item(self.raw)
        index_keys = item.index_keys() if isinstance(item, Item) else ()
        stored: str = self.raw["GSIStatusSK"]["S"]
        return next((key.sk or stored for key in index_keys if key.pk == self.queue), stored)


def _acquire_lease(key: Key, until: str, queue: IndexPattern) -> Raw | None:
    """Mark the item as ours until a time, if the item itself is due and no other run has it."""
    listed_at, lease_for, lease_until = Item.gsistatussk, Path([LEASE_FOR]), Path([LEASE_UNTIL])
    is_due = (Item.gsistatuspk == queue.collection().pk) & (listed_at <= to_wire(now()))
    is_free = lease_until.does_not_exist() | (lease_until <= to_wire(now())) | (lease_for != Path(listed_at))
    return write.update(key, [lease_until.set(until), lease_for.set(Path(listed_at))], is_due & is_free)


def _try_later(lease: _Lease, at: datetime) -> bool:
    """List the item at another time, if we still have the lease."""
    has_lease = (
        (Item.gsistatuspk == lease.queue)
        & (Item.gsistatussk == lease.raw["GSIStatusSK"]["S"])
        & (Path([LEASE_UNTIL]) == lease.until)
    )
    actions = [
        Item.gsistatussk.set(to_wire(at)),
        Path([RETRY_AT]).set(to_wire(at)),
        Path([RETRY_FOR]).set(lease.due_at),
        Path([LEASE_UNTIL]).remove(),
        Path([LEASE_FOR]).remove(),
    ]
    return write.update(lease.key, actions, has_lease) is not None


def _postpone(lease: _Lease) -> str:
    at = now() + _wait(lease.raw)
    try:
        moved = _try_later(lease, at)
    except Exception:
        # The table does not answer: the item is due again at the end of the lease.
        logger.exception("a due task could not be postponed")
        return f"again at {lease.until}"
    return f"again at {to_wire(at)}" if moved else "it was rescheduled meanwhile"


def _still_leased(lease: _Lease) -> bool:
    try:
        return _try_later(lease, now() + _wait(lease.raw))
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
