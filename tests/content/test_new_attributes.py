"""Attributes that are added to an item and removed from it: types, names, conflicts, audit, exact Undo."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from content.library.kinds import LIBRARY, PRODUCTS
from content.queries import library as queries
from content.queries.library import history_of
from content.services.library import edits
from dashboard.table import connection
from dashboard.table.items import Raw
from dashboard.table.masking import MASK
from tests.bookings.catalog import press_undo
from tests.conftest import every_engine
from tests.content.library_items import ID, actions_of, content_of, library_item_url, put_outside, stored
from tests.content.site import BUSINESS
from tests.outside_writes import put
from tests.ui.html import form_to, parse

URL = library_item_url("products")
KINDS = pytest.mark.parametrize("kind", LIBRARY)
# As stored: every type that a service may write, with all digits of a number.
ODD: Raw = {
    "digits": {"N": "12345678901234567890123456789012345678"},
    "names": {"SS": ["a", "b"]},
    "numbers": {"NS": ["1.50", "2"]},
    "binary": {"B": b"\x00\xff\r\n"},
    "binaries": {"BS": [b"\x00", b"\xff"]},
    "nothing": {"NULL": True},
    "mixed": {"L": [{"S": "a"}, {"N": "0.10"}, {"M": {"x": {"B": b"\x01"}}}]},
    "odd name #1 ñ": {"M": {"deep": {"L": []}}},
}


def put_odd() -> Raw:
    raw = put_outside("products") | ODD
    put(raw)
    return raw


def sorted_sets(raw: Raw) -> dict[str, Any]:
    """Engines return the members of a set in any order, and may drop zeros at the end of a number."""
    values = {name: next(iter(value.items())) for name, value in raw.items()}
    return {
        name: (kind, sorted(map(str, content)) if kind in {"SS", "NS", "BS"} else content)
        for name, (kind, content) in values.items()
    }


def new(name: str, value: str, kind: str = "text") -> dict[str, str]:
    return {"new-name": name, "new-type": kind, "new-value": value}


def send(browser: Client, url: str = URL, **values: str) -> Any:
    return browser.post(url, form_to(browser.get(url), url).data() | values)


@every_engine
@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("text", " Two\r\nlines ", {"S": " Two\nlines "}),
        ("number", "12345678901234567890123456789012345678", {"N": "12345678901234567890123456789012345678"}),
        ("number", " -0.5 ", {"N": "-0.5"}),
        ("truth", "Sí", {"BOOL": True}),
        ("truth", "no", {"BOOL": False}),
        ("list", "wool\r\n\r\n linen ", {"L": [{"S": "wool"}, {"S": "linen"}]}),
        ("map", '{"a": 1, "b": [null, {"c": "d"}]}', None),
    ],
)
def test_an_attribute_is_added_and_undone(
    table: str, as_owner: Client, kind: str, text: str, value: dict[str, Any] | None
) -> None:
    before = put_outside("products")
    assert send(as_owner, **new("fibre.Origin-1", text, kind)).headers["Location"] == URL
    added = {"M": {"a": {"N": "1"}, "b": {"L": [{"NULL": True}, {"M": {"c": {"S": "d"}}}]}}} if value is None else value
    assert content_of(stored("products")) == content_of(before) | {"fibre.Origin-1": added}
    assert press_undo(as_owner, URL).status_code == 303
    assert content_of(stored("products")) == content_of(before)
    assert actions_of("products") == ["site_product.edit"] * 2


@KINDS
def test_every_kind_has_the_form(table: str, as_owner: Client, kind: str) -> None:
    before = put_outside(kind)
    assert send(as_owner, library_item_url(kind), **new("origin", "Peru")).status_code == 303
    assert content_of(stored(kind)) == content_of(before) | {"origin": {"S": "Peru"}}
    page = parse(as_owner.get(library_item_url(kind)))
    assert page.one("input", name="attribute-origin").attrs["value"] == "Peru", "it is edited like the others"


@every_engine
def test_removed_attributes_come_back_value_for_value(table: str, as_owner: Client) -> None:
    put_odd()
    before = content_of(stored("products"))
    boxes = {
        str(each.attrs.get("name")): "on"
        for each in parse(as_owner.get(URL)).all("input", type="checkbox")
        if str(each.attrs.get("name")).startswith("remove-")
    }
    assert len(boxes) > len(ODD)
    assert send(as_owner, **boxes).status_code == 303
    after = content_of(stored("products"))
    assert not ODD.keys() & after.keys()
    assert after == {name: before[name] for name in after}, "nothing else changed"
    assert {"PK", "SK", "TenantSlug", "id", "slug", "title", "price"} <= after.keys()
    assert press_undo(as_owner, URL).status_code == 303
    assert sorted_sets(content_of(stored("products"))) == sorted_sets(before)


@pytest.mark.parametrize(
    "name",
    ["PK", "sk", "GSI1PK", "gsitypesk", "Domain", "Type", "CreatedAt", "Status", "TenantSlug", "ttl", "revision"],
)
def test_keys_and_index_keys_are_refused(table: str, as_owner: Client, name: str) -> None:
    before = put_outside("products")
    answer = send(as_owner, **new(name, "x"))
    assert answer.status_code == 422
    assert "Choose another one" in parse(answer).text
    assert content_of(stored("products")) == content_of(before)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (new("", "x"), "begin with a letter"),
        (new("1a", "x"), "begin with a letter"),
        (new("a b", "x"), "begin with a letter"),
        (new("ñ", "x"), "begin with a letter"),
        (new("a" * 101, "x"), "at most 100"),
        (new("price", "x"), "a field for this"),
        (new("weight", "1", "number"), "already"),
        (new("id", "x"), "Choose another one"),
        (new("apiKey", "x"), "secret"),
        (new("clientSecret", "x"), "secret"),
        (new("config", '{"password": "x"}', "map"), "secret"),
        (new("config", '{"token": "x"}', "text"), "secret"),
        (new("a", "x", "number"), "number in digits"),
        (new("a", "1" * 39, "number"), "too many digits"),
        (new("a", " "), "Enter a value"),
        (new("a", "maybe", "truth"), "yes or no"),
        (new("a", "[]", "map"), "JSON object"),
        (new("a", "{", "map"), "not valid JSON"),
        (new("a", "x", "odd"), "valid choice"),
        (new("a", "x" * 50_001), "too long"),
    ],
)
def test_what_cannot_be_added_is_explained_and_kept(
    table: str, as_owner: Client, values: dict[str, str], message: str
) -> None:
    before = put_outside("products")
    answer = send(as_owner, **values, title="Also typed")
    assert answer.status_code == 422
    page = parse(answer)
    assert message in page.text
    assert page.one("input", name="new-name").attrs.get("value", "") == values["new-name"]
    assert page.one("textarea", name="new-value").raw_text.removeprefix("\n") == values["new-value"]
    assert page.one("input", name="title").attrs["value"] == "Also typed"
    assert content_of(stored("products")) == content_of(before)


def test_secrets_and_what_services_rely_on_have_no_box(table: str, as_owner: Client) -> None:
    put_outside("products", apiKey="sk-123456", config={"clientSecret": "top-987"})
    page = parse(as_owner.get(URL))
    boxes = {each.attrs.get("name") for each in page.all("input", type="checkbox")}
    assert not boxes & {f"remove-{name}" for name in ("apiKey", "config", "id", "slug", "TenantSlug", "Type")}
    assert "remove-weight" in boxes and MASK in page.text
    forged = {"remove-apiKey": "on", "remove-config": "on", "remove-id": "on", "remove-PK": "on", "remove-weight": "on"}
    assert send(as_owner, **forged).status_code == 303
    found = content_of(stored("products"))
    assert found["apiKey"] == {"S": "sk-123456"} and "id" in found and "weight" not in found


def test_an_attribute_that_a_service_adds_meanwhile_is_not_overwritten(table: str, as_owner: Client) -> None:
    put_outside("products")
    form = form_to(as_owner.get(URL), URL)
    put_outside("products", origin="Chile")
    answer = as_owner.post(URL, form.data() | new("origin", "Peru"))
    assert answer.status_code == 422 and "already" in parse(answer).text
    assert content_of(stored("products"))["origin"] == {"S": "Chile"}


def test_a_conflict_keeps_what_was_added_and_removed(table: str, as_owner: Client) -> None:
    put_outside("products")
    form = form_to(as_owner.get(URL), URL)
    put_outside("products", title="Theirs")
    answer = as_owner.post(URL, form.data() | new("origin", "Peru") | {"remove-weight": "on"})
    assert answer.status_code == 409
    text = parse(answer).text
    assert "Peru" in text and "Remove Weight" in text and "Remove tags" not in text
    assert as_owner.post(URL, form_to(answer, URL).data()).status_code == 303
    found = content_of(stored("products"))
    assert (found["title"], found["origin"]) == ({"S": "Theirs"}, {"S": "Peru"})
    assert "weight" not in found


@every_engine
def test_a_service_that_adds_it_between_read_and_write_conflicts(
    table: str, as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_outside("products")
    form = form_to(as_owner.get(URL), URL)
    load = queries.load_item

    def load_and_put(*args: Any) -> Any:
        found = load(*args)
        put_outside("products", origin="Chile", is_followed=False)
        return found

    monkeypatch.setattr(edits, "load_item", load_and_put)
    assert as_owner.post(URL, form.data() | new("origin", "Peru")).status_code == 409
    assert content_of(stored("products"))["origin"] == {"S": "Chile"}


def test_the_audit_trail_names_what_was_added_and_removed(table: str, as_owner: Client) -> None:
    put_outside("products")
    send(as_owner, **new("origin", "Peru"), **{"remove-weight": "on"})
    (entry,) = history_of(PRODUCTS, BUSINESS, ID)
    assert (entry.before, entry.after) == ({"weight": "5200"}, {"origin": "Peru"})
    assert "Weight: 5200" in parse(as_owner.get(URL)).text


def test_an_attribute_of_almost_the_whole_item_is_refused_with_its_reason(table: str, as_owner: Client) -> None:
    raw = put_outside("products") | {"large": {"S": "x" * 380_000}}
    connection.client().put_item(TableName=connection.table().table_name, Item=raw)
    answer = send(as_owner, **new("more", "é" * 15_000))
    assert answer.status_code == 422
    assert "400 KB" in parse(answer).text
    assert "more" not in content_of(stored("products"))
