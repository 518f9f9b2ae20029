"""Repairs the items of a batch of records, and counts what it did."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from dashboard.core.clock import now
from dashboard.core.errors import Unavailable
from dashboard.core.names import printable_value
from dashboard.platform.stream import writer
from dashboard.platform.stream.changes import Change
from dashboard.platform.stream.observers import notify_observers
from dashboard.platform.stream.records import ItemChange, Record, by_item, change_of, created_at
from dashboard.platform.stream.repairs import compute_repairs
from dashboard.platform.stream.rules import follow_up, load_context
from dashboard.table import keys, read
from dashboard.table.index_keys import NotComputable
from dashboard.table.keypattern import Key
from dashboard.table.retries import Backoff, MissingTable
from dashboard.table.timestamps import to_wire

logger = logging.getLogger("trastienda.stream")

# An item that changes all the time has a newer record for every change.
TRIES = 5
# From this age on the newest image of a record is often not the current item. Engines round the time to seconds.
LATE_SECONDS = 2.0
MAX_FAILURES = 20
MAX_REASON = 300
MAX_KINDS = 200
OTHER_KINDS = "…"


class KeepsChanging(Exception):
    """Every attempt met a newer state of the item or of what its repair depends on."""


@dataclass
class RepairTally:
    """What was done for some records. `failures` are the newest ones only."""

    records: int = 0
    repairs: int = 0
    failed: int = 0
    failures: list[dict[str, str]] = field(default_factory=list)
    # The number of items by kind: created minus deleted.
    kinds: Counter[str] = field(default_factory=Counter)

    def fail(self, kind: str, key: Key, error: Exception) -> None:
        reason = printable_value(f"{type(error).__name__}: {error}")[:MAX_REASON]
        self.failed += 1
        failure = {"kind": kind, "pk": key.pk, "sk": key.sk, "reason": reason, "at": to_wire(now())}
        self.failures = [each for each in self.failures if (each["pk"], each["sk"]) != key] + [failure]
        del self.failures[:-MAX_FAILURES]

    def add(self, other: RepairTally) -> None:
        self.records += other.records
        self.repairs += other.repairs
        self.failed += other.failed
        self.failures = [*self.failures, *other.failures][-MAX_FAILURES:]
        self.kinds = added_kinds(self.kinds, other.kinds)

    def count(self, change: Change) -> None:
        step = (change.old is None) - (change.new is None)
        if step:
            self.kinds = added_kinds(self.kinds, {kind_name(change.key): step})


def added_kinds(kinds: Mapping[str, int], more: Mapping[str, int]) -> Counter[str]:
    """The sum of two counts by kind. Keys of outside writers can be arbitrary: further kinds are counted together."""
    total = Counter(kinds)
    for kind, number in more.items():
        total[kind if kind in total or len(total) < MAX_KINDS else OTHER_KINDS] += number
    return total


def kind_name(key: Key) -> str:
    return keys.kind_of(key) or printable_value(keys.name_of_unknown_kind(key))


def process(records: Iterable[Record], tally: RepairTally) -> None:
    """Repair the items of these records. A failure of one item does not stop the others.

    Raises Unavailable if the table does not answer: nothing may be skipped then.
    """
    batch = list(records)
    items = by_item(batch)
    for each in _with_current_images(items) if _is_late(batch) else items:
        process_item(each, tally)
    observe(batch, tally)
    for record in batch:
        tally.count(change_of(record))
    tally.records += len(batch)


def observe(records: list[Record], tally: RepairTally) -> None:
    """Pass the changes to the observers. What an observer refuses does not stop the repairs."""
    try:
        notify_observers(records)
    except MissingTable as error:
        logger.error("a change was not observed: a table is missing", exc_info=error)
        tally.fail("activity", change_of(records[0]).key, error)
    except Unavailable:
        raise
    except Exception as error:
        logger.exception("changes could not be observed")
        tally.fail("activity", change_of(records[0]).key, error)


def _is_late(records: list[Record]) -> bool:
    at = created_at(records[-1]) if records else 0
    return 0 < at < time.time() - LATE_SECONDS


def _with_current_images(items: list[ItemChange]) -> Iterator[ItemChange]:
    """The items as they are now. The image of a late record is usually outdated, so that its repair would fail."""
    current_items = read.raw_items([each.change.key for each in items])
    for each, current in zip(items, current_items, strict=True):
        if each.change.new is None:
            yield each
        elif current is not None:
            each.move_to(current)
            yield each
        # Otherwise it was deleted meanwhile, which has a record of its own.


def process_item(item: ItemChange, tally: RepairTally) -> None:
    try:
        tally.repairs += repair(item)
    except Unavailable:
        raise
    except Exception as error:
        # Of whatever kind the error is, the same record would cause it again and stop everything after it.
        key, kind = item.change.key, kind_name(item.change.key)
        level = (
            logging.WARNING if isinstance(error, writer.WriteRefused | KeepsChanging | NotComputable) else logging.ERROR
        )
        logger.log(level, "an item could not be repaired", exc_info=error, extra={"kind": kind})
        tally.fail(kind, key, error)


def repair(item: ItemChange) -> bool:
    """Repair one item and what depends on it; returns whether the repair has written anything."""
    has_written = _repair(item)
    follow_up(item.change, item.rules)
    return has_written


def _repair(item: ItemChange) -> bool:
    backoff = Backoff(tries=TRIES)
    while True:
        change = item.change
        context = load_context(change, item.rules, revision=item.revision)
        writes = compute_repairs(change.old, change.new, context)
        if not writes:
            return False
        if writer.apply(writes):
            return True
        if not backoff.wait():
            raise KeepsChanging("it keeps changing")
        current = read.raw_item(change.key)
        if current is None and change.new is not None:
            return False  # Deleted meanwhile, which has a record of its own.
        item.move_to(current)
