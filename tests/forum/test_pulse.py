"""What an open list learns every few seconds: decisions of colleagues, and the count of what waits."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from dashboard.core.clock import now
from dashboard.platform.accounts.items import Person
from dashboard.table.commands import Actor
from dashboard.table.timestamps import to_wire
from forum.actions import Action
from forum.items import Comment, Post
from forum.targets import ForumTarget
from tests.conftest import sign_in
from tests.forum.factories import MARCO, create_comment, create_post, decide, reload_item
from tests.ui.html import Element, parse
from tests.ui.walk import calls_of

INES = Actor("ines@example.com", "Inés Mora")
HTMX = {"HX-Request": "true"}


@pytest.fixture
def marco(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


def pulse(client: Client, *items: Post | Comment, **fields: str) -> Element:
    names = "\n".join(ForumTarget.of(item).path for item in items)
    moment = parse(client.get("/forum/")).one(id="list").attrs["data-decisions-until"]
    return parse(client.post("/forum/pulse/", {"decisions_until": moment, "names": names, **fields}, headers=HTMX))


def changes(page: Element) -> dict[str, tuple[str, bool]]:
    """The text of each change, and whether the card stays in the list."""
    found = [each for each in page.all("div") if "data-change" in each.attrs]
    return {
        str(each.attrs["data-change"]): (str(each.attrs["data-text"]), "data-decided" not in each.one("li").attrs)
        for each in found
    }


def test_decisions_of_colleagues_are_shown_with_their_name(marco: Client) -> None:
    post, other, own = create_post(), create_post(), create_post()
    comment = create_comment(post)
    decide(post, Action.BAN, by=INES)
    decide(comment, Action.APPROVE, by=INES)
    decide(own, Action.BAN, by=MARCO)
    found = pulse(marco, post, comment, own, other)
    assert changes(found) == {
        ForumTarget.of(post).path: ("Inés Mora banned it", False),
        ForumTarget.of(comment).path: ("Inés Mora approved it", False),
    }
    assert found.one("ul").attrs["data-waiting"] == "1"
    assert changes(pulse(marco, other)) == {}, "only cards of the page are sent"
    # In the list of banned posts the ban is where it belongs, and its card says who made it.
    banned = pulse(marco, post, show="banned")
    assert changes(banned) == {ForumTarget.of(post).path: ("Inés Mora banned it", True)}
    assert "Banned by Inés Mora" in banned.by_class("case-ban")[0].text


def test_the_page_of_a_post_and_of_an_author_shows_every_status(marco: Client) -> None:
    post = create_post()
    comment = create_comment(post)
    decide(comment, Action.BAN, by=INES)
    decide(post, Action.DELETE, by=INES)
    names = [ForumTarget.of(item).path for item in (post, comment)]
    for url, page_of in ((f"/forum/posts/{names[0]}/", names[0]), (f"/forum/people/{post.user_id}/", "")):
        live = next(each for each in parse(marco.get(url)).all("div") if "data-desk" in each.attrs)
        assert (live.attrs["data-show"], live.attrs.get("data-page-of", "")) == ("all", page_of)
        found = pulse(
            marco, post, comment, show="all", decisions_until=str(live.attrs["data-decisions-until"]), page_of=page_of
        )
        assert changes(found) == {names[0]: ("Inés Mora deleted it", True), names[1]: ("Inés Mora banned it", True)}
        # The post of the page itself cannot be selected.
        selectable = [each for each in found.all("input") if each.attrs.get("name") == "selected"]
        assert len(selectable) == (1 if page_of else 2)
        assert "data-waiting" not in found.one("ul").attrs


def test_a_card_that_comes_back_to_the_queue_can_be_decided_again(marco: Client) -> None:
    post = create_post()
    decide(decide(post, Action.APPROVE, by=INES), Action.REOPEN, by=INES)
    page = pulse(marco, post)
    assert changes(page) == {ForumTarget.of(post).path: ("Inés Mora put it back in the queue", True)}
    assert page.one("input", name="revision").attrs["value"] == str(reload_item(post).revision)


def test_without_changes_a_pulse_is_one_trip_after_the_session(marco: Client) -> None:
    post = create_post()
    fields = {"decisions_until": to_wire(now()), "names": ForumTarget.of(post).path}
    answer = marco.post("/forum/pulse/", fields, headers=HTMX)
    assert calls_of(answer).trips == 2
    assert "data-waiting" not in parse(answer).one("ul").attrs


@pytest.mark.parametrize("moment", ["", "never", "9999-99-99T00:00:00Z", "2020-01-01T00:00:00Z", "x" * 500])
def test_an_invalid_or_old_moment_starts_again(marco: Client, moment: str) -> None:
    post = create_post()
    decide(post, Action.BAN, by=INES)
    answer = marco.post("/forum/pulse/", {"decisions_until": moment, "names": ForumTarget.of(post).path}, headers=HTMX)
    assert answer.status_code == 200
    following = str(parse(answer).one("ul").attrs["data-decisions-until"])
    assert to_wire(now() - timedelta(minutes=1)) < following <= to_wire(now())
