"""The pages of the moderation desk: lists, decisions and permissions."""

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
from forum.targets import ForumTarget
from tests.conftest import sign_in
from tests.forum.factories import (
    CLEAN_TEXT,
    TEXT_TO_BAN,
    TEXT_TO_REVIEW,
    create_comment,
    create_post,
    decide,
    entries_of,
    reload_item,
)
from tests.ui.html import Element, form_to, parse, toasts, undo_form

HTMX = {"HX-Request": "true"}


@pytest.fixture
def marco(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


def listed_names(client: Client, query: str = "") -> list[str]:
    """The names of the listed posts or comments, in order."""
    return card_names(parse(client.get(f"/forum/{query}")))


def card_names(page: Element) -> list[str]:
    return [card.attrs["data-name"] or "" for card in page.all("li") if "data-card" in card.attrs]


def test_the_queue_lists_what_waits_for_review_with_the_highest_score_first(marco: Client) -> None:
    create_post(CLEAN_TEXT)
    create_post(TEXT_TO_BAN)
    mild, worse = create_post(TEXT_TO_REVIEW), create_post(f"{TEXT_TO_REVIEW} puta")
    comment = create_comment(mild)

    first, *others = listed_names(marco)
    assert first == ForumTarget.of(worse).path
    assert set(others) == {ForumTarget.of(mild).path, ForumTarget.of(comment).path}
    assert listed_names(marco, "?kind=posts") == [ForumTarget.of(worse).path, ForumTarget.of(mild).path]
    assert listed_names(marco, "?kind=comments") == [ForumTarget.of(comment).path]


def test_each_list_shows_its_posts_in_every_order(marco: Client) -> None:
    posts = [create_post(CLEAN_TEXT) for _ in range(2)]
    banned = decide(create_post(CLEAN_TEXT), Action.BAN)
    deleted = decide(create_post(CLEAN_TEXT), Action.DELETE)
    for order in ("", "&order=newest", "&order=oldest", "&order=likes", "&order=comments"):
        assert sorted(listed_names(marco, f"?show=active{order}")) == sorted(
            ForumTarget.of(post).path for post in posts
        )
        assert listed_names(marco, f"?show=banned{order}") == [ForumTarget.of(banned).path]
        assert listed_names(marco, f"?show=deleted{order}") == [ForumTarget.of(deleted).path]


def test_a_post_is_shown_in_full_with_its_matches_and_score(marco: Client) -> None:
    create_post(TEXT_TO_REVIEW + "\n" + "palabra " * 300)
    page = parse(marco.get("/forum/"))
    assert [mark.text for mark in page.all("mark")] == ["puta"]
    text = page.by_class("case-text")[0].text
    assert text.count("palabra") == 300
    assert "Score 0.5 (limit 0.8)" in page.by_class("case-score")[0].text
    assert "1 − (1 − 0.5) = 0.5" in page.by_class("case-explanation")[0].text


@pytest.mark.parametrize(
    ("action", "status", "toast"),
    [
        (Action.BAN, "banned", "Post banned."),
        (Action.DELETE, "deleted", "Post deleted."),
        (Action.APPROVE, "active", "Post approved."),
    ],
)
def test_a_decision_and_its_undo_work_without_javascript(
    marco: Client, action: Action, status: str, toast: str
) -> None:
    post = create_post()
    url = f"/forum/posts/{ForumTarget.of(post).post}/{action}/"
    form = form_to(marco.get("/forum/"), url)
    answer = marco.post(url, form.data(reason="spam"), follow=True)
    assert toasts(answer) == [toast]
    assert reload_item(post).status == status
    assert [each.action for each in entries_of(post)] == [action]
    assert card_names(parse(answer)) == []

    undone = undo_form(answer).send(marco, follow=True)
    assert card_names(parse(undone)) == [ForumTarget.of(post).path], "the post waits for review again"
    assert reload_item(post).status == "active"


@pytest.mark.parametrize(("action", "reason_id"), [(Action.BAN, "spam"), (Action.DELETE, None), (Action.APPROVE, None)])
def test_the_reason_is_saved_for_bans_only(marco: Client, action: Action, reason_id: str | None) -> None:
    post = create_post()
    url = f"/forum/posts/{ForumTarget.of(post).post}/{action}/"
    marco.post(url, form_to(marco.get("/forum/"), url).data(preset="spam"))
    assert [(each.action, each.reason_id) for each in entries_of(post)] == [(action, reason_id)]


def test_no_reason_is_preselected_and_a_ban_without_one_is_refused(marco: Client) -> None:
    post = create_post(CLEAN_TEXT)
    url = f"/forum/posts/{ForumTarget.of(post).post}/ban/"
    page = parse(marco.get("/forum/?show=active"))
    assert page.by_class("case-actions")[0].all("option")[0].text == "Choose a reason"
    assert marco.post(url, {"revision": post.revision, "preset": ""}).status_code == 422
    assert reload_item(post).status == "active"


def decide_in_place(client: Client, url: str, **fields: object) -> Element:
    """Send a decision as the script does; return the fragment."""
    return parse(client.post(url, {"place": "list", **fields}, headers=HTMX))


def test_a_decision_in_place_shows_a_line_with_undo(marco: Client) -> None:
    post = create_post()
    url = f"/forum/posts/{ForumTarget.of(post).post}/"
    line = decide_in_place(marco, f"{url}ban/", reason="spam", revision=post.revision)
    (card,) = line.by_class("decided")
    assert toasts(line) == ["Post banned."]
    again = form_to(card, next(form.attrs["action"] for form in card.all("form"))).send(marco, headers=HTMX)
    assert again.status_code == 200
    (card_after_undo,) = parse(again).by_class("case")
    assert "data-decided" not in card_after_undo.attrs
    assert reload_item(post).status == "active"


def test_the_second_moderator_sees_who_decided_and_what(marco: Client, people_by_role: dict[str, Person]) -> None:
    post = create_post()
    alma = sign_in(people_by_role["admin"])
    url = f"/forum/posts/{ForumTarget.of(post).post}/"
    decide_in_place(alma, f"{url}ban/", reason="spam", revision=post.revision)

    answer = marco.post(f"{url}delete/", {"revision": post.revision, "place": "list"}, headers=HTMX)
    assert answer.status_code == 409
    page = parse(answer)
    assert "Alma Ríos banned it (" in page.one(role="alert").text
    assert reload_item(post).status == "banned"
    revision = page.one("input", name="revision").attrs["value"]
    decide_in_place(marco, f"{url}delete/", revision=revision)
    assert reload_item(post).status == "deleted"

    plain = marco.post(f"{url}approve/", {"revision": post.revision})
    assert plain.status_code == 409
    assert "Marco Peña deleted it (" in parse(plain).by_class("conflict")[0].text


def test_invalid_input_is_refused_and_changes_nothing(marco: Client) -> None:
    post = create_post()
    url = f"/forum/posts/{ForumTarget.of(post).post}/"
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
    assert reload_item(post).status == "active"
    assert entries_of(post) == []


def test_staff_can_read_but_not_decide(as_staff: Client) -> None:
    post = create_post()
    page = parse(as_staff.get("/forum/"))
    assert card_names(page) == [ForumTarget.of(post).path]
    assert page.by_class("case-actions") == []
    answer = as_staff.post(
        f"/forum/posts/{ForumTarget.of(post).post}/ban/", {"reason": "spam", "revision": post.revision}
    )
    assert answer.status_code == 403
    assert reload_item(post).status == "active"


def test_a_post_that_a_colleague_has_open_is_marked(marco: Client) -> None:
    post = create_post()
    name = ForumTarget.of(post).path
    presence.open_card(Actor("ines@example.com", "Inés Mora"), name)
    presence.open_card(Actor("marco@example.com", "Marco Peña"), name)
    assert "Inés Mora has this open" in parse(marco.get("/forum/")).by_class("case-open")[0].text
    pulse = parse(marco.post("/forum/pulse/", {"open": name, "show": "review", "kind": "posts"}, headers=HTMX))
    assert [(each.attrs["data-opened"], each.text) for each in pulse.all("li")] == [(name, "Inés Mora has this open")]


def test_the_pulse_counts_new_posts(marco: Client) -> None:
    create_post()
    since = parse(marco.get("/forum/")).one(id="list").attrs["data-since"]
    for text in (TEXT_TO_REVIEW, CLEAN_TEXT):
        post = create_post(text)
        post.created_at = from_wire(since) + timedelta(seconds=5)
        post.set_index_keys()
        post.save()

    def pulse_text(show: str) -> str:
        fields = {"show": show, "kind": "posts", "since": since}
        return parse(marco.post("/forum/pulse/", fields, headers=HTMX)).text

    assert pulse_text("review").startswith("1 new post")
    assert pulse_text("active").startswith("2 new posts")
    assert pulse_text("banned") == ""
    assert parse(marco.post("/forum/pulse/", {"since": "never"}, headers=HTMX)).text == ""


def test_the_search_ignores_accents_and_shows_how_many_were_searched(marco: Client) -> None:
    match = create_post("¿Dónde está la MÚSICA?")
    create_post(CLEAN_TEXT)
    page = parse(marco.get("/forum/?show=active&q=musica+donde"))
    assert card_names(page) == [ForumTarget.of(match).path]
    assert "2 searched" in page.by_class("more")[0].text
    assert card_names(parse(marco.get("/forum/?show=active&q=nobody"))) == []


def test_the_page_of_a_post_shows_its_comments_and_its_history(marco: Client) -> None:
    post = create_post()
    active, banned = create_comment(post, CLEAN_TEXT), decide(create_comment(post), Action.BAN)
    decide(reload_item(post), Action.APPROVE)
    url = f"/forum/posts/{ForumTarget.of(post).post}/"
    page = parse(marco.get(url))
    assert card_names(page) == [ForumTarget.of(post).path, ForumTarget.of(active).path, ForumTarget.of(banned).path]
    assert card_names(parse(marco.get(f"{url}?status=active")))[1:] == [ForumTarget.of(active).path]
    assert "Marco Peña approved it" in page.by_class("history")[0].text
    assert card_names(parse(marco.get(f"{url}?status=banned")))[1:] == [ForumTarget.of(banned).path]
    assert "Spam or advertising" in parse(marco.get(f"{url}comments/{ForumTarget.of(banned).comment}/")).text
    assert marco.get(f"{url}?status=other").status_code == 404
    assert marco.get("/forum/posts/none/").status_code == 404
    assert marco.get(f"{url}comments/none/").status_code == 404


def test_the_page_of_a_person_lists_their_posts_and_counts_by_status(marco: Client) -> None:
    post, banned = create_post(), decide(create_post(), Action.BAN)
    create_post(author="other@example.com")
    comment = create_comment(post, author="ana@example.com")
    page = parse(marco.get("/forum/people/ana@example.com/"))
    assert sorted(card_names(page)) == sorted([ForumTarget.of(post).path, ForumTarget.of(banned).path])
    assert [each.text for each in page.by_class("record")[0].all("dd")] == ["2", "1", "1", "0"]
    assert card_names(parse(marco.get("/forum/people/ana@example.com/?kind=comments"))) == [
        ForumTarget.of(comment).path
    ]
    about = parse(marco.get("/forum/people/ana@example.com/about/", headers=HTMX))
    assert [each.text for each in about.by_class("record")[0].all("dd")] == ["2", "1", "1", "0"]
    assert card_names(parse(marco.get("/forum/people/nobody/"))) == []


def test_the_card_has_a_link_for_each_picture_and_blurs_it_unless_the_person_prefers_otherwise(marco: Client) -> None:
    create_post(images=["https://pics.example.com/a.jpg", "javascript:alert(1)", "http://plain.example.com/b.jpg", ""])
    page = parse(marco.get("/forum/"))
    assert [each.text for each in page.by_class("case-picture-host")] == ["pics.example.com", "plain.example.com"]
    links = [each.attrs["href"] for each in page.all("a", data_show_picture="")]
    assert [each.split("/pictures/")[1].partition("?")[0] for each in links] == ["1/", "3/"]
    assert all("checked" not in box.attrs for box in page.all("input", data_reveal=""))
    marco.post("/forum/images/", {"images": "clear"})
    boxes = parse(marco.get("/forum/")).all("input", data_reveal="")
    assert len(boxes) == 2 and all("checked" in box.attrs for box in boxes)


def test_posts_of_outside_writers_with_invalid_values_are_shown(marco: Client) -> None:
    """They have values of wrong types, and ids with a slash, a space and non-ASCII letters."""
    for name in ("seed-1", "a/b", "ñandú 7"):
        post = Post.new(post=name)
        post.status, post.content, post.user_id, post.created_at = "active", "Hola", "x/y", now()
        post.profanity_score, post.profanity = 0.4, {"matches": [{"start": 90, "end": 2}, "odd"], "threshold": "high"}
        post.set_index_keys()
        post.save()
    assert sorted(listed_names(marco)) == ["a/b", "seed-1", "ñandú 7"]
    assert marco.get("/forum/posts/%C3%B1and%C3%BA%207/").status_code == 200
