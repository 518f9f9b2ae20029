"""The desk's pages: what they list, what they answer, who may."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from dashboard.core.clock import now
from dashboard.platform.accounts.items import Person
from dashboard.table.commands import Actor
from dashboard.table.timestamps import from_wire
from forum.actions import Action
from forum.items import Post
from forum.services import presence
from forum.targets import Target
from tests.conftest import sign_in
from tests.forum.factories import (
    CLEAN_TEXT,
    TEXT_TO_BAN,
    TEXT_TO_REVIEW,
    a_comment,
    a_post,
    decided,
    entries_of,
    reloaded,
)
from tests.ui.html import Element, form_to, parse, toasts, undo_form

HTMX = {"HX-Request": "true"}


@pytest.fixture
def marco(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


def shown(client: Client, query: str = "") -> list[str]:
    """The names of what is listed, in order."""
    return names(parse(client.get(f"/forum/{query}")))


def names(page: Element) -> list[str]:
    return [card.attrs["data-name"] or "" for card in page.all("li") if "data-card" in card.attrs]


def test_the_queue_has_what_waits_the_worst_first(marco: Client) -> None:
    a_post(CLEAN_TEXT)
    a_post(TEXT_TO_BAN)
    mild, worse = a_post(TEXT_TO_REVIEW), a_post(f"{TEXT_TO_REVIEW} puta")
    comment = a_comment(mild)

    assert shown(marco) == [Target.of(worse).path, Target.of(mild).path]
    assert shown(marco, "?kind=comments") == [Target.of(comment).path]


def test_every_list_in_every_order(marco: Client) -> None:
    posts = [a_post(CLEAN_TEXT) for _ in range(2)]
    banned = decided(a_post(CLEAN_TEXT), Action.BAN)
    deleted = decided(a_post(CLEAN_TEXT), Action.DELETE)
    for order in ("", "&order=newest", "&order=oldest", "&order=likes", "&order=comments"):
        assert sorted(shown(marco, f"?show=active{order}")) == sorted(Target.of(post).path for post in posts)
        assert shown(marco, f"?show=banned{order}") == [Target.of(banned).path]
        assert shown(marco, f"?show=deleted{order}") == [Target.of(deleted).path]


def test_a_post_stands_whole_with_what_was_found_in_it(marco: Client) -> None:
    a_post(TEXT_TO_REVIEW + "\n" + "palabra " * 300)
    page = parse(marco.get("/forum/"))
    assert [mark.text for mark in page.all("mark")] == ["puta"]
    text = page.by_class("case-text")[0].text
    assert text.count("palabra") == 300
    assert "Score 0.5 (limit 0.8)" in page.by_class("case-score")[0].text
    assert "1 − (1 − 0.5) = 0.5" in page.by_class("case-why")[0].text


@pytest.mark.parametrize(
    ("action", "status", "said"),
    [
        (Action.BAN, "banned", "Post banned."),
        (Action.DELETE, "deleted", "Post deleted."),
        (Action.APPROVE, "active", "Post approved."),
    ],
)
def test_a_decision_without_scripts(marco: Client, action: Action, status: str, said: str) -> None:
    post = a_post()
    url = f"/forum/posts/{Target.of(post).post}/{action}/"
    form = form_to(marco.get("/forum/"), url)
    answer = marco.post(url, form.data(reason="spam"), follow=True)
    assert toasts(answer) == [said]
    assert reloaded(post).status == status
    assert [each.action for each in entries_of(post)] == [action]
    assert names(parse(answer)) == []

    back = undo_form(answer).send(marco, follow=True)
    assert names(parse(back)) == [Target.of(post).path], "it waits again, in the same list"
    assert reloaded(post).status == "active"


@pytest.mark.parametrize(("action", "kept"), [(Action.BAN, "spam"), (Action.DELETE, None), (Action.APPROVE, None)])
def test_the_reason_beside_ban_speaks_of_bans_only(marco: Client, action: Action, kept: str | None) -> None:
    post = a_post()
    url = f"/forum/posts/{Target.of(post).post}/{action}/"
    marco.post(url, form_to(marco.get("/forum/"), url).data(preset="spam"))
    assert [(each.action, each.reason_id) for each in entries_of(post)] == [(action, kept)]


def test_nobody_is_banned_for_a_reason_that_nobody_chose(marco: Client) -> None:
    post = a_post(CLEAN_TEXT)
    url = f"/forum/posts/{Target.of(post).post}/ban/"
    page = parse(marco.get("/forum/?show=active"))
    assert page.by_class("case-acts")[0].all("option")[0].text == "Choose a reason"
    assert marco.post(url, {"revision": post.revision, "preset": ""}).status_code == 422
    assert reloaded(post).status == "active"


def press(client: Client, url: str, **fields: object) -> Element:
    """What a script gets for a decision."""
    return parse(client.post(url, {"place": "list", **fields}, headers=HTMX))


def test_a_decision_in_place_leaves_a_line_with_the_way_back(marco: Client) -> None:
    post = a_post()
    url = f"/forum/posts/{Target.of(post).post}/"
    line = press(marco, f"{url}ban/", reason="spam", revision=post.revision)
    (card,) = line.by_class("decided")
    assert toasts(line) == ["Post banned."]
    again = form_to(card, next(form.attrs["action"] for form in card.all("form"))).send(marco, headers=HTMX)
    assert again.status_code == 200
    (whole,) = parse(again).by_class("case")
    assert "data-decided" not in whole.attrs
    assert reloaded(post).status == "active"


def test_who_comes_second_is_told_who_did_what(marco: Client, people_by_role: dict[str, Person]) -> None:
    post = a_post()
    alma = sign_in(people_by_role["admin"])
    url = f"/forum/posts/{Target.of(post).post}/"
    press(alma, f"{url}ban/", reason="spam", revision=post.revision)

    answer = marco.post(f"{url}delete/", {"revision": post.revision, "place": "list"}, headers=HTMX)
    assert answer.status_code == 409
    page = parse(answer)
    assert "Alma Ríos banned it (" in page.one(role="alert").text
    assert reloaded(post).status == "banned"
    revision = page.one("input", name="revision").attrs["value"]
    press(marco, f"{url}delete/", revision=revision)
    assert reloaded(post).status == "deleted"

    plain = marco.post(f"{url}approve/", {"revision": post.revision})
    assert plain.status_code == 409
    assert "Marco Peña deleted it (" in parse(plain).by_class("conflict")[0].text


def test_bad_input_changes_nothing_and_says_why(marco: Client) -> None:
    post = a_post()
    url = f"/forum/posts/{Target.of(post).post}/"
    for fields, status in (
        ({"reason": "", "revision": post.revision}, 422),
        ({"reason": "x" * 400, "revision": post.revision}, 422),
        ({"reason": "spam", "revision": "none"}, 422),
        ({"reason": "spam", "revision": 99}, 409),
    ):
        assert marco.post(f"{url}ban/", fields).status_code == status, fields
        assert marco.post(f"{url}ban/", fields, headers=HTMX).status_code == status, fields
    assert marco.post("/forum/posts/none/ban/", {"reason": "spam"}).status_code == 404
    assert marco.post("/forum/posts/a%23b/ban/", {"reason": "spam"}).status_code == 404
    assert marco.post("/forum/log/none/undo/").status_code == 404
    assert reloaded(post).status == "active"
    assert entries_of(post) == []


def test_staff_read_and_do_not_decide(as_staff: Client) -> None:
    post = a_post()
    page = parse(as_staff.get("/forum/"))
    assert names(page) == [Target.of(post).path]
    assert page.by_class("case-acts") == []
    answer = as_staff.post(f"/forum/posts/{Target.of(post).post}/ban/", {"reason": "spam", "revision": post.revision})
    assert answer.status_code == 403
    assert reloaded(post).status == "active"


def test_what_a_colleague_has_open_is_marked(marco: Client) -> None:
    post = a_post()
    name = Target.of(post).path
    presence.open_card(Actor("ines@example.com", "Inés Mora"), name)
    presence.open_card(Actor("marco@example.com", "Marco Peña"), name)
    assert "Inés Mora has this open" in parse(marco.get("/forum/")).by_class("case-open")[0].text
    pulse = parse(marco.post("/forum/pulse/", {"open": name, "show": "review", "kind": "posts"}, headers=HTMX))
    assert [(each.attrs["data-opened"], each.text) for each in pulse.all("li")] == [(name, "Inés Mora has this open")]


def test_what_is_new_is_announced(marco: Client) -> None:
    a_post()
    since = parse(marco.get("/forum/")).one(id="list").attrs["data-since"]
    for text in (TEXT_TO_REVIEW, CLEAN_TEXT):
        post = a_post(text)
        post.created_at = from_wire(since) + timedelta(seconds=5)
        post.set_index_keys()
        post.save()

    def news(show: str) -> str:
        asked = {"show": show, "kind": "posts", "since": since}
        return parse(marco.post("/forum/pulse/", asked, headers=HTMX)).text

    assert news("review").startswith("1 new post")
    assert news("active").startswith("2 new posts")
    assert news("banned") == ""
    assert parse(marco.post("/forum/pulse/", {"since": "never"}, headers=HTMX)).text == ""


def test_words_are_found_without_accents_among_what_was_looked_through(marco: Client) -> None:
    found = a_post("¿Dónde está la MÚSICA?")
    a_post(CLEAN_TEXT)
    page = parse(marco.get("/forum/?show=active&q=musica+donde"))
    assert names(page) == [Target.of(found).path]
    assert "2 searched" in page.by_class("more")[0].text
    assert names(parse(marco.get("/forum/?show=active&q=nobody"))) == []


def test_a_post_has_its_comments_and_its_history(marco: Client) -> None:
    post = a_post()
    some, gone = a_comment(post, CLEAN_TEXT), decided(a_comment(post), Action.BAN)
    decided(reloaded(post), Action.APPROVE)
    url = f"/forum/posts/{Target.of(post).post}/"
    page = parse(marco.get(url))
    assert names(page) == [Target.of(post).path, Target.of(some).path]
    assert "Marco Peña approved it" in page.by_class("history")[0].text
    assert names(parse(marco.get(f"{url}?status=banned")))[1:] == [Target.of(gone).path]
    assert "Spam or advertising" in parse(marco.get(f"{url}comments/{Target.of(gone).comment}/")).text
    assert marco.get(f"{url}?status=other").status_code == 404
    assert marco.get("/forum/posts/none/").status_code == 404
    assert marco.get(f"{url}comments/none/").status_code == 404


def test_everything_of_one_person_and_what_became_of_it(marco: Client) -> None:
    post, banned = a_post(), decided(a_post(), Action.BAN)
    a_post(author="other@example.com")
    comment = a_comment(post, author="ana@example.com")
    page = parse(marco.get("/forum/people/ana@example.com/"))
    assert sorted(names(page)) == sorted([Target.of(post).path, Target.of(banned).path])
    assert [each.text for each in page.by_class("record")[0].all("dd")] == ["2", "1", "1", "0"]
    assert names(parse(marco.get("/forum/people/ana@example.com/?kind=comments"))) == [Target.of(comment).path]
    about = parse(marco.get("/forum/people/ana@example.com/about/", headers=HTMX))
    assert [each.text for each in about.by_class("record")[0].all("dd")] == ["2", "1", "1", "0"]
    assert names(parse(marco.get("/forum/people/nobody/"))) == []


def test_pictures_come_blurred_until_someone_says_otherwise(marco: Client) -> None:
    a_post(images=["https://pics.example.com/a.jpg", "javascript:alert(1)", "http://plain.example.com/b.jpg", ""])
    answer = marco.get("/forum/")
    (picture,) = parse(answer).all("img")
    assert picture.attrs["src"] == "https://pics.example.com/a.jpg"
    assert "https:" in answer.headers["Content-Security-Policy"].partition("img-src")[2].partition(";")[0]
    box = parse(answer).one("input", data_reveal="")
    assert "checked" not in box.attrs
    marco.post("/forum/images/", {"images": "clear"})
    assert "checked" in parse(marco.get("/forum/")).one("input", data_reveal="").attrs


def test_what_another_service_wrote_shows(marco: Client) -> None:
    """Odd values, and an id that cannot stand in an address."""
    for name in ("seed-1", "a/b", "ñandú 7"):
        post = Post.new(post=name)
        post.status, post.content, post.user_id, post.created_at = "active", "Hola", "x/y", now()
        post.profanity_score, post.profanity = 0.4, {"matches": [{"start": 90, "end": 2}, "odd"], "threshold": "high"}
        post.set_index_keys()
        post.save()
    assert sorted(shown(marco)) == ["a/b", "seed-1", "ñandú 7"]
    assert marco.get("/forum/posts/%C3%B1and%C3%BA%207/").status_code == 200
