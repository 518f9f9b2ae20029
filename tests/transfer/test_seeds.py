"""Every example of the five documents is imported, with its class and with the index keys of the design."""

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
from tests.transfer.helpers import HERE, run, stored_items
from tests.transfer.seeds import EXPECTED, Seed


def class_name(item: object) -> str:
    app = type(item).__module__.partition(".items")[0]
    return f"{app}.{type(item).__name__}"


def index_keys_of(item: Item) -> dict[str, tuple[str | None, str | None]]:
    found = {}
    for index in schema.INDEXES:
        if index.sk is not None:
            index_key = getattr(item, index.pk.lower()), getattr(item, index.sk.lower())
            if index_key != (None, None):
                found[index.name] = index_key
    return found


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    """A copy of the examples, because a checkpoint is written beside them."""
    return Path(shutil.copy(HERE / "seed_items.jsonl", tmp_path))


@every_engine
def test_every_example_has_its_class_values_and_index_keys(table: str, seeds: Path) -> None:
    result = run("import_items", seeds)
    assert result.ok, result
    stored = stored_items()
    assert len(stored) == sum(1 for _ in seeds.open()), "no example replaces another"
    differences = []
    for key in stored:
        (item,) = read.get_many([Key(*key)])
        seed = EXPECTED[key]
        assert isinstance(item, Item), key
        found = Seed(class_name(item), {name: getattr(item, name) for name in seed.values}, index_keys_of(item))  # type: ignore[arg-type]
        if found != seed:
            differences.append((key, found, seed))
    assert differences == []
    assert stored.keys() == EXPECTED.keys()


@pytest.fixture
def activity_table(table: str) -> Iterator[str]:
    """The table for the activity of one month."""
    name = schema.activity_table(settings.DYNAMODB_TABLE, "2025-08")
    connection.client().create_table(**schema.definition(name, schema.ACTIVITY_INDEXES))
    yield name
    connection.client().delete_table(TableName=name)


@every_engine
def test_activity_is_imported_into_its_own_table(activity_table: str, tmp_path: Path) -> None:
    seed = shutil.copy(HERE / "seed_activity.jsonl", tmp_path)
    result = run("import_items", seed, table=activity_table)
    assert result.ok, result
    assert result.err.startswith(f"Table {activity_table} at ")
    ((key, raw),) = stored_items(activity_table).items()
    item = to_item(raw)
    assert (class_name(item), item.key) == ("activity.Activity", key)
    assert isinstance(item, Item)
    assert index_keys_of(item) == {"GSI1": ("COUNTRY#Colombia#2025-08-18#7", "2025-08-18T10:30:00Z")}
    assert stored_items() == {}


@every_engine
def test_reindex_after_the_import_changes_only_one_date(table: str, seeds: Path, tmp_path: Path) -> None:
    """Import keeps existing keys; only reindex converts the date of a person into a timestamp."""
    run("import_items", seeds)
    result = run("reindex", checkpoint=tmp_path / "checkpoint")
    assert "Changed 1 of" in result.out
    assert "person: 1" in result.out
