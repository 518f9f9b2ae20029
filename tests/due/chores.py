"""Chores: a kind of item with a due date that only these tests have."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from pynamodb.attributes import NumberAttribute

from dashboard.table import keys, read
from dashboard.table.commands import SYSTEM, new_command
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey, Key, pattern
from dashboard.table.timestamps import TimestampAttribute
from dashboard.table.transactions import Transaction

CHORE = pattern("test chore", "CHORE#{chore}", "CHORE")
# A kind with a key pattern and without a handler.
ODD_JOB = pattern("test odd job", "ODDJOB#{chore}", "ODDJOB")
keys._BY_WORD.setdefault("CHORE", []).append(CHORE)
keys._BY_WORD.setdefault("ODDJOB", []).append(ODD_JOB)
NOON = datetime(2025, 9, 21, 12, tzinfo=UTC)


class Chore(Item):
    key_pattern = CHORE

    due_at = TimestampAttribute(null=True, attr_name="dueAt")
    times = NumberAttribute(default=0)

    def index_keys(self) -> Iterator[IndexKey]:
        if self.due_at:
            yield keys.DUE.key(due_at=self.due_at)


class OddJob(Chore):
    key_pattern = ODD_JOB


def key(name: str) -> Key:
    return CHORE.key(chore=name)


def add(name: str, due_at: datetime, cls: type[Chore] = Chore) -> Chore:
    chore = cls.new(chore=name)
    chore.due_at = due_at
    transaction = Transaction(new_command(SYSTEM))
    transaction.create(chore)
    return transaction.commit(chore)


def get(name: str, cls: type[Chore] = Chore) -> Chore:
    found = read.get(cls, cls.key_pattern.key(chore=name))
    assert found is not None
    return found


def do(chore: Chore) -> str:
    """Count it and remove its due date in one transaction, as every handler must."""
    chore.times += 1
    chore.due_at = None
    transaction = Transaction(new_command(SYSTEM))
    transaction.save(chore, revision=chore.revision)
    transaction.commit(chore)
    return f"did it, {chore.times} in all"
