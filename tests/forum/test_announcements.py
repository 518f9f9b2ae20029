"""Announcements: published, refused with an error at the field, and withdrawn only by their author."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.test import Client

from dashboard.core.errors import NotFound
from dashboard.platform.accounts.items import Person
from dashboard.table.commands import Actor, new_command
from forum.actions import Action
from forum.items import Post
from forum.queries.posts import announcements_of
from forum.services import announcements, counters, posts
from forum.services.announcements import withdraw
from forum.services.decisions import Overtaken
from forum.statuses import ACTIVE, DELETED
from forum.targets import ForumTarget
from tests.conftest import real_engines, sign_in
from tests.forum.factories import TEXT_TO_BAN, create_post, decide, entries_of, reload_item
from tests.forum.filter_pages import SOFIA, audit_entries, rows
from tests.ui.html import form_to, parse, toasts, undo_form

URL = "/forum/announce/"
STAFF = Actor(SOFIA, "Sofía Duarte")


def announce(content: str = "Las puertas abren a las diez") -> Post:
    return posts.announce(content, command=new_command(STAFF))


def own_announcements() -> list[Post]:
    return announcements_of(SOFIA).items


def test_an_announcement_is_published_withdrawn_and_published_again(table: str, as_staff: Client) -> None:
    text = "Cambio de horario:\nel norte a las 19:30"
    form = form_to(as_staff.get(URL), URL)
    response = as_staff.post(URL, form.data(content=text.replace("\n", "\r\n")), follow=True)
    (post,) = own_announcements()
    assert (post.content, post.status, post.announcement, post.author_name) == (text, ACTIVE, True, "Sofía Duarte")
    assert "Cambio de horario" in parse(response).one("tbody").text
    assert audit_entries()[0].action == "forum.announce"

    done = undo_form(response).send(as_staff)
    assert done.status_code == 303
    assert reload_item(post).status == DELETED
    (entry,) = entries_of(post)
    assert (entry.action, entry.admin_id, (entry.metadata or {})["before"]["status"]) == ("delete", SOFIA, "active")
    assert (audit_entries()[0].action, (audit_entries()[0].before or {})["content"]) == ("forum.withdraw", text)
    # Undo of the withdrawal publishes it again.
    again = undo_form(as_staff.get(URL)).send(as_staff)
    assert again.status_code == 303
    assert [each.status for each in own_announcements()].count(ACTIVE) == 1


def test_the_same_form_sent_twice_publishes_one_announcement(as_staff: Client) -> None:
    data = form_to(as_staff.get(URL), URL).data(content="Una vez")
    for _ in range(2):
        assert toasts(as_staff.post(URL, data, follow=True)) == ["Announcement published."]
    assert len(own_announcements()) == 1


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("", "This field is required"),
        ("   \n ", "This field is required"),
        ("x" * 2001, "at most 2000 characters"),
        ("a\x00b", "Null characters"),
        (TEXT_TO_BAN, "The profanity filter would ban this: hijo de puta."),
    ],
)
def test_invalid_text_shows_an_error_and_keeps_the_input(as_staff: Client, content: str, error: str) -> None:
    response = as_staff.post(URL, form_to(as_staff.get(URL), URL).data(content=content))
    assert response.status_code == 422
    page = parse(response)
    assert error in page.by_class("error")[0].text
    assert page.one("textarea", name="content").text.strip() == content.replace("\x00", "\x00").strip()
    assert own_announcements() == []


def test_a_preview_publishes_nothing(as_staff: Client) -> None:
    form = form_to(as_staff.get(URL), URL)
    page = parse(as_staff.post(URL, form.data(content="Qué puta espera <b>", preview="1")))
    preview = page.by_class("announce-preview")[0]
    assert [mark.text for mark in preview.all("mark")] == ["puta"]
    assert "below the limit" in preview.text and "<b>" in preview.text
    assert page.one("textarea", name="content").text.strip() == "Qué puta espera <b>"
    assert own_announcements() == []
    foul = parse(as_staff.post(URL, form.data(content=TEXT_TO_BAN, preview="1")))
    assert "The filter would ban this" in foul.by_class("announce-preview")[0].text


def test_the_list_shows_only_the_persons_own_announcements(as_staff: Client, as_admin: Client) -> None:
    announce("mío")
    create_post("un post cualquiera", author=SOFIA)
    assert [row.by_class("main")[0].text for row in rows(parse(as_staff.get(URL)))] == ["mío"]
    assert "No announcements yet" in parse(as_admin.get(URL)).text


def test_only_the_author_can_withdraw_an_announcement(as_admin: Client, as_staff: Client) -> None:
    post = announce()
    url = f"{URL}{ForumTarget.of(post).post}/withdraw/"
    assert as_admin.post(url, {"revision": post.revision}).status_code == 404
    mine = create_post("no es un anuncio", author=SOFIA)
    assert as_staff.post(f"{URL}{ForumTarget.of(mine).post}/withdraw/", {"revision": mine.revision}).status_code == 404
    assert as_staff.post(f"{URL}nothing/withdraw/", {"revision": 1}).status_code == 404
    assert reload_item(post).status == reload_item(mine).status == ACTIVE


@pytest.mark.parametrize("actions", [(Action.BAN,), (Action.DELETE,), (Action.BAN, Action.RESTORE)])
def test_an_announcement_that_was_moderated_cannot_be_withdrawn(as_staff: Client, actions: tuple[Action, ...]) -> None:
    post = announce()
    response = as_staff.get(URL)
    form = form_to(response, f"{URL}{ForumTarget.of(post).post}/withdraw/")
    item: Post = post
    for action in actions:
        found = decide(item, action)
        assert isinstance(found, Post)
        item = found
    assert form.send(as_staff).status_code == 409
    assert reload_item(post).status == item.status
    assert not parse(as_staff.get(URL)).one("tbody").all("form"), "the button to withdraw is not shown"
    with pytest.raises(Overtaken):
        withdraw(ForumTarget.of(post), revision=item.revision, command=new_command(STAFF))


def test_an_announcement_with_likes_can_be_withdrawn(as_staff: Client) -> None:
    post = announce()
    counters.like(ForumTarget.of(post), 5, command=new_command(STAFF))
    form_to(as_staff.get(URL), f"{URL}{ForumTarget.of(post).post}/withdraw/").send(as_staff)
    now = reload_item(post)
    assert isinstance(now, Post)
    assert (now.status, now.likes) == (DELETED, 5)
    assert (now.gsi3pk, str(now.gsi3sk).split("#")[0]) == ("POSTS#SORTED#deleted", "0000000005")


def test_moderators_may_not_publish_announcements(people_by_role: dict[str, Person]) -> None:
    browser = sign_in(people_by_role["moderator"])
    assert browser.get(URL).status_code == browser.post(URL, {"content": "x"}).status_code == 403


def test_withdrawing_an_invalid_id_raises_not_found(table: str) -> None:
    with pytest.raises(NotFound):
        announcements.withdraw(ForumTarget("a#b"), revision=1, command=new_command(STAFF))


@real_engines
def test_of_a_withdrawal_and_a_ban_at_the_same_time_one_wins(table: str) -> None:
    post = announce()
    barrier = threading.Barrier(2)

    def attempt(action: str) -> str:
        barrier.wait()
        try:
            if action == "ban":
                decide(post, Action.BAN)
            else:
                withdraw(ForumTarget.of(post), revision=post.revision, command=new_command(STAFF))
        except Overtaken:
            return ""
        return action

    with ThreadPoolExecutor(2) as pool:
        won = [each for each in pool.map(attempt, ("ban", "withdraw")) if each]
    assert len(won) == 1
    assert reload_item(post).status == {"ban": "banned", "withdraw": DELETED}[won[0]]
    assert len(entries_of(post)) == 1
