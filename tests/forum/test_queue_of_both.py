"""One queue of posts and comments: the worst first, page by page, without skipping or repeating."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from dashboard.core.clock import now
from dashboard.platform.accounts.items import Person
from forum.actions import Action
from forum.items import Comment, Post
from forum.links import links_of
from forum.targets import ForumTarget
from tests.conftest import sign_in
from tests.forum.bulk_jobs import put_all
from tests.forum.factories import CLEAN_TEXT, TEXT_TO_REVIEW, create_comment, create_post, decide
from tests.forum.test_desk import card_names
from tests.ui.html import Element, parse
from tests.ui.walk import calls_of

HTMX = {"HX-Request": "true"}


@pytest.fixture
def marco(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


def create_many(post_scores: list[float], comment_scores: list[float]) -> list[str]:
    """The names of posts and comments with these scores, the worst first."""
    items: list[Post | Comment] = [Post.new(post=f"p{number:03}") for number in range(len(post_scores))]
    items += [Comment.new(post="p000", comment=f"c{number:03}") for number in range(len(comment_scores))]
    for number, (item, score) in enumerate(zip(items, post_scores + comment_scores, strict=True)):
        item.status, item.content, item.profanity_score, item.user_id = "active", f"text {number}", score, "ana"
        item.created_at, item.revision = now() - timedelta(minutes=number), 1
    put_all(list(items))
    ordered = sorted(items, key=lambda item: (item.profanity_score, item.created_at), reverse=True)
    return [ForumTarget.of(item).path for item in ordered]


def walk(client: Client, query: str = "") -> list[str]:
    """The names of all pages, one after the other."""
    names, url = list[str](), f"/forum/{query}"
    while url:
        page = parse(client.get(url))
        names += card_names(page)
        more = [each for each in page.all("a") if "data-more" in each.attrs]
        url = str(more[0].attrs["href"]) if more else ""
    return names


@pytest.mark.parametrize(
    ("post_scores", "comment_scores"),
    [
        ([0.1 + number / 200 for number in range(60)], [0.1 + number / 130 for number in range(40)]),
        ([0.9] * 30, [0.2] * 30),
        ([0.5] * 26, [0.5] * 26),
        ([], [0.3] * 27),
        ([0.3] * 27, []),
    ],
)
def test_every_page_continues_where_the_one_before_ended(
    marco: Client, post_scores: list[float], comment_scores: list[float]
) -> None:
    expected = create_many(post_scores, comment_scores)
    assert walk(marco) == expected
    assert sorted(walk(marco, "?kind=posts")) == sorted(name for name in expected if "/" not in name)
    assert sorted(walk(marco, "?kind=comments")) == sorted(name for name in expected if "/" in name)
    assert sorted(walk(marco, "?kind=posts&kind=comments&show=active&order=oldest")) == sorted(expected)
    assert sorted(walk(marco, "?q=text")) == sorted(expected)


def test_decisions_between_two_pages_skip_and_repeat_nothing(marco: Client) -> None:
    expected = create_many([0.9 - number / 100 for number in range(30)], [0.895 - number / 100 for number in range(30)])
    first = parse(marco.get("/forum/"))
    shown = card_names(first)
    for name in shown[::2]:
        kind = "comments/" + name.partition("/")[2] + "/" if "/" in name else ""
        marco.post(f"/forum/posts/{name.partition('/')[0]}/{kind}delete/", {"revision": 1})
    more = next(each for each in first.all("a") if "data-more" in each.attrs)
    following = card_names(parse(marco.get(str(more.attrs["href"]))))
    assert shown + following == expected[: len(shown) + len(following)]


def test_the_queue_costs_two_trips(marco: Client) -> None:
    create_many([0.4] * 30, [0.4] * 30)
    first = marco.get("/forum/")
    assert (calls_of(first).trips, len(calls_of(first).calls)) == (2, 7)
    more = next(each for each in parse(first).all("a") if "data-more" in each.attrs)
    assert calls_of(marco.get(str(more.attrs["href"]))).trips == 2


def test_the_toggles_and_the_count_follow_the_kinds(marco: Client) -> None:
    post = create_post()
    create_comment(post)
    create_comment(post)

    def toggles(page: Element) -> dict[str, bool]:
        boxes = [each for each in page.all("input", name="kind") if each.attrs.get("type") == "checkbox"]
        return {str(box.attrs["value"]): "checked" in box.attrs for box in boxes}

    both, comments = parse(marco.get("/forum/")), parse(marco.get("/forum/?kind=comments"))
    assert (toggles(both), both.by_class("count")[0].text) == ({"posts": True, "comments": True}, "3")
    assert (toggles(comments), comments.by_class("count")[0].text) == ({"posts": False, "comments": True}, "2")
    assert marco.get("/forum/?kind=other").status_code == 404


def test_the_queue_is_empty_only_if_both_kinds_are(marco: Client) -> None:
    post = create_post(CLEAN_TEXT)
    comment = create_comment(post)
    page = parse(marco.get("/forum/?kind=posts"))
    assert "The queue is empty" not in page.text
    assert "Still to review: 1 comment" in page.by_class("empty")[0].text
    decide(comment, Action.APPROVE)
    for query in ("", "?kind=posts", "?kind=comments"):
        assert "The queue is empty" in parse(marco.get(f"/forum/{query}")).by_class("empty")[0].text


def test_a_comment_shows_its_post_and_the_comment_that_it_replies_to(marco: Client) -> None:
    post = create_post("¿A qué hora abren?")
    first = create_comment(post, "A las siete")
    reply = create_comment(post, TEXT_TO_REVIEW, reply_to=ForumTarget.of(first).comment)
    page = parse(marco.get("/forum/"))
    details = page.by_class("case-context")[0]
    assert "open" not in details.attrs and "comment it replies to" in details.text
    url = next(str(each.attrs["hx-get"]) for each in details.all("a") if "hx-get" in each.attrs)
    answer = marco.get(url, headers=HTMX)
    assert [each.text for each in parse(answer).by_class("case-text")] == ["¿A qué hora abren?", "A las siete"]
    assert calls_of(answer).trips == 2
    gone = parse(marco.get(f"{url}x", headers=HTMX))
    assert "no longer exists" in gone.text
    assert marco.get(f"/forum/posts/none/comments/{ForumTarget.of(reply).comment}/context/").status_code == 404


def test_links_show_their_host(marco: Client) -> None:
    text = "puta https://google.com@evil.example/a?b=1, (www.tickets.example/x) http://раураl.com https://"
    assert [each.host for each in links_of(text)] == ["evil.example", "www.tickets.example", "xn--l-7sba6dbr.com"]
    create_post(text)
    links = parse(marco.get("/forum/")).by_class("case-links")[0].all("a")
    assert [each.text for each in links][:2] == ["evil.example", "www.tickets.example"]
    assert {str(each.attrs["rel"]) for each in links} == {"noopener noreferrer nofollow ugc"}
