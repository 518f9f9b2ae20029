"""The filters of the audit trail, and the index that each one uses."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.platform.audit.labels import KINDS
from tests.audit.entries import ids, listed_ids, put, raw_entry, rows, text_of, utc
from tests.conftest import every_engine
from tests.ui.html import parse
from tests.ui.walk import calls_of

ANA = {"type": "person", "id": "ana@example.com", "title": "Ana Sol"}
LUIS = {"type": "person", "id": "luis@example.com", "title": "Luis Pardo"}
NOON = utc("2025-09-21T12:00:00")
# Limits a list to the entries of these tests. Entries that other fixtures write are from today.
OLD = "until=2025-12-31"


def add_entries(business: str = "") -> None:
    aldo = {"email": "aldo@example.com", "name": "Aldo Paz"}
    put(
        raw_entry(utc("2025-09-20T12:00:00"), "a", business=business, target=ANA, action="person.edit"),
        raw_entry(utc("2025-09-21T12:00:00"), "b", business=business, target=LUIS, action="person.disable"),
        raw_entry(utc("2025-09-22T12:00:00"), "c", business=business, target=ANA, action="person.disable", actor=aldo),
        raw_entry(
            utc("2025-09-23T12:00:00"), "d", business=business, target=LUIS, action="business.create", actor=aldo
        ),
        raw_entry(utc("2025-09-24T12:00:00"), "e", business=business, target=ANA, action="forum.ban", actor=aldo),
    )


FILTERS: list[tuple[str, str, str | None]] = [
    ("", "edcba", None),
    ("person=marco@example.com", "ba", "GSI1"),
    ("person=%20MARCO@Example.com", "ba", "GSI1"),
    ("target=ana@example.com", "eca", "GSI2"),
    ("person=aldo@example.com&target=ana@example.com", "ec", "GSI2"),
    ("action=person.disable", "cb", None),
    ("action=person.*", "cba", None),
    ("action=forum.ban", "e", None),
    ("action=forum.*", "e", None),
    ("person=aldo@example.com&action=person.*", "c", "GSI1"),
    ("target=luis@example.com&action=business.create&person=aldo@example.com", "d", "GSI2"),
    ("since=2025-09-22", "edc", None),
    ("until=2025-09-21", "ba", None),
    ("since=2025-09-21&until=2025-09-23", "dcb", None),
    ("target=ana@example.com&since=2025-09-21", "ec", "GSI2"),
    ("person=marco@example.com&until=2025-09-20", "a", "GSI1"),
    ("person=nobody@example.com", "", "GSI1"),
    ("person=a%23b", "", "none"),
    ("action=person.join", "", None),
]


@pytest.mark.parametrize("business", ["", "andina"])
def test_each_filter_finds_its_entries_with_its_index(
    table: str, businesses: Any, as_admin: Client, business: str
) -> None:
    add_entries(business)
    base = f"/b/{business}/audit/" if business else "/audit/"
    for filters, expected_ids, index in FILTERS:
        query = filters if "until" in filters else f"{filters}&{OLD}"
        response = as_admin.get(f"{base}?{query}")
        assert "".join(ids(parse(response))) == expected_ids, filters
        log = calls_of(response)
        used = [call.index for call in log.calls if call.operation == "Query"]
        assert used == ([] if index == "none" else [index]), filters
        assert log.trips <= 2


def test_the_trails_of_businesses_and_platform_are_separate(businesses: Any, as_admin: Client) -> None:
    add_entries("andina")
    assert listed_ids(as_admin, "/b/andina/audit/") == ["e", "d", "c", "b", "a"]
    assert listed_ids(as_admin, "/b/harbour/audit/") == []
    assert listed_ids(as_admin, f"/audit/?{OLD}") == []


@every_engine
def test_a_filter_by_day_includes_every_entry_of_the_day_on_every_engine(table: str, as_admin: Client) -> None:
    """Several entries in one second, with fractions as outside writers write them, and one with only a date."""
    put(
        raw_entry("2025-09-20T23:59:59Z", "before"),
        raw_entry("2025-09-20T23:59:59.999999Z", "just-before"),
        raw_entry("2025-09-21", "only-a-date"),
        raw_entry("2025-09-21T00:00:00.000001Z", "fraction"),
        raw_entry("2025-09-21T00:00:00Z", "first-1"),
        raw_entry("2025-09-21T00:00:00Z", "first-2"),
        raw_entry("2025-09-21T23:59:59.9Z", "last-fraction"),
        raw_entry("2025-09-21T23:59:59Z", "last-1"),
        raw_entry("2025-09-21T23:59:59Z", "last-2"),
        raw_entry("2025-09-22T00:00:00Z", "after"),
        raw_entry("2025-09-22", "after-as-a-date"),
    )
    inside = {"only-a-date", "fraction", "first-1", "first-2", "last-fraction", "last-1", "last-2"}
    for also in ("", "&person=marco@example.com", "&target=ana@example.com", "&action=person.*"):
        day = listed_ids(as_admin, f"/audit/?since=2025-09-21&until=2025-09-21{also}")
        assert set(day) == inside and len(day) == len(inside), also
        earlier = set(listed_ids(as_admin, f"/audit/?until=2025-09-20{also}"))
        assert earlier == {"before", "just-before"}
        later = set(listed_ids(as_admin, f"/audit/?since=2025-09-22&until=2025-12-31{also}"))
        assert later == {"after", "after-as-a-date"}


INVALID_FILTERS = {
    "since=yesterday": ("since", "yesterday", "year-month-day"),
    "until=2025-02-30": ("until", "2025-02-30", "year-month-day"),
    "since=0001-01-01": ("since", "0001-01-01", "Choose a year"),
    "until=9999-12-31": ("until", "9999-12-31", "Choose a year"),
    "since=2025-09-22&until=2025-09-21": ("until", "2025-09-21", "before the start date"),
    "action=<b>": ("action", "", "valid choice"),
    f"person={'x' * 300}": ("person", "x" * 300, "at most 254"),
    f"target={'x' * 500}": ("target", "x" * 500, "at most 400"),
    "person=a%00b": ("person", None, "Null characters"),
}


@pytest.mark.parametrize("query", INVALID_FILTERS)
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "fragment"])
def test_an_invalid_filter_shows_an_error_at_its_field(as_admin: Client, query: str, headers: dict[str, str]) -> None:
    name, typed, message = INVALID_FILTERS[query]
    response = as_admin.get(f"/audit/?{query}", headers=headers)
    assert response.status_code == 200
    field = parse(response).one("div", data_filter=name)
    assert message in field.by_class("error")[0].text
    control = field.one("input", "select", name=name)
    if control.tag == "input" and typed is not None:
        assert control.attrs["value"] == typed
    assert control.attrs["aria-invalid"] == "true"
    assert control.attrs["aria-describedby"] == field.by_class("error")[0].attrs["id"]
    assert rows(parse(response)) == []
    assert [call.operation for call in calls_of(response).calls] == ["BatchGetItem"], "the trail is not queried"


def test_an_invalid_date_is_shown_in_a_text_input(as_admin: Client) -> None:
    page = parse(as_admin.get("/audit/?since=yesterday&until=2025-09-21"))
    assert page.one("input", name="since").attrs["type"] == "text"
    assert page.one("input", name="until").attrs["type"] == "date"


def test_actions_are_offered_in_groups_with_labels(as_admin: Client) -> None:
    page = parse(as_admin.get("/audit/?action=forum.ban"))
    select = page.one("select", name="action")
    groups = {group.attrs["label"]: [o.attrs["value"] for o in group.all("option")] for group in select.all("optgroup")}
    assert groups["People"][0] == "person.*" and "person.edit" in groups["People"]
    offered = {option.attrs["value"]: option.text for option in select.all("option")}
    labelled = {f"{kind}.{verb}" for kind, each in KINDS.items() if each.on_platform for verb in each.actions}
    assert labelled <= set(offered)
    assert offered["person.invite"] == "invited …"
    chosen = [option.attrs["value"] for option in select.all("option") if "selected" in option.attrs]
    assert chosen == ["forum.ban"], "an action of an outside writer stays selected"


def test_each_trail_offers_only_the_kinds_it_can_contain(as_admin: Client, as_owner: Client) -> None:
    """The platform's trail never contains entries about bookings, so it must not offer them."""

    def kinds(browser: Client, url: str) -> set[str]:
        options = parse(browser.get(url)).one("select", name="action").all("option")
        return {option.attrs["value"].partition(".")[0] for option in options} - {""}

    booking_kinds = {"booking", "service", "provider", "hours", "customer", "booking_rules"}
    store_kinds = {"franchise", "branch", "product", "count"}
    site_kinds = {"page", "site_route", "site_product", "site_resource", "site_context", "site_signal", "site_file"}
    site_kinds |= {"page_comment", "lead", "consent"}
    of_business = {"theme", "asset", "conversation", "mail_text", *booking_kinds, *store_kinds, *site_kinds}
    of_both = {"apikey", "business", "member", "mail", "webhook", "delivery"}
    shop_kinds = {kind for kind in kinds(as_owner, "/b/andina/audit/") if kind.startswith("shop_")}
    of_business |= shop_kinds
    assert len(shop_kinds) >= 8
    assert kinds(as_owner, "/b/andina/audit/") == of_both | of_business
    assert kinds(as_admin, "/audit/") >= {*of_both, "person", "sealing", "reasons", "profanity"}
    assert not kinds(as_admin, "/audit/") & of_business


def test_links_in_a_row_add_a_filter_and_keep_the_others(as_admin: Client) -> None:
    add_entries()
    page = parse(as_admin.get(f"/audit/?since=2025-09-24&{OLD}"))
    links = {link.text: link.attrs["href"] for link in rows(page)[0].all("a")}
    assert links["Aldo Paz"] == "/audit/?since=2025-09-24&until=2025-12-31&person=aldo%40example.com"
    assert ids(parse(as_admin.get(links["Aldo Paz"]))) == ["e"]
    assert "target=ana%40example.com" in links["Ana Sol"]
    assert links["Open"] == "/people/ana@example.com/"


def test_the_trail_accepts_only_get_and_head(as_admin: Client, as_owner: Client) -> None:
    for browser, url in ((as_admin, "/audit/"), (as_admin, "/audit/export.csv"), (as_owner, "/b/andina/audit/")):
        assert {getattr(browser, method)(url).status_code for method in ("post", "put", "patch", "delete")} == {405}
        assert browser.head(url).status_code == 200


def test_an_empty_trail_and_an_empty_result_show_help(as_owner: Client) -> None:
    first = parse(as_owner.get("/b/andina/audit/")).by_class("empty")[0]
    assert "No activity yet" in first.text and "Nobody can edit" in first.text
    none = parse(as_owner.get("/b/andina/audit/?person=x")).by_class("empty")[0]
    assert "full e-mail address" in none.text
    assert none.one("a").attrs["href"] == "/b/andina/audit/"
    assert text_of(as_owner.get("/b/andina/audit/export.csv")).count("\r\n") == 1, "the file has only the column names"


def test_pages_link_to_their_part_of_the_trail(as_admin: Client, as_owner: Client) -> None:
    def see_all_link(browser: Client, url: str) -> str:
        return next(link.attrs["href"] for link in parse(browser.get(url)).all("a") if link.text == "See all")

    assert see_all_link(as_admin, "/") == "/audit/"
    assert see_all_link(as_owner, "/b/andina/") == "/b/andina/audit/"
    of_marco = see_all_link(as_admin, "/people/marco@example.com/")
    entries = [row.by_class("entry-what")[0].text for row in rows(parse(as_admin.get(of_marco)))]
    assert entries == ["Alma Ríos created the account of Marco Peña"]
