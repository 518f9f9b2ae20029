"""Outside writers, people and the follower on one table, with kill -9. `make bench ARGS=stream`.

WRITES, PEOPLE and KILLS choose the size. Every figure after the first three must be 0, and the last one at most 1.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests import demo

from dashboard.core.errors import Conflict  # isort: skip
from dashboard.platform.stream.changes import Change
from dashboard.platform.stream.records import change_of, is_own
from dashboard.platform.stream.repairs import DERIVED
from dashboard.table import connection, keys, read
from dashboard.table.commands import Actor, new_command
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction
from tests.stream.helpers import all_records, post, post_key, with_key, wrong_keys
from tests.transfer.helpers import start_process, stored_items

WRITERS = 4
# Each writer has so many items, so that many writes change an item again.
ITEMS_PER_WRITER = 150
SETTLE_SECONDS = 120.0


@dataclass
class Result:
    writes: int
    edits: int
    seconds: float
    overwritten: int
    lost: int
    misplaced: int
    repairs_per_write: float

    def __str__(self) -> str:
        return (
            f"{self.writes} outside writes and {self.edits} edits of people, settled after {self.seconds:.0f} s\n"
            f"attributes of outside writers overwritten: {self.overwritten}\n"
            f"edits of people lost:                      {self.lost}\n"
            f"items under wrong keys:                    {self.misplaced}\n"
            f"repairs per outside write:                 {self.repairs_per_write:.2f}"
        )


@dataclass
class OutsideWriter:
    """Puts whole posts, adds likes and changes customers, without any attribute of ours."""

    number: int
    count: int
    written: int = 0
    # What the table must contain at the end.
    posts: dict[str, Raw] = field(default_factory=dict)
    likes: dict[str, int] = field(default_factory=dict)
    visits: dict[str, int] = field(default_factory=dict)

    def run(self) -> None:
        choose = random.Random(self.number)
        for serial in range(self.count):
            name = f"w{self.number}-{choose.randrange(ITEMS_PER_WRITER)}"
            action = choose.random()
            if action < 0.5 or name not in self.posts:
                self._put(name, serial, choose)
            elif action < 0.8:
                self._like(name)
            else:
                self._visit(f"c{choose.randrange(PEOPLE)}-{self.number}", serial)
            self.written += 1

    def _put(self, name: str, serial: int, choose: random.Random) -> None:
        likes = choose.randrange(100)
        raw = post(name, content=f"text {serial}", likes=likes, status=choose.choice(["active", "deleted"]))
        self.posts[name], self.likes[name] = raw, likes
        connection.client().put_item(TableName=connection.table().table_name, Item=raw)

    def _like(self, name: str) -> None:
        self.likes[name] += 1
        _update(post_key(name), "ADD likes :n", {":n": {"N": "1"}})

    def _visit(self, customer: str, serial: int) -> None:
        self.visits[customer] = serial
        _update(customer_key(customer), "SET visit = :n", {":n": {"N": str(serial)}})


@dataclass
class Person:
    """Edits customers, in which outside writers change other attributes."""

    number: int
    names: dict[str, str] = field(default_factory=dict)
    edits: int = 0

    def run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            customer = f"c{self.number}-{self.edits % WRITERS}"
            name = f"name {self.edits}"
            retry_on(Conflict, lambda: self._edit(customer, name))  # noqa: B023 -- called at once
            self.names[customer] = name
            self.edits += 1
            time.sleep(0.02)

    def _edit(self, customer: str, name: str) -> None:
        item: Any = read.get_many([customer_key(customer)])[0]
        item.name = name
        transaction = Transaction(new_command(Actor(f"person{self.number}@example.com", "Person")))
        transaction.save(item, revision=item.revision)
        transaction.commit(item)


def _update(key: Key, expression: str, values: Any) -> None:
    connection.client().update_item(
        TableName=connection.table().table_name,
        Key=with_key(key, {}),
        UpdateExpression=expression,
        ExpressionAttributeValues=values,
    )


def customer_key(name: str) -> Key:
    return keys.CUSTOMER.key(tenant="andina", customer=name)


PEOPLE = int(os.environ.get("PEOPLE", "8"))


def start_follower() -> subprocess.Popen[bytes]:
    return start_process("follow_stream", "--idle=0.1", "--lease=2", stderr=subprocess.DEVNULL)


def measure(writes: int, kills: int) -> Result:
    """Run everything at once on the current table, and compare it with what was written."""
    for person in range(PEOPLE):
        for writer in range(WRITERS):
            raw = with_key(customer_key(f"c{person}-{writer}"), {"name": "new"})
            connection.client().put_item(TableName=connection.table().table_name, Item=raw)
    since, stop = time.monotonic(), threading.Event()
    writers = [OutsideWriter(number, writes // WRITERS) for number in range(WRITERS)]
    people = [Person(number) for number in range(PEOPLE)]
    threads = [threading.Thread(target=each.run) for each in writers]
    working = [threading.Thread(target=each.run, args=(stop,)) for each in people]
    follower = start_follower()
    for thread in threads + working:
        thread.start()
    for number in range(kills):
        target = writes * (number + 1) // (kills + 1)
        _wait(lambda: sum(each.written for each in writers) >= target)  # noqa: B023 -- called at once
        follower.send_signal(signal.SIGKILL)
        follower.communicate()
        follower = start_follower()
    for thread in threads:
        thread.join()
    stop.set()
    for thread in working:
        thread.join()
    _wait(lambda: not _misplaced())
    seconds = time.monotonic() - since
    follower.terminate()
    follower.communicate()
    return Result(
        writes=sum(each.written for each in writers),
        edits=sum(each.edits for each in people),
        seconds=seconds,
        overwritten=sum(_overwritten(each) for each in writers),
        lost=sum(_lost(each) for each in people),
        misplaced=len(_misplaced()),
        repairs_per_write=_repairs() / max(sum(each.written for each in writers), 1),
    )


def _misplaced() -> list[Any]:
    return [key for key, raw in stored_items().items() if wrong_keys(raw)]


def _overwritten(writer: OutsideWriter) -> int:
    stored = stored_items()
    wrong = 0
    for name, raw in writer.posts.items():
        found = stored[post_key(name)]
        expected = raw | {"likes": {"N": str(writer.likes[name])}}
        wrong += any(found.get(attribute) != value for attribute, value in expected.items())
    return wrong + sum(
        stored[customer_key(name)].get("visit") != {"N": str(serial)} for name, serial in writer.visits.items()
    )


def _lost(person: Person) -> int:
    stored = stored_items()
    return sum(stored[customer_key(name)].get("name") != {"S": value} for name, value in person.names.items())


def _repairs() -> int:
    """The writes of the follower in the stream: they change derived attributes only."""
    changes: list[Change] = [change_of(record) for record in all_records() if not is_own(record)]
    return sum(change.old is not None and bool(change.changed) and change.changed <= DERIVED for change in changes)


def _wait(is_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SETTLE_SECONDS
    while not is_true() and time.monotonic() < deadline:
        time.sleep(0.1)


def main() -> None:
    with demo.engine() as engine:
        result = measure(int(os.environ.get("WRITES", "10000")), int(os.environ.get("KILLS", "5")))
        print(f"{engine}, {PEOPLE} people\n{result}")


if __name__ == "__main__":
    main()
