"""Every example of the five documents is imported, known for what it is, and found where the design says."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from dashboard.table import connection, read, schema
from dashboard.table.items import Item, to_item
from dashboard.table.keypattern import Key
from tests.conftest import every_engine
from tests.transfer.helpers import HERE, in_table, run
from tests.transfer.seeds import EXPECTED, Seed


def name_of(item: object) -> str:
    app = type(item).__module__.partition(".items")[0]
    return f"{app}.{type(item).__name__}"


def places_of(item: Item) -> dict[str, tuple[str | None, str | None]]:
    found = {}
    for index in schema.INDEXES:
        if index.sk is not None:
            place = getattr(item, index.pk.lower()), getattr(item, index.sk.lower())
            if place != (None, None):
                found[index.name] = place
    return found


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    """The examples in a folder of their own: a checkpoint stands beside them."""
    return Path(shutil.copy(HERE / "seed_items.jsonl", tmp_path))


@every_engine
def test_every_example_is_known_for_what_it_is(table: str, seeds: Path) -> None:
    ran = run("import_items", seeds)
    assert ran.ok, ran
    stored = in_table()
    assert len(stored) == sum(1 for _ in seeds.open()), "no example replaces another"
    wrong = []
    for key in stored:
        (item,) = read.get_many([Key(*key)])
        seed = EXPECTED[key]
        assert isinstance(item, Item), key
        found = Seed(name_of(item), {name: getattr(item, name) for name in seed.values}, places_of(item))  # type: ignore[arg-type]
        if found != seed:
            wrong.append((key, found, seed))
    assert wrong == []
    assert stored.keys() == EXPECTED.keys()


@pytest.fixture
def activity_table(table: str) -> Iterator[str]:
    """The table of a month's activity, beside the other."""
    name = schema.activity_table(settings.DYNAMODB_TABLE, "2025-08")
    connection.client().create_table(**schema.definition(name, schema.ACTIVITY_INDEXES))
    yield name
    connection.client().delete_table(TableName=name)


@every_engine
def test_activity_goes_into_a_table_of_its_own(activity_table: str, tmp_path: Path) -> None:
    seed = shutil.copy(HERE / "seed_activity.jsonl", tmp_path)
    ran = run("import_items", seed, table=activity_table)
    assert ran.ok, ran
    assert ran.err.startswith(f"Table {activity_table} at ")
    ((key, raw),) = in_table(activity_table).items()
    item = to_item(raw)
    assert (name_of(item), item.key) == ("activity.Activity", key)
    assert isinstance(item, Item)
    assert places_of(item) == {"GSI1": ("COUNTRY#Colombia#2025-08-18#7", "2025-08-18T10:30:00Z")}
    assert in_table() == {}


@every_engine
def test_reindex_finds_nothing_to_do_but_the_date(table: str, seeds: Path, tmp_path: Path) -> None:
    """Import leaves a key alone that is there; a person's date becomes a moment only when reindex is asked."""
    run("import_items", seeds)
    ran = run("reindex", checkpoint=tmp_path / "checkpoint")
    assert "Changed 1 of" in ran.out
    assert "person: 1" in ran.out
