"""What counts as a change of an item: the value that the table stores, not what Python finds equal."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from dashboard.table.equality import is_equal
from tests.conftest import every_engine
from tests.table import notes


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (True, 1),
        (False, 0),
        ({"a": True}, {"a": 1}),
        ({"a": [{"b": False}]}, {"a": [{"b": 0}]}),
        ([1, True], [1, 1]),
        ({"a": 1}, {"a": 1, "b": 1}),
        (1, "1"),
        (None, False),
    ],
)
def test_values_of_different_types_differ(one: Any, other: Any) -> None:
    assert not is_equal(one, other) and not is_equal(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [(1, Decimal("1.0")), ({"a": [True, None]}, {"a": [True, None]}), ({"b", "a"}, {"a", "b"})]
)
def test_equal_values_are_equal(one: Any, other: Any) -> None:
    assert is_equal(one, other)


@every_engine
def test_a_value_that_changes_from_true_to_1_is_written(table: str) -> None:
    notes.add_note("a", about={"on": True, "deep": [{"off": False}]}, lines=[True])
    note = notes.load_note("a")
    assert note is not None and note.changes() == {}
    note.about, note.lines = {"on": 1, "deep": [{"off": 0}]}, [1]
    assert note.changes() == {"about": {"on": 1, "deep": [{"off": 0}]}, "lines": [1]}
    notes.save_note(note)
    raw = notes.load_raw(notes.key("a"))
    assert raw is not None and raw["lines"] == {"L": [{"N": "1"}]}
    assert raw["about"] == {"M": {"on": {"N": "1"}, "deep": {"L": [{"M": {"off": {"N": "0"}}}]}}}
