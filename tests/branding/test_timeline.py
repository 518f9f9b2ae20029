"""The timeline: every publication once, newest first, with a link to publish each version again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from branding import queries
from branding.services import publishing
from dashboard.core.clock import frozen, now
from dashboard.core.ids import new_id
from dashboard.platform.accounts.items import Person
from dashboard.table import keys
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import new_command
from tests.audit.entries import put_all
from tests.branding.brand_pages import BRAND, OLIVIA, SEED_MARKER, badges, put_marker, rows, titles, url_of
from tests.branding.theme_factory import LOW_CONTRAST, create_draft, create_published, live_version, publish
from tests.conftest import ACTOR, sign_in
from tests.ui.html import form_to, parse
from tests.ui.walk import calls_of

TIMELINE = f"{BRAND}timeline/"


def raw_publication(minutes: int, **attributes: Any) -> dict[str, Any]:
    at = now() - timedelta(days=90) + timedelta(minutes=minutes)
    key = keys.PUBLICATION.key(tenant="andina", at=at, operation=new_id())
    item = {"PK": key.pk, "SK": key.sk} | {"version": minutes, "publishedBy": "x@example.com"} | attributes
    return {name: to_attribute(value) for name, value in item.items()}


def test_an_empty_timeline_has_its_own_text(as_owner: Client) -> None:
    page = parse(as_owner.get(TIMELINE)).one("main")
    assert "Nothing published yet" in page.by_class("empty")[0].text and not page.by_class("notice")


def test_publications_are_listed_newest_first_with_their_details(as_owner: Client) -> None:
    with frozen(now() - timedelta(days=2)):
        first = create_published("andina", "First", {"primaryColor": "#aa0011"}, by=OLIVIA, note="For the <opening>")
    create_published("andina", "Faint", LOW_CONTRAST)
    publish(first)
    page = parse(as_owner.get(TIMELINE))
    assert titles(page) == ["v1 First", "v2 Faint", "v1 First"]
    again, faint, oldest = rows(page)
    assert [badges(row) for row in (again, faint, oldest)] == [["Live"], [], []]
    assert "Olivia Andrade" in oldest.text and oldest.one("blockquote").text == "For the <opening>"
    assert "#aa0011" in oldest.one("svg", class_="swatches").attrs["aria-label"]
    assert "Accepted with too little contrast: Text on the background, Text on cards" in faint.text
    assert not page.by_class("notice")


def test_an_older_version_can_be_published_again(as_owner: Client) -> None:
    first, second = create_published("andina", "First"), create_published("andina", "Second")
    now_row, old_row = rows(parse(as_owner.get(TIMELINE)))
    assert [link.attrs["href"] for link in now_row.all("a")] == [url_of(second)]
    (button,) = old_row.by_class("button")
    assert button.attrs["href"] == f"{url_of(first, 'publish')}?against=2"
    page = parse(as_owner.get(button.attrs["href"])).one("main")
    assert page.by_class("diff")
    form_to(page, url_of(first, "publish")).send(as_owner)
    assert live_version("andina") == 1


def test_a_withdrawal_is_a_separate_line(as_owner: Client) -> None:
    theme = create_published("andina", "First")
    publishing.withdraw("andina", theme.number, command=new_command(ACTOR))
    withdrawn, published = rows(parse(as_owner.get(TIMELINE)))
    assert (badges(withdrawn), badges(published)) == (["Withdrawn"], [])
    assert withdrawn.by_class("button")[0].attrs["href"] == url_of(theme, "publish")


def test_a_scheduled_publication_has_a_badge(as_owner: Client) -> None:
    put_all([raw_publication(1, scheduled=1)])
    assert badges(rows(parse(as_owner.get(TIMELINE)))[0]) == ["Scheduled"]


def test_a_version_published_by_an_outside_writer_is_announced(as_owner: Client) -> None:
    put_marker(**SEED_MARKER)
    assert "v41 is live. An outside service published it" in parse(as_owner.get(TIMELINE)).text
    create_draft("andina")
    queries.find_marker("andina")
    put_all([raw_publication(1)])
    page = parse(as_owner.get(TIMELINE))
    assert "v41 is live" in page.by_class("notice")[0].text and badges(rows(page)[0]) == []


def test_malformed_publications_of_outside_writers_are_listed(as_owner: Client) -> None:
    put_all(
        [
            raw_publication(1, version=4.5, title="Half"),
            raw_publication(2, version="seven", swatches=["red", 7, "#ABC"], belowAA=["new-pair"]),
            raw_publication(3, publishedAt="yesterday", note="x" * 900),
        ]
    )
    page = parse(as_owner.get(TIMELINE))
    text = page.one("main").text
    assert len(rows(page)) == 3 and "time unknown" in text and "new-pair" in text and "Half" in text
    assert [len(row.all("a")) for row in rows(page)] == [2, 0, 0]


def test_pagination_shows_each_publication_once(as_owner: Client, businesses: dict[str, Person]) -> None:
    put_all(raw_publication(number) for number in range(45))
    # v24 begins the second page. That line is not the publication that made it live, so it has no badge.
    put_marker(version=24)
    all_titles, url = [], TIMELINE
    while url:
        response = as_owner.get(url)
        all_titles += titles(parse(response))
        assert [badges(row) for row in rows(parse(response)) if badges(row)] == []
        following = [link.attrs["href"] for link in parse(response).all("a") if "data-more" in link.attrs]
        url = following[0] if following else ""
        if url:
            assert sign_in(businesses["admin"]).get(url).status_code == 400
    assert all_titles == [f"v{number}" for number in range(44, -1, -1)]


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_the_page_costs_the_same_with_30_and_with_1000_publications(table: str, businesses: dict[str, Person]) -> None:
    browser, costs = sign_in(businesses["owner"]), []
    for numbers in (range(30), range(30, 1000)):
        put_all(raw_publication(number) for number in numbers)
        log = calls_of(browser.get(TIMELINE))
        costs.append((sorted(call.operation for call in log.calls), log.trips, log.units))
    assert costs[0] == costs[1]
    assert costs[0][:2] == (["BatchGetItem", "GetItem", "Query"], 2)
