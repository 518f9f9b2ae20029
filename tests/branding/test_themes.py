"""The list of versions: the live version, the status of each, and items of outside writers."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from branding import queries
from dashboard.core.clock import frozen, now
from dashboard.platform.accounts.items import Person
from dashboard.table import keys
from tests.audit.entries import pages, put_all
from tests.branding.brand_pages import (
    BRAND,
    HTMX,
    OLIVIA,
    SEED_MARKER,
    badges,
    put_marker,
    row_of,
    rows,
    titles,
    url_of,
)
from tests.branding.theme_factory import create_discarded, create_draft, create_published, put_theme, raw_theme
from tests.businesses.business_pages import put_raw, raw_at
from tests.conftest import sign_in
from tests.ui.html import Element, form_to, forms, parse
from tests.ui.walk import calls_of


def live_panel(page: Element) -> Element:
    return page.by_class("brand-now")[0]


def test_an_empty_list_offers_to_create_a_draft(as_owner: Client) -> None:
    page = parse(as_owner.get(BRAND)).one("main")
    assert "A version is a complete theme" in page.by_class("empty")[0].text
    assert not page.by_class("brand-now") and not page.by_class("tabs")
    response = form_to(page.by_class("empty")[0], f"{BRAND}themes/").send(as_owner)
    assert (response.status_code, response.headers["Location"]) == (303, url_of(1))
    assert queries.load_theme("andina", 1).is_draft


def test_the_list_shows_status_author_and_expiry_of_each_version(as_owner: Client) -> None:
    with frozen(now() - timedelta(days=3)):
        earlier = create_published("andina", "First", {"primaryColor": "#112233"}, by=OLIVIA)
        current = create_published("andina", "Summer")
    draft = create_draft("andina", "Autumn", by=OLIVIA, source=current.number)
    gone = create_discarded("andina", "No")
    page = parse(as_owner.get(BRAND))
    assert titles(page) == ["v4 No", "v3 Autumn", "v2 Summer", "v1 First"]
    assert [badges(row) for row in rows(page)] == [["Discarded"], ["Draft"], ["Live"], ["Previously live"]]
    text = row_of(as_owner, draft).text
    assert "Olivia Andrade" in text and "made from v2" in text and "deleted automatically on" in text
    assert "deleted automatically" not in row_of(as_owner, current).text
    assert "deleted permanently on" in row_of(as_owner, gone).text
    assert "#112233" in row_of(as_owner, earlier).one("svg", class_="swatches").attrs["aria-label"]
    assert "3 days ago" in row_of(as_owner, earlier).text


def test_the_live_version_is_at_the_top(as_owner: Client) -> None:
    create_published("andina", "Summer", {"primaryColor": "#aa0011"}, by=OLIVIA)
    panel = live_panel(parse(as_owner.get(BRAND)))
    assert badges(panel) == ["Live"] and "v1 Summer" in panel.text
    assert "Published by Olivia Andrade," in panel.text and panel.all("time")
    assert "#aa0011" in panel.one("svg", class_="swatches").attrs["aria-label"]
    assert panel.one("h2").one("a").attrs["href"] == url_of(1)


def test_the_panel_says_that_no_version_is_live(as_owner: Client) -> None:
    create_draft("andina")
    assert "No version is live" in live_panel(parse(as_owner.get(BRAND))).text


def test_a_live_version_that_is_missing_is_reported(as_owner: Client) -> None:
    put_marker(**SEED_MARKER)
    put_theme("andina", 42)
    put_theme("andina", 40)
    page = parse(as_owner.get(BRAND))
    panel = live_panel(page)
    assert badges(panel) == ["Live, but missing"]
    assert "there is no version 41" in panel.text and "Published by user-789" in panel.text
    assert not panel.all("a") and titles(page) == ["v42", "v40"]
    # A new draft cannot copy a missing version.
    assert [form.data()["from"] for form in forms(page.by_class("page-actions")[0])] == [""]


def test_a_marker_moved_by_an_outside_writer_shows_the_new_version(as_owner: Client) -> None:
    create_published("andina", "Summer", by=OLIVIA)
    create_draft("andina", "Theirs", {"primaryColor": "#123456"})
    marker = raw_at(keys.PUBLISHED.key(tenant="andina"))
    put_raw(marker | {"version": {"N": "2"}})
    panel = live_panel(parse(as_owner.get(BRAND)))
    assert "v2 Theirs" in panel.text and "Published by an outside service" in panel.text
    assert "Olivia" not in panel.text and "Summer" not in panel.text
    assert "#123456" in panel.one("svg", class_="swatches").attrs["aria-label"]


@pytest.mark.parametrize("version", ["many", 4.5, -1, 10**9, None])
def test_a_marker_with_an_invalid_version_does_not_break_the_pages(as_owner: Client, version: Any) -> None:
    create_draft("andina")
    put_marker(version=version)
    for url in (BRAND, f"{BRAND}timeline/", f"{BRAND}compare/", url_of(1, "publish")):
        assert as_owner.get(url).status_code == 200, url


def test_malformed_versions_of_outside_writers_are_listed(as_owner: Client) -> None:
    put_raw(raw_theme("andina", 7, status="🦙", metadata="none", timeToArchive=10**15, madeFrom=1))
    odd = raw_theme("andina", 8)
    put_raw(odd | {"SK": {"S": "THEME#next"}})
    page = parse(as_owner.get(BRAND))
    assert titles(page) == ["v7"] and badges(rows(page)[0]) == ["Previously live"]
    assert as_owner.get(f"{BRAND}?status=drafts").status_code == 200


def test_tabs_filter_by_status(as_owner: Client) -> None:
    create_published("andina", "First")
    create_published("andina", "Second")
    create_draft("andina", "Third")
    create_discarded("andina", "Fourth")
    raw = raw_theme("andina", 5)
    del raw["status"]
    put_raw(raw)
    titles_by_tab = {
        tab: titles(parse(as_owner.get(f"{BRAND}?status={tab}"))) for tab in ("drafts", "published", "discarded")
    }
    assert titles_by_tab == {
        "drafts": ["v5", "v3 Third"],
        "published": ["v2 Second", "v1 First"],
        "discarded": ["v4 Fourth"],
    }
    assert as_owner.get(f"{BRAND}?status=superseded").status_code == 404


def test_an_empty_tab_has_its_own_text(as_owner: Client) -> None:
    create_draft("andina")
    assert "No discarded drafts" in parse(as_owner.get(f"{BRAND}?status=discarded")).text
    assert "Nothing published yet" in parse(as_owner.get(f"{BRAND}?status=published")).text


def test_pagination_shows_each_version_once(as_owner: Client) -> None:
    put_all(raw_theme("andina", number) for number in range(1, 32))
    all_titles = [title for page in pages(as_owner, BRAND) for title in titles(page)]
    assert all_titles == [f"v{number}" for number in range(31, 0, -1)]


def test_the_live_version_is_marked_on_every_page(as_owner: Client) -> None:
    first = create_published("andina", "First")
    put_all(raw_theme("andina", number) for number in range(2, 14))
    page = parse(as_owner.get(BRAND))
    assert "v1 First" in live_panel(page).text and badges(live_panel(page)) == ["Live"]
    (more,) = [link.attrs["href"] for link in page.all("a") if "data-more" in link.attrs]
    rest = as_owner.get(more, headers=HTMX)
    assert badges(rows(parse(rest))[-1]) == ["Live"] and titles(parse(rest))[-1] == first.title
    assert calls_of(rest).trips == 2


def test_a_cursor_is_valid_for_one_person_and_one_tab(as_owner: Client, businesses: dict[str, Person]) -> None:
    put_all(raw_theme("andina", number) for number in range(1, 15))
    page = parse(as_owner.get(BRAND))
    (more,) = [link.attrs["href"] for link in page.all("a") if "data-more" in link.attrs]
    cursor = more.partition("cursor=")[2].partition("&")[0]
    assert sign_in(businesses["admin"]).get(more).status_code == 400
    assert as_owner.get(f"{BRAND}?status=drafts&cursor={cursor}").status_code == 400
    assert as_owner.get(f"{BRAND}?cursor={cursor}x").status_code == 400
