"""Notes: a kind of item that only the tests have. `identify` finds their keys, too."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from pynamodb.attributes import NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from dashboard.table import connection, keys, read
from dashboard.table.attributes import PlainListAttribute, PlainMapAttribute
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.items import Item, Raw
from dashboard.table.keypattern import IndexKey, Key, index, pattern
from dashboard.table.timestamps import TimestampAttribute
from dashboard.table.transactions import Transaction

NOTE = pattern("test note", "NOTE#{note}", "NOTE#{page:n8}")
SHELF = index("GSI_Status", "SHELF#{shelf}", "{title:rest}")
READER = index("GSI1", "READER#{reader}", "{title:rest}")
keys._BY_WORD.setdefault("NOTE", []).append(NOTE)

ACTOR = Actor("alma@example.com", "Alma Ríos")
MARCO = Actor("marco@example.com", "Marco Peña")
NOON = datetime(2025, 9, 21, 12, tzinfo=UTC)

# For tests that need only one engine. Not moto: it loses updates, and it acts before a fault can be injected.
on_dynoxide = pytest.mark.parametrize("table", ["dynoxide"], indirect=True)


class Note(Item):
    key_pattern = NOTE

    title = UnicodeAttribute()
    text = UnicodeAttribute(null=True)
    shelf = UnicodeAttribute(null=True)
    reader = UnicodeAttribute(null=True)
    total = NumberAttribute(null=True)
    tags = UnicodeSetAttribute(null=True)
    about = PlainMapAttribute(null=True)
    lines = PlainListAttribute(null=True)
    due_at = TimestampAttribute(null=True, attr_name="dueAt")

    def index_keys(self) -> Iterator[IndexKey]:
        if self.shelf:
            yield SHELF.key(shelf=self.shelf, title=self.title)
        if self.reader:
            yield READER.key(reader=self.reader, title=self.title)


def key(name: str, page: int = 1) -> Key:
    return NOTE.key(note=name, page=page)


def new_note(name: str, page: int = 1, **values: Any) -> Note:
    """A note that is not in the table yet."""
    created = Note.new(note=name, page=page)
    for attribute, value in {"title": f"{name} {page}", **values}.items():
        setattr(created, attribute, value)
    return created


def command(by: Actor = ACTOR) -> Command:
    return new_command(by)


def add_note(name: str, page: int = 1, **values: Any) -> Note:
    """Create a note in a transaction, as the product does."""
    transaction = Transaction(command())
    created = new_note(name, page, **values)
    transaction.create(created)
    return transaction.commit(created)


def put(raw: Raw) -> None:
    """Write a raw item, as an outside writer does."""
    connection.client().put_item(TableName=connection.table().table_name, Item=raw)


def put_note(name: str, page: int = 1, **wire: dict[str, Any]) -> None:
    at = key(name, page)
    put({"PK": {"S": at.pk}, "SK": {"S": at.sk}, "title": {"S": f"{name} {page}"}, **wire})


def load_raw(at: Key) -> Raw | None:
    """The raw item in the table, with all its attributes and without any conversion."""
    found: Raw | None = connection.table().get_item(at.pk, at.sk, consistent_read=True).get("Item")
    return found


def load_note(name: str, page: int = 1) -> Note | None:
    return read.get(Note, key(name, page))


def save_note(item: Note, *, revision: int | None = None, under: Command | None = None) -> Note:
    """Save the changes of a note on this revision."""
    transaction = Transaction(under or command())
    transaction.save(item, revision=item.revision if revision is None else revision)
    return transaction.commit(item)
