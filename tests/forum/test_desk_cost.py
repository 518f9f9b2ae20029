"""The cost of the desk's pages with 1,000 and with 4,000 posts. `make bench ARGS=queue` measures 100,000."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from forum.queries.posts import PAGE
from tests.audit.entries import put_all
from tests.conftest import sign_in
from tests.forum.many_posts import raw_posts
from tests.ui.html import parse
from tests.ui.walk import calls_of

PAGES = {
    "the queue": "/forum/",
    "the queue of comments": "/forum/?kind=comments",
    "active": "/forum/?show=active",
    "banned by likes": "/forum/?show=banned&order=likes",
    "active by comments": "/forum/?show=active&order=comments",
    "deleted comments": "/forum/?show=deleted&kind=comments",
    "search": "/forum/?show=active&q=espera",
    "a post": "/forum/posts/many-0000005/",
    "about a person": "/forum/people/p5@example.com/about/",
}


def measure_costs(browser: Client) -> dict[str, tuple[int, int, float]]:
    """The calls, trips and units of each page."""
    found = {}
    for name, url in PAGES.items():
        log = calls_of(browser.get(url))
        found[name] = (len(log.calls), log.trips, log.units)
    return found


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_every_page_costs_the_same_with_1000_and_with_4000_posts(table: str, people_by_role: dict[str, Person]) -> None:
    browser = sign_in(people_by_role["moderator"])
    put_all(raw_posts(range(1_000)))
    few = measure_costs(browser)
    put_all(raw_posts(range(1_000, 4_000)))
    assert measure_costs(browser) == few
    assert {trips for _, trips, _ in few.values()} == {2}
    page = parse(browser.get("/forum/"))
    assert len([each for each in page.all("li") if "data-row" in each.attrs]) == PAGE
    assert page.by_class("count")[0].text == "100+"
