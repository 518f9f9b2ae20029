"""Attributes of outside writers are read without loss and kept when the product saves the item."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.core.errors import Conflict
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people
from dashboard.table import read
from dashboard.table.attributes import PlainListAttribute, PlainMapAttribute
from dashboard.table.items import Item, Raw
from dashboard.table.keypattern import Key
from dashboard.table.timestamps import from_wire
from dashboard.table.transactions import Transaction
from tests.conftest import every_engine
from tests.table.notes import (
    MARCO,
    NOON,
    Note,
    add_note,
    command,
    load_note,
    load_raw,
    new_note,
    put,
    put_note,
    save_note,
)

# A map as outside writers store it: settings, working hours, words with their options.
MIXED = {
    "text": "Ñandú",
    "whole": 42,
    "negative": -7,
    "half": 0.5,
    "price": 19.99,
    "big": 12345678901234567890,
    "yes": True,
    "no": False,
    "nothing": None,
    "list": ["a", 1, 2.5, None, True, ["deep", {"er": 1}], {}],
    "map": {"inner": {"innermost": [1, {"x": 0.1}]}},
    "empty map": {},
    "empty list": [],
    "MON": [{"from": "09:00", "to": "13:00"}],
}
plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.decimals(-(10**9), 10**9, places=4).map(float)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=5), plain, max_size=4))
def test_any_map_is_the_same_after_writing_and_reading(value: dict[str, Any]) -> None:
    attribute = PlainMapAttribute()
    assert attribute.deserialize(attribute.serialize(value)) == value


@given(st.lists(plain, max_size=4))
def test_any_list_is_the_same_after_writing_and_reading(value: list[Any]) -> None:
    attribute = PlainListAttribute()
    assert attribute.deserialize(attribute.serialize(value)) == value


def test_numbers_are_read_as_int_or_float() -> None:
    attribute = PlainListAttribute()
    read_back = attribute.deserialize([{"N": "3"}, {"N": "3.0"}, {"N": "0.1"}, {"N": "1E+3"}])
    assert read_back == [3, 3, 0.1, 1000]
    assert [type(each) for each in read_back] == [int, int, float, int]


def test_a_float_is_written_in_its_short_form() -> None:
    """Not as 0.1000000000000000055511151231257827."""
    assert PlainListAttribute().serialize([0.1, 19.99]) == [{"N": "0.1"}, {"N": "19.99"}]


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_nan_and_infinity_are_refused(number: float) -> None:
    with pytest.raises(TypeError):
        PlainMapAttribute().serialize({"score": number})


@every_engine
def test_maps_and_lists_of_mixed_values_are_stored_without_loss(table: str) -> None:
    # DynamoDB Local does not support empty texts; the product does not need them.
    add_note("ana", about=MIXED, lines=MIXED["list"], tags={"rain", "sun"}, total=2.5)
    ana = load_note("ana")
    assert ana is not None
    assert ana.about == MIXED
    assert ana.lines == MIXED["list"]
    assert ana.tags == {"rain", "sun"}
    assert ana.total == 2.5


@every_engine
def test_editing_an_item_of_an_outside_writer_keeps_its_unknown_attributes(table: str) -> None:
    """The item has no revision, and attributes and types that the product does not know."""
    outside_item: Raw = {
        "PK": {"S": "NOTE#ana"},
        "SK": {"S": "NOTE#1"},  # Not padded, as outside writers do it.
        "title": {"S": "Ana's"},
        "createdAt": {"S": "2025-08-18"},
        "stars": {"N": "3.14159265358979323846"},
        "blob": {"B": b"\x00\xff"},
        "blobs": {"BS": [b"\x01", b"\x02"]},
        "numbers": {"NS": ["1", "2"]},
        "nothing": {"NULL": True},
        "deep": {"M": {"er": {"L": [{"N": "1"}, {"M": {"b": {"B": b"\x03"}}}]}}},
        "likes": {"N": "12"},
    }
    put(outside_item)
    (ana,) = read.get_many([Key("NOTE#ana", "NOTE#1")])
    assert isinstance(ana, Note)
    assert (ana.title, ana.revision) == ("Ana's", 0)

    ana.text = "Edited here."
    save_note(ana, revision=0, under=command(MARCO))

    now = load_raw(ana.key)
    assert now is not None
    known = {name: value for name, value in now.items() if name in outside_item}
    assert _unordered(known) == _unordered(outside_item)
    assert now["text"] == {"S": "Edited here."}
    assert now["revision"] == {"N": "1"}
    assert now["updatedBy"] == {"S": "marco@example.com"}


def _unordered(raw: Raw) -> Raw:
    """The item with sorted sets and decimal numbers: engines differ in the order of sets and the form of numbers."""
    order: dict[str, Callable[[Any], Any]] = {"BS": sorted, "NS": sorted, "N": Decimal}
    return {name: {kind: order.get(kind, lambda same: same)(value)} for name, (kind, value) in _typed(raw)}


def _typed(raw: Raw) -> list[tuple[str, tuple[str, Any]]]:
    return [(name, next(iter(value.items()))) for name, value in raw.items()]


@every_engine
def test_inviting_a_person_of_an_outside_writer_keeps_their_attributes(table: str) -> None:
    """The person is a `USER#` item of an event, and is invited to the back office."""
    put(
        {
            "PK": {"S": "USER#lucia@example.com"},
            "SK": {"S": "PROFILE"},
            "email": {"S": "lucia@example.com"},
            "name": {"S": "Lucía Herrera"},
            "country": {"S": "Colombia"},
            "role": {"S": "admin"},
            "createdAt": {"S": "2025-08-18"},
            "progress": {"L": [{"S": "sala1"}, {"S": "sala3"}]},
            "badges": {"SS": ["early"]},
        }
    )
    lucia = people.invite("lucia@example.com", name="", role=Role.STAFF, command=command())
    assert (lucia.revision, lucia.office_role, lucia.name) == (1, Role.STAFF, "Lucía Herrera")

    raw = load_raw(lucia.key)
    assert raw is not None
    assert raw["badges"] == {"SS": ["early"]}
    assert raw["role"] == {"S": "admin"}
    assert raw["createdAt"] == {"S": "2025-08-18"}
    assert raw["progress"] == {"L": [{"S": "sala1"}, {"S": "sala3"}]}
    assert raw["GSI1PK"] == {"S": "USER#Colombia"}


def test_a_country_that_is_invalid_in_a_key_only_omits_that_index(table: str) -> None:
    person = Person.new(email="lucia@example.com")
    person.email, person.country, person.created_at = "lucia@example.com", "C#", NOON
    assert [where.index for where in person.index_keys()] == ["GSI_Type"]


def test_values_of_wrong_types_do_not_hide_the_item_and_are_kept(table: str) -> None:
    """An outside writer stored a number in place of text: the other attributes are read, and the number is kept."""
    odd: Raw = {
        "text": {"N": "7"},
        "dueAt": {"N": "1758448800"},
        "tags": {"L": [{"S": "rain"}]},
        "total": {"S": "many"},
    }
    put_note("ana", 1, **odd, reader={"S": "marco"})
    ana = load_note("ana")
    assert ana is not None
    assert {ana.text, ana.tags, ana.total} == {None}
    assert ana.due_at == from_wire("2025-09-21T10:00:00Z"), "the meaning of this number is clear"
    assert ana.reader == "marco"
    ana.title = "A better title"
    save_note(ana)
    raw = load_raw(ana.key)
    assert raw is not None
    assert {name: raw[name] for name in odd} == odd
    assert raw["title"] == {"S": "A better title"}


def test_only_changed_attributes_are_written(table: str) -> None:
    """A counter that an outside writer changes at the same time is not overwritten."""
    ana = add_note("ana", text="one", total=1)
    ana.text = "two"
    assert set(ana.changes()) == {"text"}
    counted = Transaction(command())
    counted.update(ana.key, [Note.total.add(5)], None, Conflict)
    counted.commit(None)
    save_note(ana)
    now = load_note("ana")
    assert now is not None
    assert (now.text, now.total, now.revision) == ("two", 6, 2)


def test_a_change_inside_a_map_is_a_change(table: str) -> None:
    ana = add_note("ana", about={"hours": {"MON": ["09:00"]}})
    ana.about["hours"]["MON"].append("15:00")
    save_note(ana)
    now = load_note("ana")
    assert now is not None
    assert now.about == {"hours": {"MON": ["09:00", "15:00"]}}


def test_attributes_set_to_none_or_empty_are_removed(table: str) -> None:
    ana = add_note("ana", text="something", tags={"rain"}, shelf="sky")
    ana.text, ana.tags = None, set()
    save_note(ana)
    raw = load_raw(ana.key)
    assert raw is not None
    assert not {"text", "tags"} & raw.keys()
    assert raw["shelf"] == {"S": "sky"}


@settings(max_examples=30)
@given(st.fixed_dictionaries({}, optional={"text": st.text(min_size=1, max_size=5), "total": st.integers(0, 9)}))
def test_an_item_just_read_has_no_changes(values: dict[str, Any]) -> None:
    written = new_note("ana", **values)
    read_again = Note.of(written.serialize())
    assert read_again.changes() == {}


@pytest.mark.parametrize(
    ("ttl", "expired"),
    [
        ({"N": "1758448799"}, True),
        ({"N": "1758448800"}, True),
        ({"N": "1758448801"}, False),
        ({"S": "2025-09-21T10:00:00Z"}, False),
        ({"NULL": True}, False),
        (None, False),
    ],
)
def test_an_item_past_its_ttl_counts_as_expired(ttl: dict[str, Any] | None, expired: bool) -> None:
    """DynamoDB deletes it only days later. A `ttl` that is not a number is ignored, as in DynamoDB."""
    from datetime import UTC, datetime

    from dashboard.core.clock import frozen
    from dashboard.table.items import is_expired

    raw: Raw = {"PK": {"S": "x"}, "SK": {"S": "y"}} | ({"ttl": ttl} if ttl else {})
    with frozen(datetime(2025, 9, 21, 10, tzinfo=UTC)):
        assert is_expired(raw) is expired


def test_an_item_has_every_attribute_that_the_indexes_need() -> None:
    from dashboard.table.schema import INDEXES

    names = {attribute.attr_name for attribute in Item.get_attributes().values()}
    assert {name for index in INDEXES if index.sk for name in (index.pk, index.sk)} <= names
