"""Pages that show items of outside writers before the follower has seen them."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from forum.queries import posts
from forum.queries.posts import PAGE, Order
from tests import outside_writes
from tests.conftest import every_engine, sign_in
from tests.forum.factories import CLEAN_TEXT, create_comment, create_post
from tests.forum.outside_posts import ids, raw_comment, raw_post
from tests.ui.html import parse
from tests.ui.walk import calls_of


@pytest.fixture
def marco(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


def shown_comments(marco: Client, query: str = "") -> list[str]:
    cards = [li for li in parse(marco.get(f"/forum/posts/p1/{query}")).all("li") if "data-row" in li.attrs]
    return [card.attrs["data-name"] or "" for card in cards]


@every_engine
def test_a_post_shows_comments_without_index_keys(table: str, marco: Client) -> None:
    outside_writes.put(raw_post())
    outside_writes.put(raw_comment("c2"))
    outside_writes.put(raw_comment("c1") | {"createdAt": {"S": "2026-03-01T10:00:01Z"}})
    outside_writes.put(raw_comment("c3") | {"status": {"S": "banned"}, "createdAt": {"N": "3"}})
    # The oldest first, those without a date before.
    assert shown_comments(marco) == ["p1/c3", "p1/c2", "p1/c1"]
    assert "in the order of their ids" not in parse(marco.get("/forum/posts/p1/")).text
    assert shown_comments(marco, "?status=active") == [], "the tabs by status read the index"
    assert marco.get("/forum/posts/p1/?status=none").status_code == 404


def test_a_post_with_many_comments_states_the_order(table: str, marco: Client) -> None:
    outside_writes.put(raw_post())
    for number in range(PAGE * 2 + 1):
        outside_writes.put(raw_comment(f"c{number:03}"))
    found, url = [], "/forum/posts/p1/"
    while url:
        response = marco.get(url)
        page = parse(response)
        assert "in the order of their ids" in page.text
        rows = [li.attrs["data-name"] for li in page.all("li") if "data-row" in li.attrs]
        assert len(rows) <= PAGE
        found += rows
        url = response.context["listing"].next_url
    assert found == [f"p1/c{number:03}" for number in range(PAGE * 2 + 1)]


def test_the_comments_cost_as_much_as_those_of_one_status(table: str, marco: Client) -> None:
    post = create_post(CLEAN_TEXT)
    for _ in range(PAGE + 5):
        create_comment(post, CLEAN_TEXT)
    url = f"/forum/posts/{ids([post])[0]}/"
    every_status, active = calls_of(marco.get(url)), calls_of(marco.get(f"{url}?status=active"))
    assert len(every_status.calls) == len(active.calls) and every_status.trips == active.trips == 2
    assert every_status.units <= active.units


def put_posts_with_unpadded_counters(*numbers: int) -> None:
    """As the seed writes them: `9#…` sorts after `150#…`."""
    for number in numbers:
        at = "2026-03-01T10:00:00Z"
        index_keys = {"GSI3PK": "POSTS#SORTED", "GSI3SK": f"{number}#{at}"}
        index_keys |= {"GSI4PK": "POSTS#COMMENTS", "GSI4SK": f"{number}#{at}"}
        counters = {"likes": {"N": str(number)}, "commentsCount": {"N": str(number)}}
        texts = {name: {"S": value} for name, value in index_keys.items()}
        outside_writes.put(raw_post(f"p{number}") | texts | counters)


def test_posts_with_unpadded_counters_are_in_order(table: str) -> None:
    put_posts_with_unpadded_counters(9, 150, 21, 3)
    for order in (Order.LIKES, Order.COMMENTS):
        assert ids(posts.posts_by_status("active", order).items) == ["p150", "p21", "p9", "p3"]


def test_the_order_by_counters_continues_on_the_next_page_and_its_limit_is_stated(
    marco: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_posts_with_unpadded_counters(9, 150, 21, 3, 1000)
    first = posts.posts_by_status("active", Order.LIKES, limit=2)
    second = posts.posts_by_status("active", Order.LIKES, first.next_start_key, limit=2)
    third = posts.posts_by_status("active", Order.LIKES, second.next_start_key, limit=2)
    pages = [ids(page.items) for page in (first, second, third)]
    assert pages == [["p1000", "p150"], ["p21", "p9"], ["p3"]] and third.next_start_key is None
    url, limited = "/forum/?show=active&order=likes&kind=posts", "Only the first 4 posts are sorted."
    assert limited not in marco.get(url).content.decode()
    monkeypatch.setattr(posts, "SEARCHED_AT_ONCE", 4)
    monkeypatch.setattr(posts, "PAGE", 3)
    page = parse(marco.get(url))
    assert limited in page.text
    more = next(str(each.attrs["href"]) for each in page.all("a") if "cursor=" in str(each.attrs.get("href")))
    assert len(parse(marco.get(more)).by_class("case-text")) == 1
