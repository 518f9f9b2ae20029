"""Writers that sell, deliver, transfer and count the same products at once, and a check of what they were told."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

from dashboard.core.errors import Conflict, Refused
from dashboard.platform.stream.batches import RepairTally, process
from dashboard.platform.stream.source import Stream
from dashboard.table.commands import Actor, Command, new_command
from franchises.items import StockItem
from franchises.ledger import add, units_of
from franchises.queries.stock import item_key, load_stock_item
from franchises.reasons import MovementReason
from franchises.services.stock import change_stock, set_stock
from franchises.services.transfers import transfer
from franchises.verification import StockCount, verify
from tests.faults import act_then_break, bad_network, lose_reply, retry_until_available
from tests.franchises.chain import BUSINESS, CENTRO, NORTE, head_of, ledger_of, put_product, raw_product, set_raw

# Ten products in two branches: twenty stock items.
IN_CENTRO = [f"product-c{number}" for number in range(10)]
IN_NORTE = [f"product-n{number}" for number in range(10)]
PRODUCTS = IN_CENTRO + IN_NORTE
ACTS = ("sell", "sell", "sell", "deliver", "transfer", "count", "count anyway")
OPENING = 30


@dataclass(frozen=True)
class StockAttempt:
    """One action of a person, and its reported result."""

    command: Command
    act: str
    # The stock after each movement that was reported, by product; empty if it was refused.
    reported: dict[str, float]
    seconds: float


@dataclass
class RaceResult:
    """What happened in a race."""

    attempts: list[StockAttempt]
    raw_writes: int
    repairs: int
    faults: int
    seconds: float


def put_products() -> None:
    for branch, products in ((CENTRO, IN_CENTRO), (NORTE, IN_NORTE)):
        for number, product in enumerate(products):
            put_product(product, branch=branch, name=f"Product {number}", stock=OPENING)


def act(chance: random.Random, by: Actor) -> StockAttempt:
    """Do one random action; repeat it while the table is unavailable."""
    command, what, number = new_command(by), chance.choice(ACTS), chance.randrange(len(IN_CENTRO))
    product, units = chance.choice((IN_CENTRO, IN_NORTE))[number], chance.randint(1, 9)
    pair = [IN_CENTRO[number], IN_NORTE[number]]
    chance.shuffle(pair)
    seen = units_of(retry_until_available(lambda: load_stock_item(BUSINESS, product)))
    since = time.perf_counter()

    def attempt_once() -> dict[str, float]:
        if what == "transfer":
            both = transfer(BUSINESS, *pair, units=units, command=command)
            return {each.product_id: each.after for each in both}
        if what == "sell":
            done = change_stock(BUSINESS, product, change=-units, reason=MovementReason.SALE, command=command)
        elif what == "deliver":
            done = change_stock(BUSINESS, product, change=units, reason=MovementReason.DELIVERY, command=command)
        else:
            shown: int | Literal["any"] = int(seen) if what == "count" else "any"
            done = set_stock(
                BUSINESS, product, stock=units + 20, seen=shown, reason=MovementReason.COUNT, command=command
            )
        return {done.product_id: done.after}

    try:
        reported = retry_until_available(attempt_once)
    except (Conflict, Refused):
        reported = {}
    return StockAttempt(command, what, reported, time.perf_counter() - since)


class RawWriter:
    """Updates `stock` directly, as the franchise service does, until it is stopped."""

    def __init__(self, pause: float) -> None:
        self.writes, self._pause, self._over = 0, pause, threading.Event()

    def run(self) -> None:
        chance = random.Random(3)
        while not self._over.wait(self._pause):
            try:
                set_raw(item_key(BUSINESS, chance.choice(PRODUCTS)), stock=chance.randint(5, 60))
            except Exception:
                continue  # Its own reply was lost.
            self.writes += 1

    def stop(self) -> None:
        self._over.set()


class Follower:
    """Follows the table's stream until it is stopped."""

    def __init__(self) -> None:
        self.tally, self._over, self._stream = RepairTally(), threading.Event(), Stream.of_table()
        self._iterators: list[str | None] = [self._stream.iterator(shard.id, None) for shard in self._stream.shards()]

    def run(self) -> None:
        while not self._over.is_set():
            self.follow()

    def follow(self) -> int:
        """Process what is in the stream now, however often the table does not answer."""
        count = 0
        for number, iterator in enumerate(self._iterators):
            if iterator is None:
                continue
            try:
                records, following = self._stream.records(iterator)
            except Exception:
                continue  # Its reply was lost: the same records are read again.
            retry_until_available(lambda records=records: process(records, self.tally))  # type: ignore[misc]
            self._iterators[number] = following
            count += len(records)
        return count

    def finish(self) -> None:
        while self.follow():
            pass

    def stop(self) -> None:
        self._over.set()


def race(writers: int, actions: int, *, pause: float = 0.02) -> RaceResult:
    """Let this many writers act at once, while replies are lost, a raw writer writes and the follower follows."""
    put_products()
    raw_writer, follower, start = RawWriter(pause), Follower(), threading.Barrier(writers)

    def write(number: int) -> list[StockAttempt]:
        chance, by = random.Random(number), Actor(f"p{number}@example.com")
        start.wait()
        return [act(chance, by) for _ in range(actions)]

    since = time.perf_counter()
    with bad_network() as network, ThreadPoolExecutor(writers + 2) as pool:
        network.add_random_fault(0.04, lose_reply)
        network.add_random_fault(0.04, act_then_break)
        helpers = [pool.submit(raw_writer.run), pool.submit(follower.run)]
        try:
            attempts = [each for results in pool.map(write, range(writers)) for each in results]
        finally:
            raw_writer.stop()
            follower.stop()
        for helper in helpers:
            helper.result()
        network.stop_faults()
    took = time.perf_counter() - since
    follower.finish()
    return RaceResult(attempts, raw_writer.writes, follower.tally.repairs, network.faults, took)


def check_ledgers(attempts: Sequence[StockAttempt]) -> None:
    """The ledgers explain the stock, and contain exactly what the writers were told."""
    stored: dict[str, list[tuple[str, float]]] = {}
    for product in PRODUCTS:
        movements, head = ledger_of(product), head_of(product)
        assert [each.seq for each in movements] == list(range(1, len(movements) + 1)), "numbered without gaps"
        stock: Any = head.opening_balance
        for movement in movements:
            assert movement.before == stock
            stock = add(stock, movement.change)
            assert movement.after == stock
            if movement.operation:
                stored.setdefault(movement.operation, []).append((product, movement.after))
        assert units_of(StockItem.of(raw_product(product))) == stock == head.last_after
    told = {each.command.id: sorted(each.reported.items()) for each in attempts if each.reported}
    assert {operation: sorted(found) for operation, found in stored.items()} == told
    # Index keys and totals too.
    assert list(verify([BUSINESS], StockCount())) == []


def outcomes(attempts: Sequence[StockAttempt]) -> Counter[str]:
    return Counter(each.act for each in attempts if each.reported)
