"""The copies of a product in its categories follow it: in its transaction if they fit, else after it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from content.follow_ups import complete_copies_of
from content.library.kinds import PRODUCTS
from content.queries.library import history_of
from content.queries.product_copies import copies_of
from content.services import product_copies
from content.services.product_copies import complete_copies
from dashboard.core.clock import frozen, now
from dashboard.platform.outbox.registry import FOLLOW_UPS
from dashboard.table import connection, keys, read
from dashboard.table.items import Raw
from dashboard.table.transactions import Transaction
from tests.adoption.outside import put_raw
from tests.bookings.catalog import press_undo
from tests.conftest import every_engine
from tests.content.library_items import ID, content_of, library_item_url, put_outside, stored
from tests.content.site import BUSINESS, NEIGHBOURS
from tests.content.test_publishing import run_due
from tests.ui.html import form_to

URL = library_item_url("products")


def categories(count: int) -> list[str]:
    return [f"c{number}" for number in range(count)]


def put_product(count: int = 2, *, business: str = BUSINESS, **attributes: Any) -> None:
    """A product with its copies, as the service writes them. Its prices have three decimals."""
    values = {"price": "299.000", "categoryIds": categories(count)} | attributes
    put_outside("products", business=business, **values)
    for category in categories(count):
        put_copy(category, business=business, **values)


def put_copy(category: str, *, business: str = BUSINESS, **attributes: Any) -> None:
    values = {"id": ID, "title": "Walnut rug", "slug": "walnut-rug", "sortOrder": 3, "badge": "new"}
    key = keys.PRODUCT_COPY.key(tenant=business, category=category, product=ID)
    put_raw(key, **{name: value for name, value in (values | attributes).items() if value is not None})


def copy_in(category: str, *, business: str = BUSINESS) -> Raw | None:
    return read.raw_item(keys.PRODUCT_COPY.key(tenant=business, category=category, product=ID))


def save(browser: Client, **values: str) -> None:
    assert browser.post(URL, form_to(browser.get(URL), URL).data() | values).status_code == 303


def follow_up() -> None:
    """What follows from changes, a little later."""
    with frozen(now() + timedelta(seconds=5)):
        while run_due(keys.DUE_OUTBOX):
            pass


def shown(category: str, name: str) -> Any:
    return (copy_in(category) or {}).get(name)


@every_engine
def test_copies_follow_the_title_and_the_price_and_undo(table: str, as_owner: Client) -> None:
    put_product()
    put_product(business=NEIGHBOURS)
    save(as_owner, title="Oak rug", sale_price="250.500", **{"attribute-tags": "oak"})
    for category in categories(2):
        assert shown(category, "title") == {"S": "Oak rug"}
        assert shown(category, "price") == {"S": "299.000"}, "a text with all its digits"
        assert shown(category, "salePrice") == {"S": "250.500"}
        assert shown(category, "tags") == {"L": [{"S": "oak"}]}
        assert shown(category, "badge") == {"S": "new"}, "what we do not know stays"
        assert "revision" not in (copy_in(category) or {})
    assert (copy_in("c0", business=NEIGHBOURS) or {})["title"] == {"S": "Walnut rug"}
    assert press_undo(as_owner, URL).status_code == 303
    assert shown("c0", "title") == {"S": "Walnut rug"} and shown("c1", "salePrice") == {"S": "299.00"}


def test_a_change_that_no_card_shows_reads_and_writes_no_copy(
    table: str, as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_product()
    monkeypatch.setattr(product_copies, "copies_of", None)
    save(as_owner, description="Longer")
    assert content_of(stored("products"))["description"] == {"S": "Longer"}


def test_missing_copies_are_made_as_the_service_makes_them(table: str, as_owner: Client) -> None:
    put_outside("products", price="299.000", categoryIds=["c0"], tags=None, volumePricing=None)
    save(as_owner, title="Oak rug")
    found = copy_in("c0")
    assert found is not None
    assert (found["id"], found["title"], found["price"]) == ({"S": ID}, {"S": "Oak rug"}, {"S": "299.000"})
    assert (found["sortOrder"], found["categoryIds"]) == ({"N": "0"}, {"L": [{"S": "c0"}]})


@every_engine
def test_a_product_that_leaves_a_category_leaves_its_list(table: str, as_owner: Client) -> None:
    put_product(2)
    save(as_owner, **{"attribute-categoryIds": "c1\r\nc7"})
    assert copy_in("c0") is None
    assert shown("c1", "categoryIds") == shown("c7", "categoryIds") == {"L": [{"S": "c1"}, {"S": "c7"}]}
    assert shown("c7", "price") == {"S": "299.000"}
    assert press_undo(as_owner, URL).status_code == 303
    assert copy_in("c7") is None and shown("c0", "title") == {"S": "Walnut rug"}


@every_engine
@pytest.mark.parametrize("count", [2, 9])
def test_a_deleted_product_has_no_copies_and_undo_brings_them_back(table: str, as_owner: Client, count: int) -> None:
    put_product(count)
    form = form_to(as_owner.get(URL), f"{URL}delete/")
    assert as_owner.post(form.action, form.data()).status_code == 303
    if count > 2:
        assert copy_in("c8") is not None, "they do not fit into the transaction"
        follow_up()
    assert [copy_in(each) for each in categories(count)] == [None] * count
    press_undo(as_owner, URL.removesuffix(f"{ID}/"))
    follow_up()
    assert {str(shown(each, "price")) for each in categories(count)} == {str({"S": "299.000"})}


def test_more_copies_than_a_transaction_can_have_follow_the_change(table: str, as_owner: Client) -> None:
    put_product(30)
    save(as_owner, title="Oak rug", **{"attribute-categoryIds": "\n".join(categories(30)[1:])})
    assert shown("c5", "title") == {"S": "Walnut rug"}
    (entry,) = history_of(PRODUCTS, BUSINESS, ID)
    assert "product-copies" in (entry.outbox or {})
    follow_up()
    assert {str(shown(each, "title")) for each in categories(30)[1:]} == {str({"S": "Oak rug"})}
    assert copy_in("c0") is None
    assert complete_copies(BUSINESS, ID, []) == 0, "nothing is left to do"


def test_a_record_that_is_processed_again_changes_nothing(table: str, as_owner: Client) -> None:
    put_product(2)
    save(as_owner, title="Oak rug")
    (entry,) = history_of(PRODUCTS, BUSINESS, ID)
    before = copy_in("c0")
    assert FOLLOW_UPS["product-copies"].write is complete_copies_of
    assert complete_copies_of(entry, Transaction.__new__(Transaction)).startswith("0 copies")
    assert copy_in("c0") == before


@every_engine
def test_a_copy_that_the_service_writes_meanwhile_is_kept(
    table: str, as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy was missing when it was read. The service makes it before our transaction."""
    put_outside("products", categoryIds=["c0"])
    form = form_to(as_owner.get(URL), URL)
    find = copies_of
    calls: list[Any] = []

    def find_and_put(*args: Any) -> Any:
        found = find(*args)
        if not calls:
            put_copy("c0")
        calls.append(args)
        return found

    monkeypatch.setattr(product_copies, "copies_of", find_and_put)
    assert as_owner.post(URL, form.data() | {"title": "Oak rug"}).status_code == 303
    assert len(calls) == 2
    assert (shown("c0", "title"), shown("c0", "badge")) == ({"S": "Oak rug"}, {"S": "new"})


def test_the_service_that_changes_the_price_meanwhile_conflicts(
    table: str, as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copies would get a price that the product no longer has."""
    put_product()
    form = form_to(as_owner.get(URL), URL)
    find = copies_of

    def find_and_put(*args: Any) -> Any:
        raw = stored("products")
        assert raw is not None
        item = raw | {"price": {"S": "1.000"}}
        connection.client().put_item(TableName=connection.table().table_name, Item=item)
        return find(*args)

    monkeypatch.setattr(product_copies, "copies_of", find_and_put)
    assert as_owner.post(URL, form.data() | {"title": "Oak rug"}).status_code == 409
    assert shown("c0", "title") == {"S": "Walnut rug"}


@pytest.mark.parametrize("ids", ["c0", {"a": "c0"}, [1, "", "a#b", None, "c0", "c0"], None])
def test_unusual_categories_are_no_error(table: str, as_owner: Client, ids: Any) -> None:
    put_outside("products", categoryIds=ids)
    save(as_owner, title="Oak rug")
    assert (copy_in("c0") is not None) == isinstance(ids, list)
