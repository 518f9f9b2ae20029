"""The shop and the forms of a site: every kind is listed and shown, and those that stand alone are edited."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from content.library.shop_kinds import SHOP
from content.queries.library import key_of
from dashboard.platform.accounts.permissions import BusinessRole
from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.items import key_of as key_of_raw
from tests.bookings.catalog import press_undo
from tests.conftest import every_engine
from tests.content.library_items import content_of
from tests.content.shop_items import ITEMS, put_samples, put_shop_item
from tests.content.site import BUSINESS, NEIGHBOURS, SITE
from tests.content.test_visitor_permissions import browser_of
from tests.ui.html import form_to, parse
from tests.ui.walk import calls_of

KINDS = pytest.mark.parametrize("kind", SHOP)
EDITED = [key for key, kind in SHOP.items() if kind.is_editable]


def url_of(kind: str, item_id: str = "") -> str:
    return f"{SITE}{kind}/{quote(item_id or ITEMS[kind][0], safe='@')}/"


def raw_of(kind: str, item_id: str = "") -> Raw:
    found = read.raw_item(key_of(SHOP[kind], BUSINESS, item_id or ITEMS[kind][0]))
    assert found is not None
    return found


def test_the_page_of_the_shop_links_to_every_list(table: str, as_owner: Client) -> None:
    links = {each.attrs.get("href") for each in parse(as_owner.get(f"{SITE}shop/")).all("a")}
    assert {f"{SITE}{kind}/" for kind in SHOP} <= links
    assert "/b/andina/bookings/customers/" in links, "customers of the shop have the key of those who book"


@KINDS
def test_an_empty_list_says_so(table: str, as_owner: Client, kind: str) -> None:
    text = parse(as_owner.get(f"{SITE}{kind}/")).text
    assert str(SHOP[kind].texts.empty) in text and str(SHOP[kind].texts.about) in text


@every_engine
@KINDS
def test_an_item_is_listed_and_shown_with_all_its_attributes(table: str, as_owner: Client, kind: str) -> None:
    put_shop_item(kind, custom={"deep": [1, None]}, clientSecret="top-987")
    put_shop_item(kind, business=NEIGHBOURS, clientSecret="theirs")
    page = parse(as_owner.get(f"{SITE}{kind}/"))
    (row,) = page.all("tr", data_row="")
    link = page.one("a", class_="row-link")
    assert link.attrs["href"] == url_of(kind)
    answer = as_owner.get(url_of(kind))
    assert answer.status_code == 200
    body = answer.content.decode()
    assert "top-987" not in body and "theirs" not in body and "••••" in body
    assert "deep" in body
    for name in ITEMS[kind][1]:
        assert name in body or str(SHOP[kind].label_of(name)) in body
    assert row.text


@every_engine
@pytest.mark.parametrize("kind", EDITED)
def test_an_attribute_is_changed_and_undone_exactly(table: str, as_owner: Client, kind: str) -> None:
    before = put_shop_item(kind, note="old", ratio=1.5, data_blob=b"\x00\xff")
    url = url_of(kind)
    answer = as_owner.post(url, form_to(as_owner.get(url), url).data() | {"attribute-note": "new"})
    assert (answer.status_code, answer.headers["Location"]) == (303, url)
    assert content_of(raw_of(kind)) == content_of(before) | {"note": {"S": "new"}}
    entries = read.page(keys.AUDIT.collection(tenant=BUSINESS), AuditEntry).items
    assert [each.action for each in entries] == [f"{SHOP[kind].name}.edit"]
    assert press_undo(as_owner, url).status_code == 303
    assert content_of(raw_of(kind)) == content_of(before)


@pytest.mark.parametrize("kind", sorted(SHOP.keys() - set(EDITED)))
def test_what_follows_others_is_only_shown(table: str, as_owner: Client, kind: str) -> None:
    before = put_shop_item(kind)
    url = url_of(kind)
    page = parse(as_owner.get(url))
    assert "cannot be changed here" in page.text
    assert url not in [each.attrs.get("action") for each in page.all("form")]
    assert as_owner.post(url, {"attribute-price": "1", "revision": "0"}).status_code == 422
    assert raw_of(kind) == before


@KINDS
def test_nothing_is_added_or_deleted(table: str, as_owner: Client, kind: str) -> None:
    put_shop_item(kind)
    assert as_owner.get(f"{SITE}{kind}/new/").status_code == 404
    assert as_owner.post(f"{url_of(kind)}delete/", {"revision": "0"}).status_code == 422
    assert raw_of(kind)


@KINDS
def test_items_of_others_and_unusual_ids_are_not_found(table: str, as_owner: Client, kind: str) -> None:
    put_shop_item(kind, business=NEIGHBOURS)
    for item_id in (ITEMS[kind][0], "nobody", "a#b#c#d", "#", "x" * 290):
        assert as_owner.get(url_of(kind, item_id)).status_code == 404
        assert as_owner.post(url_of(kind, item_id), {"revision": "0"}).status_code in {404, 422}


def test_a_designer_sees_no_visitors(table: str, as_owner: Client) -> None:
    as_designer = browser_of(BusinessRole.DESIGNER)
    personal = {kind for kind, each in SHOP.items() if each.is_personal}
    assert personal == {"orders", "form-entries", "customer-orders"}
    links = {each.attrs.get("href") for each in parse(as_designer.get(f"{SITE}shop/")).all("a")}
    for kind in SHOP:
        put_shop_item(kind)
        expected = 403 if kind in personal else 200
        assert as_designer.get(f"{SITE}{kind}/").status_code == expected
        assert as_designer.get(url_of(kind)).status_code == expected
        assert (f"{SITE}{kind}/" in links) == (kind not in personal)
        if kind in personal:
            assert as_designer.post(url_of(kind), {"revision": "0"}).status_code == 403


def test_attributes_that_others_are_found_by_are_only_shown(table: str, as_owner: Client) -> None:
    put_shop_item("coupons")
    url = url_of("coupons")
    sent = form_to(as_owner.get(url), url).data() | {"attribute-code": "OTHER", "remove-code": "on"}
    as_owner.post(url, sent)
    assert raw_of("coupons")["code"] == {"S": "SPRING10"}


def test_every_sample_of_the_service_is_on_a_page_of_the_site(table: str, as_owner: Client) -> None:
    """The invented items of the service, as they are: each of the shop is listed, opens, and is saved unchanged."""
    samples = [raw for raw in put_samples() if keys.kind_of(key_of_raw(raw)) in _shop_kinds()]
    assert len(samples) == 8
    for raw in samples:
        kind = _shop_kinds()[str(keys.kind_of(key_of_raw(raw)))]
        item_id = raw["SK"]["S"].partition("#")[2]
        assert len(parse(as_owner.get(f"{SITE}{kind}/")).all("tr", data_row="")) == 1
        url = url_of(kind, item_id)
        page = as_owner.get(url)
        assert page.status_code == 200
        if SHOP[kind].is_editable:
            assert as_owner.post(url, form_to(page, url).data()).status_code == 303
        assert raw_of(kind, item_id) == raw
    assert "Otto B." in parse(as_owner.get("/b/andina/bookings/customers/")).text


def _shop_kinds() -> dict[str, str]:
    return {each.item_class.key_pattern.kind: key for key, each in SHOP.items()}


def test_a_long_list_has_pages_and_a_search(table: str, as_owner: Client) -> None:
    for number in range(60):
        put_shop_item("orders", f"order-{number:03}", orderNumber=f"PPB-{number:04}", items=[{"title": "x" * 500}])
    answer = as_owner.get(f"{SITE}orders/")
    page = parse(answer)
    assert len(page.all("tr", data_row="")) == 50
    assert calls_of(answer).trips == 2
    (more,) = [each.attrs["href"] for each in page.all("a") if "cursor=" in str(each.attrs.get("href"))][:1]
    assert len(parse(as_owner.get(str(more))).all("tr", data_row="")) == 10
    found = parse(as_owner.get(f"{SITE}orders/?q=ppb-0058")).all("a", class_="row-link")
    assert [each.text for each in found] == ["PPB-0058"]


@pytest.mark.parametrize("values", [{"total": "many"}, {"total": {"a": 1}}, {"status": ["x"]}, {"orderNumber": 7}])
def test_values_of_unusual_types_are_no_error(table: str, as_owner: Client, values: dict[str, Any]) -> None:
    before = put_shop_item("orders", **values)
    assert as_owner.get(f"{SITE}orders/").status_code == 200
    url = url_of("orders")
    assert as_owner.post(url, form_to(as_owner.get(url), url).data()).status_code == 303
    assert raw_of("orders") == before
