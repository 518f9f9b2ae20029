"""Outside writers, people and the follower on one table, with kill -9. `make bench ARGS=stream`.

WRITES, PEOPLE and KILLS choose the size, ENGINE another engine. The figures of the three lines about data must be 0,
and the last one at most 1: it counts the calls in the op log of the follower that repaired an item, also those of a
killed one. Otherwise the command fails.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from tests import demo

from dashboard.core.clock import now  # isort: skip
from dashboard.core.errors import Conflict
from dashboard.platform.stream.queries import shard_states
from dashboard.platform.stream.writer import REPAIR
from dashboard.table import connection, keys, read
from dashboard.table.commands import Actor, new_command
from dashboard.table.items import Raw, key_of
from dashboard.table.keypattern import Key
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction
from forum.actions import Action
from forum.items import Post
from forum.services.decisions import decide
from forum.statuses import ACTIVE, BANNED, DELETED
from forum.targets import ForumTarget
from tests.outside_kinds import FACTORIES
from tests.stream.helpers import post, post_key, with_key, wrong_keys
from tests.transfer.helpers import start_process, stored_items

WRITERS = 4
# Each writer has so many items, so that many writes change an item again.
ITEMS_PER_WRITER = 150
SETTLE_SECONDS = 1800.0


@dataclass
class Result:
    writes: int
    edits: int
    bans: int
    seconds: float
    overwritten: int
    lost: int
    misplaced: int
    repairs_per_write: float

    @property
    def is_good(self) -> bool:
        return not (self.overwritten or self.lost or self.misplaced) and self.repairs_per_write <= 1

    def __str__(self) -> str:
        return (
            f"{self.writes} outside writes, {self.edits} edits and {self.bans} bans of people, "
            f"settled after {self.seconds:.0f} s\n"
            f"attributes of outside writers overwritten: {self.overwritten}\n"
            f"edits and bans of people lost:             {self.lost}\n"
            f"items under wrong keys:                    {self.misplaced}\n"
            f"repairs per outside write:                 {self.repairs_per_write:.2f}"
        )


@dataclass
class OutsideWriter:
    """Puts whole items of every kind, adds likes and changes customers, without any attribute of ours."""

    number: int
    count: int
    written: int = 0
    # What the table must contain at the end.
    posts: dict[str, Raw] = field(default_factory=dict)
    likes: dict[str, int] = field(default_factory=dict)
    visits: dict[str, int] = field(default_factory=dict)
    others: dict[Key, Raw] = field(default_factory=dict)

    def run(self) -> None:
        choose = random.Random(self.number)
        for serial in range(self.count):
            name = f"w{self.number}-{choose.randrange(ITEMS_PER_WRITER)}"
            action = choose.random()
            if action < 0.3 or name not in self.posts:
                self._put(name, serial, choose)
            elif action < 0.6:
                self._put_other(name, serial)
            elif action < 0.85:
                self._like(name)
            else:
                self._visit(f"c{choose.randrange(PEOPLE)}-{self.number}", serial)
            self.written += 1

    def _put(self, name: str, serial: int, choose: random.Random) -> None:
        likes = choose.randrange(100)
        raw = post(name, content=f"text {serial}", likes=likes, status=choose.choice(["active", "deleted"]))
        self.posts[name], self.likes[name] = raw, likes
        connection.client().put_item(TableName=connection.table().table_name, Item=raw)

    def _put_other(self, name: str, serial: int) -> None:
        raw = FACTORIES[serial % len(FACTORIES)](name, serial)
        self.others[key_of(raw)] = raw
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


@dataclass
class Moderator:
    """Bans posts, which outside writers put again without the ban."""

    number: int
    writers: list[OutsideWriter]
    banned: set[str] = field(default_factory=set)

    def run(self, stop: threading.Event) -> None:
        choose = random.Random(self.number)
        deadline = time.monotonic() + SETTLE_SECONDS
        # On a busy machine the writers may end before the first ban.
        while not stop.is_set() or (not self.banned and time.monotonic() < deadline):
            names = [name for writer in self.writers for name in list(writer.posts)]
            name = choose.choice(names or [f"w0-{choose.randrange(ITEMS_PER_WRITER)}"])
            found = read.get(Post, post_key(name))
            if found is not None and found.status == ACTIVE:
                with suppress(Conflict):
                    self._ban(name, found.revision)
                    self.banned.add(name)
            time.sleep(0.1)

    def _ban(self, name: str, revision: int) -> None:
        command = new_command(Actor(f"moderator{self.number}@example.com", "Moderator"))
        decide(ForumTarget(name), Action.BAN, reason="spam", revision=revision, command=command)


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


def start_follower(log: Path) -> subprocess.Popen[bytes]:
    with log.open("ab") as out:
        return start_process(
            "follow_stream", "--idle=0.1", "--lease=2", stdout=out, stderr=subprocess.DEVNULL, LOG_LEVEL="INFO"
        )


def measure(writes: int, kills: int) -> Result:
    """Run everything at once on the current table, and compare it with what was written."""
    for person in range(PEOPLE):
        for writer in range(WRITERS):
            raw = with_key(customer_key(f"c{person}-{writer}"), {"name": "new"})
            connection.client().put_item(TableName=connection.table().table_name, Item=raw)
    since, stop = time.monotonic(), threading.Event()
    writers = [OutsideWriter(number, writes // WRITERS) for number in range(WRITERS)]
    # One of four people moderates.
    moderators = [Moderator(number, writers) for number in range(PEOPLE // 4)]
    people = [Person(number) for number in range(PEOPLE - len(moderators))]
    threads = [threading.Thread(target=each.run) for each in writers]
    working = [threading.Thread(target=each.run, args=(stop,)) for each in people]
    working += [threading.Thread(target=each.run, args=(stop,)) for each in moderators]
    log = Path(tempfile.mkstemp(suffix=".log")[1])
    follower = start_follower(log)
    for thread in threads + working:
        thread.start()
    for number in range(kills):
        target = writes * (number + 1) // (kills + 1)
        _wait(lambda: sum(each.written for each in writers) >= target)  # noqa: B023 -- called at once
        follower.send_signal(signal.SIGKILL)
        follower.communicate()
        follower = start_follower(log)
    for thread in threads:
        thread.join()
    stop.set()
    for thread in working:
        thread.join()
    # A look at every item takes as much of the engine as the follower: only once it has caught up.
    ended_at = now()
    _wait(lambda: _has_caught_up(ended_at) and not _misplaced(), every=1.0)
    seconds = time.monotonic() - since
    banned = set[str]().union(*(each.banned for each in moderators))
    follower.terminate()
    follower.communicate()
    return Result(
        writes=sum(each.written for each in writers),
        edits=sum(each.edits for each in people),
        bans=len(banned),
        seconds=seconds,
        overwritten=sum(_overwritten(each, banned) for each in writers),
        lost=sum(_lost(each) for each in people) + _lost_bans(banned),
        misplaced=len(_misplaced()),
        repairs_per_write=_repairs(log) / max(sum(each.written for each in writers), 1),
    )


def _has_caught_up(ended_at: datetime) -> bool:
    shards = [each for each in shard_states() if not each.is_finished]
    return all(each.caught_up_at is not None and each.caught_up_at >= ended_at for each in shards)


def _misplaced() -> list[Any]:
    return [key for key, raw in stored_items().items() if wrong_keys(raw)]


def _overwritten(writer: OutsideWriter, banned: set[str]) -> int:
    """The status of a banned post is written by re-applying the decision."""
    stored = stored_items()
    wrong = 0
    for name, raw in writer.posts.items():
        found = stored[post_key(name)]
        expected = raw | {"likes": {"N": str(writer.likes[name])}}
        decided = {"status"} if name in banned else set()
        wrong += any(found.get(attribute) != expected[attribute] for attribute in expected.keys() - decided)
    wrong += sum(
        any(stored[key].get(attribute) != value for attribute, value in raw.items())
        for key, raw in writer.others.items()
    )
    return wrong + sum(
        stored[customer_key(name)].get("visit") != {"N": str(serial)} for name, serial in writer.visits.items()
    )


def _lost(person: Person) -> int:
    stored = stored_items()
    return sum(stored[customer_key(name)].get("name") != {"S": value} for name, value in person.names.items())


def _lost_bans(banned: set[str]) -> int:
    """A ban applies to whatever the text becomes. A post that an outside writer has deleted stays deleted."""
    stored = stored_items()
    return sum(stored[post_key(name)]["status"]["S"] not in (BANNED, DELETED) for name in banned)


def _repairs(log: Path) -> int:
    """The repairs that were written, each in one call."""
    calls = [json.loads(line) for line in log.read_text().splitlines() if REPAIR in line]
    return sum(call["pattern"] == REPAIR and not call.get("error") for call in calls)


def _wait(is_true: Callable[[], bool], every: float = 0.1) -> None:
    deadline = time.monotonic() + SETTLE_SECONDS
    while not is_true() and time.monotonic() < deadline:
        time.sleep(every)


def main() -> None:
    with demo.engine() as engine:
        result = measure(int(os.environ.get("WRITES", "10000")), int(os.environ.get("KILLS", "5")))
        print(f"{engine}, {PEOPLE} people\n{result}")
    if not result.is_good:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
