"""The list of a brand's versions: what is in force, what to do with each, and what it costs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from branding import queries
from branding.items import Business, Status
from branding.services import drafts
from branding.services.drafts import ARCHIVED_AFTER
from dashboard.accounts.items import Person
from dashboard.clock import frozen, now
from dashboard.table import keys, read
from dashboard.table.attributes import to_attribute
from dashboard.table.operations import Actor, new_operation
from tests.audit.entries import put_all
from tests.branding.making import a_discarded, a_draft, a_published, in_force, now_is, publish, put_theme, raw_theme
from tests.branding.screens import BRAND, actions, badges, press, row_of, rows, said, titles, url_of
from tests.businesses.acts import put_raw
from tests.conftest import add_business, sign_in
from tests.ui.html import Element, form_to, forms, parse, undo_form
from tests.ui.walk import calls_of

OLIVIA = Actor("olivia@example.com", "Olivia Andrade")
HTMX = {"HX-Request": "true"}
SEED_MARKER = {"version": 41, "publishedAt": "2025-09-10T08:30:00Z", "publishedBy": "user-789"}


def put_marker(**attributes: Any) -> None:
    """As another service writes it."""
    key = keys.PUBLISHED.key(tenant="andina")
    item = {"PK": key.pk, "SK": key.sk, "type": "PUBLISHED_MARKER"} | attributes
    put_raw({name: to_attribute(value) for name, value in item.items()})


def now_panel(page: Element) -> Element:
    return page.by_class("brand-now")[0]


def test_an_empty_brand_says_how_to_begin(as_owner: Client) -> None:
    page = parse(as_owner.get(BRAND)).one("main")
    assert "A version is a whole look" in page.by_class("empty")[0].text
    assert not page.by_class("brand-now") and not page.by_class("tabs")
    response = form_to(page.by_class("empty")[0], f"{BRAND}themes/").send(as_owner)
    assert (response.status_code, response.headers["Location"]) == (303, url_of(1))
    assert queries.theme("andina", 1).is_draft


def test_the_list_says_of_each_version_what_it_is(as_owner: Client) -> None:
    with frozen(now() - timedelta(days=3)):
        earlier = a_published("andina", "First", {"primaryColor": "#112233"}, by=OLIVIA)
        current = a_published("andina", "Summer")
    draft = a_draft("andina", "Autumn", by=OLIVIA, source=current.number)
    gone = a_discarded("andina", "No")
    page = parse(as_owner.get(BRAND))
    assert titles(page) == ["v4 No", "v3 Autumn", "v2 Summer", "v1 First"]
    assert [badges(row) for row in rows(page)] == [["Discarded"], ["Draft"], ["In force"], ["Earlier"]]
    text = row_of(as_owner, draft).text
    assert "Olivia Andrade" in text and "made from v2" in text and "archives itself on" in text
    assert "archives itself" not in row_of(as_owner, current).text
    assert "gone for good on" in row_of(as_owner, gone).text
    assert "#112233" in row_of(as_owner, earlier).one("svg", class_="swatches").attrs["aria-label"]
    assert "3 days ago" in row_of(as_owner, earlier).text


def test_what_is_in_force_stands_on_top(as_owner: Client) -> None:
    a_published("andina", "Summer", {"primaryColor": "#aa0011"}, by=OLIVIA)
    panel = now_panel(parse(as_owner.get(BRAND)))
    assert badges(panel) == ["In force"] and "v1 Summer" in panel.text
    assert "Published by Olivia Andrade," in panel.text and panel.all("time")
    assert "#aa0011" in panel.one("svg", class_="swatches").attrs["aria-label"]
    assert panel.one("h2").one("a").attrs["href"] == url_of(1)


def test_where_nothing_is_in_force_that_is_said(as_owner: Client) -> None:
    a_draft("andina")
    assert "No version is in force" in now_panel(parse(as_owner.get(BRAND))).text


def test_a_marker_of_the_seed_whose_theme_is_missing_is_told(as_owner: Client) -> None:
    put_marker(**SEED_MARKER)
    put_theme("andina", 42)
    put_theme("andina", 40)
    page = parse(as_owner.get(BRAND))
    panel = now_panel(page)
    assert badges(panel) == ["In force, but missing"]
    assert "there is no version 41" in panel.text and "Published by user-789" in panel.text
    assert not panel.all("a") and titles(page) == ["v42", "v40"]
    # A new draft cannot begin as what is not there.
    assert [form.data()["from"] for form in forms(page.by_class("page-actions")[0])] == [""]


def test_a_marker_that_another_service_moved_is_told_without_what_it_left_behind(as_owner: Client) -> None:
    a_published("andina", "Summer", by=OLIVIA)
    a_draft("andina", "Theirs", {"primaryColor": "#123456"})
    marker = read.table().get_item(*keys.PUBLISHED.key(tenant="andina"))["Item"]
    put_raw(marker | {"version": {"N": "2"}})
    panel = now_panel(parse(as_owner.get(BRAND)))
    assert "v2 Theirs" in panel.text and "Put in force by another service" in panel.text
    assert "Olivia" not in panel.text and "Summer" not in panel.text
    assert "#123456" in panel.one("svg", class_="swatches").attrs["aria-label"]


@pytest.mark.parametrize("version", ["many", 4.5, -1, 10**9, None])
def test_a_marker_that_makes_no_sense_is_no_failure(as_owner: Client, version: Any) -> None:
    a_draft("andina")
    put_marker(version=version)
    for url in (BRAND, f"{BRAND}timeline/", f"{BRAND}compare/", url_of(1, "publish")):
        assert as_owner.get(url).status_code == 200, url


def test_odd_versions_of_other_services_are_no_failure(as_owner: Client) -> None:
    put_raw(raw_theme("andina", 7, status="🦙", metadata="none", timeToArchive=10**15, madeFrom=1))
    odd = raw_theme("andina", 8)
    put_raw(odd | {"SK": {"S": "THEME#next"}})
    page = parse(as_owner.get(BRAND))
    assert titles(page) == ["v7"] and badges(rows(page)[0]) == ["Earlier"]
    assert as_owner.get(f"{BRAND}?status=drafts").status_code == 200


def test_tabs_show_what_they_say(as_owner: Client) -> None:
    a_published("andina", "First")
    a_published("andina", "Second")
    a_draft("andina", "Third")
    a_discarded("andina", "Fourth")
    raw = raw_theme("andina", 5)
    del raw["status"]
    put_raw(raw)
    shown = {tab: titles(parse(as_owner.get(f"{BRAND}?status={tab}"))) for tab in ("drafts", "published", "discarded")}
    assert shown == {"drafts": ["v5", "v3 Third"], "published": ["v2 Second", "v1 First"], "discarded": ["v4 Fourth"]}
    assert as_owner.get(f"{BRAND}?status=superseded").status_code == 404


def test_an_empty_tab_says_what_would_stand_there(as_owner: Client) -> None:
    a_draft("andina")
    assert "Nothing is discarded" in parse(as_owner.get(f"{BRAND}?status=discarded")).text
    assert "Nothing was published yet" in parse(as_owner.get(f"{BRAND}?status=published")).text


def test_paging_shows_each_exactly_once(as_owner: Client) -> None:
    put_all(raw_theme("andina", number) for number in range(1, 32))
    found, url = [], BRAND
    while url:
        page = parse(as_owner.get(url))
        found += titles(page)
        url = next((link.attrs["href"] for link in page.all("a") if "data-more" in link.attrs), "")
    assert found == [f"v{number}" for number in range(31, 0, -1)]


def test_the_one_in_force_is_known_on_every_page(as_owner: Client) -> None:
    first = a_published("andina", "First")
    put_all(raw_theme("andina", number) for number in range(2, 14))
    page = parse(as_owner.get(BRAND))
    assert "v1 First" in now_panel(page).text and badges(now_panel(page)) == ["In force"]
    (more,) = [link.attrs["href"] for link in page.all("a") if "data-more" in link.attrs]
    rest = as_owner.get(more, headers=HTMX)
    assert badges(rows(parse(rest))[-1]) == ["In force"] and titles(parse(rest))[-1] == first.title
    assert "schedules" not in " ".join(call.pattern or "" for call in calls_of(rest).calls)


def test_a_cursor_is_for_one_person_and_one_tab(as_owner: Client, businesses: dict[str, Person]) -> None:
    put_all(raw_theme("andina", number) for number in range(1, 15))
    page = parse(as_owner.get(BRAND))
    (more,) = [link.attrs["href"] for link in page.all("a") if "data-more" in link.attrs]
    cursor = more.partition("cursor=")[2].partition("&")[0]
    assert sign_in(businesses["admin"]).get(more).status_code == 400
    assert as_owner.get(f"{BRAND}?status=drafts&cursor={cursor}").status_code == 400
    assert as_owner.get(f"{BRAND}?cursor={cursor}x").status_code == 400


# --- Making drafts -------------------------------------------------------------------------------
def test_a_draft_from_scratch_and_from_a_version(as_owner: Client) -> None:
    source = a_published("andina", "Summer", {"primaryColor": "#aa0011"})
    head = parse(as_owner.get(BRAND)).by_class("page-actions")[0]
    form = form_to(head, f"{BRAND}themes/")
    scratch, copy = form.buttons
    assert (copy.attrs["value"], copy.attrs["data-key"]) == (str(source.number), "n")
    response = form.send(as_owner, copy)
    assert (response.status_code, response.headers["Location"]) == (303, url_of(2))
    made = queries.theme("andina", 2)
    assert made.made_from == 1 and made.look["primaryColor"] == "#aa0011" and made.is_draft
    assert form.send(as_owner, scratch).headers["Location"] == url_of(3)
    assert queries.theme("andina", 3).look["primaryColor"] != "#aa0011"
    assert actions(2) == ["theme.create"]


def test_a_new_draft_can_be_undone(as_owner: Client) -> None:
    response = as_owner.post(f"{BRAND}themes/", {"from": ""}, follow=True)
    assert said(response) == "v1 is a new draft."
    undo_form(response).send(as_owner)
    assert queries.theme("andina", 1).is_discarded


@pytest.mark.parametrize("source", ["x", "-1", "1.5", str(10**8), "9" * 5000, "1; 2", "\x00"])
def test_what_is_no_number_makes_no_draft(as_owner: Client, source: str) -> None:
    for headers in ({}, HTMX):
        response = as_owner.post(f"{BRAND}themes/", {"from": source}, headers=headers)
        assert response.status_code == 422
        assert "Write the number of a version" in response.content.decode()
    assert queries.versions("andina").items == []


def test_a_version_that_is_not_here_makes_no_draft(as_owner: Client) -> None:
    put_theme("harbour", 7)
    assert as_owner.post(f"{BRAND}themes/", {"from": "7"}).status_code == 404
    assert queries.business("andina") is None


def test_the_same_form_sent_twice_makes_one_draft(as_owner: Client) -> None:
    form = form_to(parse(as_owner.get(BRAND)).by_class("empty")[0], f"{BRAND}themes/")
    places = {form.send(as_owner).headers["Location"] for _ in range(3)}
    assert places == {url_of(1)} and len(queries.versions("andina").items) == 1
    counter: Any = queries.business("andina")
    assert isinstance(counter, Business) and counter.last_version == 1


# --- Keeping, discarding, and back ---------------------------------------------------------------
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_keep_and_back(as_owner: Client, headers: dict[str, str]) -> None:
    draft = a_draft("andina")
    answer = press(as_owner, draft, "keep", headers=headers)
    assert answer.status_code == (204 if headers else 303)
    assert answer.headers["HX-Redirect" if headers else "Location"] == BRAND
    after = as_owner.get(BRAND)
    assert said(after) == "v1 stays until you discard it."
    assert now_is(draft).archives_at is None and now_is(draft).ttl is None
    assert "archives itself on" not in row_of(as_owner, draft).text
    back = undo_form(after).send(as_owner, follow=True)
    assert said(back) == "v1 archives itself if nobody changes it."
    assert now_is(draft).archives_at is not None
    assert actions(1) == ["theme.let_go", "theme.keep", "theme.create"]


def test_discard_and_back(as_owner: Client) -> None:
    draft = a_draft("andina", "Autumn")
    after = press(as_owner, draft, "discard", follow=True)
    assert said(after) == "v1 is discarded."
    assert now_is(draft).status == Status.DISCARDED
    row = row_of(as_owner, draft)
    assert badges(row) == ["Discarded"] and "Publish" not in row.text
    back = undo_form(after).send(as_owner, follow=True)
    assert said(back) == "v1 is a draft again."
    assert now_is(draft).status == Status.DRAFT
    assert actions(1) == ["theme.restore", "theme.discard", "theme.create"]


def test_the_button_brings_back_too_and_leads_back_to_the_tab(as_owner: Client) -> None:
    draft = a_discarded("andina")
    tab = f"http://testserver{BRAND}?status=discarded"
    response = press(as_owner, draft, "restore", headers={"Referer": tab})
    assert response.headers["Location"] == f"{BRAND}?status=discarded"
    assert now_is(draft).is_draft


@pytest.mark.parametrize("before", ["https://evil.example/", f"http://testserver{BRAND}themes/1/discard/", ""])
def test_from_elsewhere_one_comes_to_the_list(as_owner: Client, before: str) -> None:
    draft = a_draft("andina")
    response = as_owner.post(url_of(draft, "discard"), {"version": draft.seen}, headers={"Referer": before})
    assert response.headers["Location"] == BRAND


@pytest.mark.parametrize("act", ["keep", "let-go", "discard"])
def test_what_a_colleague_changed_is_not_acted_on_blindly(as_owner: Client, act: str) -> None:
    draft = a_draft("andina")
    drafts.save("andina", 1, values={}, files={}, name="Theirs", seen=draft.seen, operation=new_operation(OLIVIA))
    response = as_owner.post(url_of(draft, act), {"version": draft.seen})
    assert response.status_code == 409
    assert now_is(draft).is_draft and now_is(draft).archives_at is not None
    # On purpose, it can be done all the same.
    again = form_to(parse(response), url_of(draft, act)).send(as_owner)
    assert again.status_code == 303


@pytest.mark.parametrize("act", ["keep", "let-go", "discard", "restore"])
def test_what_was_published_stays_as_it_is(as_owner: Client, act: str) -> None:
    theme = a_published("andina")
    response = as_owner.post(url_of(theme, act), {"version": theme.seen})
    assert response.status_code == 409
    assert "stays as it is" in parse(response).text
    assert now_is(theme).status == Status.PUBLISHED and actions(1)[0] == "theme.publish"
    row = row_of(as_owner, theme)
    assert not [button for button in row.all("button") if f"/{act}/" in button.attrs.get("formaction", "")]


@pytest.mark.parametrize("act", ["keep", "let-go", "discard", "restore", "publish", "withdraw"])
@pytest.mark.parametrize("number", [9, 0, 10**8, 10**30])
def test_a_version_that_is_not_there_is_not_found(as_owner: Client, act: str, number: int) -> None:
    assert as_owner.post(url_of(number, act), {"version": "1"}).status_code == 404


def test_a_closed_business_can_be_looked_at_and_not_changed(businesses: dict[str, Person]) -> None:
    add_business("shut", "Shut", "olivia@example.com", status="SUSPENDED")
    for _ in range(2):
        publish(a_draft("shut"))
    browser = sign_in(businesses["owner"])
    page = parse(browser.get("/b/shut/branding/")).one("main")
    assert titles(page) == ["v2", "v1"] and forms(page) == []
    assert "Compare" in rows(page)[1].text
    for url in ("/b/shut/branding/themes/1/publish/?against=2", "/b/shut/branding/timeline/"):
        main = parse(browser.get(url)).one("main")
        assert forms(main) == [] and "Publish again" not in main.text
    assert browser.post("/b/shut/branding/themes/", {"from": ""}).status_code == 403
    assert in_force("shut") == 2


def test_a_row_leads_on(as_owner: Client) -> None:
    current, draft = a_published("andina"), a_draft("andina")
    links = [link.attrs["href"] for link in row_of(as_owner, draft).all("a")]
    assert links == [url_of(2), f"{url_of(2, 'publish')}?against=1", f"{BRAND}compare/?a=1&b=2"]
    assert [link.attrs["href"] for link in row_of(as_owner, current).all("a")] == [url_of(1)]
    for url in links:
        assert as_owner.get(url).status_code == 200


# --- What it costs -------------------------------------------------------------------------------
def costs(browser: Client) -> dict[str, tuple[list[str], int, float, int]]:
    """Calls, trips, units and rows."""
    found = {}
    for url in (BRAND, f"{BRAND}timeline/", url_of(10, "publish"), f"{BRAND}compare/?a=1&b=2"):
        response = browser.get(url)
        assert response.status_code == 200, url
        log = calls_of(response)
        found[url] = (sorted(call.operation for call in log.calls), log.trips, log.units, len(rows(parse(response))))
    return found


def fat(number: int) -> dict[str, Any]:
    """With a body that a list must not fetch."""
    metadata = {"primaryColor": "#112233", "notes": "x" * 300}
    return raw_theme("andina", number, metadata=metadata, timeToArchive=int((now() + ARCHIVED_AFTER).timestamp()))


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_it_costs_the_same_at_ten_and_at_a_thousand_versions(table: str, businesses: dict[str, Person]) -> None:
    browser = sign_in(businesses["owner"])
    put_all(fat(number) for number in range(1, 11))
    few = costs(browser)
    put_all(fat(number) for number in range(11, 1001))
    many = costs(browser)
    assert many == few
    calls, trips, _units, shown = many[BRAND]
    # Who one is; then the marker, the versions and what is to come, side by side.
    assert (calls, trips, shown) == (["BatchGetItem", "GetItem", "Query", "Query"], 2, queries.PAGE)
    assert all(trips == 2 for _, trips, _, _ in many.values())


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_a_tab_looks_at_a_bounded_stretch_and_says_how_far(table: str, businesses: dict[str, Person]) -> None:
    browser = sign_in(businesses["owner"])
    put_all(raw_theme("andina", number) for number in range(1, 2401))
    put_theme("andina", 1, status="discarded")
    response = browser.get(f"{BRAND}?status=discarded")
    page, log = parse(response), calls_of(response)
    looked = 2400 - read.LOOK * read.LOOKS + 1
    assert f"Nothing found yet · looked back to v{looked}" in page.by_class("more-line")[0].text
    assert log.trips <= 1 + read.LOOKS and rows(page) == []
    found, steps, url = [], 0, f"{BRAND}?status=discarded"
    while url:
        page = parse(browser.get(url))
        found += titles(page)
        url = next((link.attrs["href"] for link in page.all("a") if "data-more" in link.attrs), "")
        steps += 1
    assert (found, steps) == (["v1"], 3)


def test_the_list_fetches_no_bodies(as_owner: Client) -> None:
    a_draft("andina")
    (theme,) = queries.versions("andina").items
    assert theme.partial and theme.assets is None
    assert set(theme.metadata or {}) == {"primaryColor", "secondaryColor", "accentColor"} | {
        "backgroundColor",
        "surfaceColor",
        "textColor",
    }
