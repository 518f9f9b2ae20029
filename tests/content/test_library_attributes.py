"""Attributes that nobody knows: their texts in the form, and back. Whatever a person does not change stays exactly."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from content.library.attribute_texts import Shape, Value, from_text, is_same_text, shape_of, to_text
from content.library.changes import AttributeChange, changes_of, from_json, to_json
from content.plain_blocks import blocks_text, is_plain, with_text
from dashboard.table.connection import table as connection
from dashboard.table.masking import MASK
from tests.content.library_items import content_of, library_item_url, put_outside, stored
from tests.ui.html import form_to, parse

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NUMBERS = st.one_of(
    st.integers(-(10**37), 10**37).map(str), st.decimals(-1000, 1000, places=3).map(lambda number: format(number, "f"))
)
LEAVES: st.SearchStrategy[Value] = st.one_of(
    TEXTS.map(lambda text: {"S": text}),
    NUMBERS.map(lambda number: {"N": number}),
    st.booleans().map(lambda flag: {"BOOL": flag}),
    st.just({"NULL": True}),
    st.binary(max_size=8).map(lambda content: {"B": content}),
    st.lists(TEXTS.filter(bool), min_size=1, max_size=3, unique=True).map(lambda members: {"SS": members}),
)
# One engine refuses empty names in maps.
NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda members: {"L": members}),
        st.dictionaries(NAMES, inner, max_size=3).map(lambda entries: {"M": entries}),
    ),
    max_leaves=8,
)


@given(value=VALUES)
def test_a_text_in_the_form_means_the_value_it_shows(value: Value) -> None:
    if shape_of("name", value) != Shape.LOCKED:
        again = from_text(to_text(value), value)
        if "SS" in value:
            again["SS"], value = sorted(again["SS"]), {"SS": sorted(value["SS"])}
        assert again == value


@given(value=VALUES)
def test_a_change_survives_the_record_of_its_command(value: Value) -> None:
    change = AttributeChange("name", value, None)
    assert changes_of({"changes": [change.to_json()]}) == [change]
    assert from_json(to_json(value)) == value


def test_secrets_and_what_a_form_cannot_send_are_locked() -> None:
    locked: list[tuple[str, Value]] = [
        ("apiKey", {"S": "x"}),
        ("settings", {"M": {"a": {"L": [{"M": {"clientSecret": {"S": "x"}}}]}}}),
        ("a", {"B": b"x"}),
        ("a", {"NULL": True}),
        ("a", {"S": "a\x00b"}),
        ("a", {"S": "a\rb"}),
        ("a", {"L": [{"B": b""}]}),
        ("a", {"S": "x" * 60_000}),
    ]
    assert [shape_of(*each) for each in locked] == [Shape.LOCKED] * len(locked)
    assert MASK not in to_text({"S": "x"})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", {"BOOL": True}),
        ("", {"SS": ["a"]}),
        ("a\na", {"SS": ["a"]}),
        ("x", {"NS": ["1"]}),
        ("1e999", {"N": "1"}),
        ("٣", {"N": "1"}),
        ("1" * 39, {"N": "1"}),
        ("[1,]", {"L": [{"N": "1"}]}),
        ('{"": 1}', {"M": {}}),
        ("3", {"M": {}}),
    ],
)
def test_an_invalid_text_is_refused(text: str, value: Value) -> None:
    with pytest.raises(ValidationError):
        from_text(text, value)


def test_browsers_may_change_line_ends_and_drop_a_first_empty_line() -> None:
    assert is_same_text("a\r\nb", "a\nb") and is_same_text("a", "\na")
    assert not is_same_text("a\nb", "ab") and not is_same_text("a ", "a")
    assert from_text("a\r\nb", {"S": "x\ny"}) == {"S": "a\nb"}
    assert from_text("a\r\nb", {"S": "x\r\ny"}) == {"S": "a\r\nb"}


# --- Plain blocks ---
PARAGRAPHS = st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=10), max_size=6)


@given(lines=PARAGRAPHS, others=PARAGRAPHS)
def test_a_plain_text_is_what_was_written(lines: list[str], others: list[str]) -> None:
    blocks = with_text([], "\n".join(lines))
    assert is_plain(blocks)
    changed = with_text(blocks, "\n".join(others))
    assert blocks_text(changed) == "\n".join(others).rstrip("\n")


@pytest.mark.parametrize(
    "block",
    [
        {"type": "heading", "attrs": {"level": 2}, "content": [{"type": "text", "text": "A"}]},
        {"type": "paragraph", "attrs": {"textAlign": "center"}, "content": []},
        {"type": "paragraph", "content": [{"type": "text", "text": "A", "marks": []}]},
        {"type": "paragraph", "content": [{"type": "mapEmbed", "text": "A"}]},
        {"type": "paragraph", "content": [{"type": "text", "text": 7}], "x": 1},
        "text",
        None,
    ],
)
def test_blocks_with_more_than_text_are_not_plain(block: Any) -> None:
    assert not is_plain([block])
    assert isinstance(blocks_text([block]), str)


def test_a_paragraph_that_stays_keeps_its_attributes() -> None:
    first = {"type": "paragraph", "attrs": {"textAlign": None}, "content": [{"type": "text", "text": "A"}]}
    assert with_text([first], "B\nA")[1] == first


# --- Through the pages ---
# A name that is no key of ours and of no kind's fields.
FOREIGN = st.dictionaries(NAMES.map(lambda name: f"x{name}"), VALUES, max_size=4)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(attributes=FOREIGN)
def test_an_edit_in_the_browser_keeps_every_other_attribute(
    table: str, as_owner: Client, attributes: dict[str, Value]
) -> None:
    raw = put_outside("contexts", is_followed=False)
    rest = {name: value for name, value in raw.items() if name not in ("PK", "SK")}
    connection().put_item(raw["PK"]["S"], raw["SK"]["S"], attributes=rest | attributes)
    before, url = content_of(stored("contexts")), library_item_url("contexts")
    answer = as_owner.post(url, form_to(as_owner.get(url), url).data(title="Renamed"))
    assert answer.status_code == 303
    after = content_of(stored("contexts"))
    assert _ordered(after) == _ordered(before | {"title": {"S": "Renamed"}})


def _ordered(value: Any) -> Any:
    """The members of sets in one order."""
    if isinstance(value, dict):
        return {name: sorted(each) if name == "SS" else _ordered(each) for name, each in value.items()}
    return [_ordered(each) for each in value] if isinstance(value, list) else value


def test_other_attributes_are_changed_in_their_type(table: str, as_owner: Client) -> None:
    unknown: dict[str, Any] = {"on sale": True, "rank": 3, "audience": ["a", "b"], "map": {"x": 1}, "note": "a\r\nb"}
    put_outside("products", **unknown)
    url = library_item_url("products")
    page = as_owner.get(url)
    found_labels = [label for label in parse(page).all("label") if "for" in label.attrs]
    labels = {label.text.partition(" optional")[0]: label.attrs["for"] for label in found_labels}
    assert {"on sale", "rank", "audience", "map", "note"} <= labels.keys()
    sent = form_to(page, url).data()
    names = {
        each.attrs["id"]: each.attrs["name"]
        for each in parse(page).all("input", "select", "textarea")
        if "id" in each.attrs
    }
    values = {"on sale": "false", "rank": "4.50", "audience": "a\r\nc", "map": '{"x": [2, null]}', "note": "a\r\nc"}
    sent |= {names[labels[label]]: value for label, value in values.items()}
    assert as_owner.post(url, sent).status_code == 303
    found = content_of(stored("products"))
    assert found["on sale"] == {"BOOL": False}
    assert float(found["rank"]["N"]) == 4.5
    assert found["audience"] == {"L": [{"S": "a"}, {"S": "c"}]}
    assert found["map"] == {"M": {"x": {"L": [{"N": "2"}, {"NULL": True}]}}}
    assert found["note"] == {"S": "a\r\nc"}


def test_an_item_with_very_many_attributes_can_be_edited(table: str, as_owner: Client) -> None:
    """More inputs could not be sent: the other attributes are shown, and kept."""
    extra: dict[str, Any] = {f"extra{number}": "x" * 300 for number in range(400)}
    raw = put_outside("contexts", **extra)
    url = library_item_url("contexts")
    page = as_owner.get(url)
    assert len(parse(page).all("textarea", "input")) < 700
    assert as_owner.post(url, form_to(page, url).data(title="Renamed")).status_code == 303
    assert content_of(stored("contexts")) == content_of(raw) | {"title": {"S": "Renamed"}}
    form = form_to(as_owner.get(url), f"{url}delete/")
    assert as_owner.post(form.action, form.data()).status_code == 303
