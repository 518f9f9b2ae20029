"""The keys of the desk in a real browser: undo from the log, sentences, a slow network, offline, an ended session."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from playwright.sync_api import Page, Route, expect

from forum.actions import Action
from forum.targets import ForumTarget
from tests.browser.axe import complaints
from tests.browser.conftest import Open
from tests.browser.network import slow_down as add_latency
from tests.browser.test_moderation_desk import create_queue, decided_cards, focus_first, open_cards, statuses
from tests.forum.factories import create_post, decide, reload_item

ADDED_DELAY = 400


def slow_down(page: Page) -> None:
    """Adds a delay to every request of the page."""

    def after_delay(route: Route) -> None:
        page.wait_for_timeout(ADDED_DELAY)
        route.continue_()

    page.route("**/forum/**", after_delay)


def test_undo_goes_back_through_the_log_on_a_slow_network(open_as: Open) -> None:
    items = create_queue(5)
    page = open_as("moderator", "/forum/")
    slow_down(page)
    focus_first(page)
    # Undo is pressed before the first answers arrive: it waits for them, and reverts the last one.
    for key in "bdb":
        page.keyboard.press(key)
    page.keyboard.press("u")
    expect(page.locator("[data-toast]").last).to_contain_text("undone")
    expect(decided_cards(page)).to_have_count(2)
    expect(open_cards(page)).to_have_count(3)
    assert statuses(items) == {"active": 3, "banned": 1, "deleted": 1}
    expect(page.locator("#toasts")).to_contain_text("Ban undone.")

    # After a reload the decisions are read from the log, and the posts come back to the list.
    page.reload()
    expect(open_cards(page)).to_have_count(3)
    focus_first(page)
    page.keyboard.press("u")
    page.keyboard.press("u")
    expect(open_cards(page)).to_have_count(5)
    assert statuses(items) == {"active": 5}
    # The decisions of the world are the next ones; none of ours is made again.
    before = statuses(items)
    page.keyboard.press("u")
    page.wait_for_timeout(1500)
    assert statuses(items) == before
    assert complaints(page) == []


def test_undo_on_the_page_of_a_post_also_after_a_reload(open_as: Open) -> None:
    (item,) = create_queue(1)
    url = f"/forum/posts/{ForumTarget.of(item).post}/"
    page = open_as("moderator", url)
    focus_first(page)
    for reloads in (False, True):
        page.keyboard.press("b")
        expect(page.locator("[data-status=banned]")).to_be_visible()
        if reloads:
            page.reload()
            focus_first(page)
        page.keyboard.press("u")
        expect(page.locator("[data-status=active]")).to_be_visible()
        assert reload_item(item).status == "active"
    page.get_by_role("button", name="Undo last decision").click()
    expect(page.locator("#toasts")).to_contain_text(re.compile("undone|left to undo"))
    assert reload_item(item).status == "active"


def test_a_sentence_outside_a_field_decides_nothing(open_as: Open) -> None:
    items = create_queue(3)
    page = open_as("moderator", "/forum/")
    expect(open_cards(page)).to_have_count(3)
    for sentence in ("a bad day, ok", "badr123ud", "jajaja", "j'ai adoré"):
        page.keyboard.type(sentence, delay=30)
        page.wait_for_timeout(100)
    expect(page.get_by_text("Choose a post first")).to_be_attached()
    page.wait_for_timeout(1100)
    # The same with a post that was focused: letters that are no shortcut show that it is a sentence.
    open_cards(page).first.locator(".case-text").click()
    page.keyboard.type("hola, a bailar", delay=30)
    page.wait_for_timeout(300)
    expect(decided_cards(page)).to_have_count(0)
    assert statuses(items) == {"active": 3}
    # A moment later the keys act again.
    page.wait_for_timeout(1100)
    page.keyboard.press("d")
    expect(decided_cards(page)).to_have_count(1)


def test_keys_act_only_after_the_person_has_focused_a_post_in_this_visit(open_as: Open) -> None:
    waiting, banned = create_queue(4), create_post()
    decide(banned, Action.BAN)
    page = open_as("moderator", "/forum/")
    expect(open_cards(page)).to_have_count(4)
    hint = page.get_by_text("Choose a post first")
    # u would revert the last decision of the log.
    page.keyboard.press("u")
    expect(hint).to_be_visible()
    # The page focuses the post to which the person comes back. That is no choice of the person.
    link = open_cards(page).nth(2).locator(".row-link")
    url = page.url
    link.click()
    expect(page).not_to_have_url(url)
    page.go_back()
    expect(link).to_be_focused()
    page.wait_for_timeout(400)
    for key in "bd1u":
        page.keyboard.press(key)
    expect(hint).to_be_visible()
    page.wait_for_timeout(500)
    expect(decided_cards(page)).to_have_count(0)
    assert statuses(waiting) == {"active": 4} and reload_item(banned).status == "banned"
    # After the person has focused a post, the keys act.
    page.keyboard.press("j")
    page.wait_for_timeout(400)
    page.keyboard.press("d")
    expect(decided_cards(page)).to_have_count(1)
    page.keyboard.press("u")
    page.keyboard.press("u")
    expect(decided_cards(page)).to_have_count(0)
    expect(page.locator("#toasts")).to_contain_text("Ban undone.")
    assert reload_item(banned).status == "active"


def test_undo_in_an_empty_queue(open_as: Open) -> None:
    (item,) = create_queue(1)
    decide(item, Action.BAN)
    page = open_as("moderator", "/forum/")
    expect(page.locator(".empty")).to_be_visible()
    page.keyboard.type("una frase", delay=30)
    page.wait_for_timeout(600)
    assert reload_item(item).status == "banned"
    page.keyboard.press("u")
    expect(page.locator("#toasts")).to_contain_text("Ban undone.")
    assert reload_item(item).status == "active"


def test_arrows_and_tab_focus_a_post_too(open_as: Open) -> None:
    create_queue(2)
    page = open_as("moderator", "/forum/")
    page.keyboard.press("ArrowDown")
    expect(open_cards(page).first.locator(".row-link")).to_be_focused()
    page.wait_for_timeout(400)
    page.keyboard.press("d")
    expect(decided_cards(page)).to_have_count(1)


def test_offline_the_cursor_stays_and_the_decision_is_not_made(open_as: Open) -> None:
    items = create_queue(3)
    page = open_as("moderator", "/forum/")
    focus_first(page)
    page.context.set_offline(True)
    page.keyboard.press("b")
    page.keyboard.press("b")
    expect(page.locator("#connection")).to_be_visible()
    expect(open_cards(page).first.locator(".row-link")).to_be_focused()
    expect(decided_cards(page)).to_have_count(0)
    assert statuses(items) == {"active": 3}
    page.context.set_offline(False)
    page.keyboard.press("b")
    expect(decided_cards(page)).to_have_count(1)

    # The connection breaks without notice: the cursor comes back to the post that was not decided.
    page.route("**/forum/posts/**", lambda route: route.abort())
    page.keyboard.press("d")
    expect(page.locator("#connection")).to_be_visible()
    expect(open_cards(page).first.locator(".row-link")).to_be_focused()


def test_after_the_session_ends_the_person_returns_to_the_same_post(open_as: Open) -> None:
    items = create_queue(30)
    page = open_as("moderator", "/forum/")
    focus_first(page)
    page.locator("[data-more]").click()
    expect(open_cards(page)).to_have_count(30)
    open_cards(page).nth(26).locator(".case-text").click()
    name = open_cards(page).nth(26).get_attribute("data-name") or ""
    cookies = page.context.cookies()
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    page.keyboard.press("d")
    expect(page).to_have_url(re.compile("/login/"))
    assert statuses(items) == {"active": 30}
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    page.goto(page.url)
    expect(page).to_have_url(re.compile("/forum/$"))
    expect(page.locator(f"[data-name='{name}'] .row-link")).to_be_focused()


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en-GB", "Nothing was done yet. Press b again: Ban"),
        ("es-CO", "Todavía no se hizo nada. Pulsa b otra vez: Bloquear"),
    ],
)
def test_a_key_that_comes_too_early_says_so_at_the_post(open_as: Open, locale: str, text: str) -> None:
    items = create_queue(2)
    post_url = f"/forum/posts/{ForumTarget.of(items[0]).post}/"
    for url in ("/forum/", post_url):
        page = open_as("moderator", url, locale=locale)
        page.keyboard.press("j")
        page.keyboard.press("b")
        hint = open_cards(page).first.get_by_role("status").filter(has_text=text)
        expect(hint).to_be_in_viewport()
        assert complaints(page) == []
        assert statuses(items) == {"active": 2}
    # The second press decides, and the message disappears.
    page.wait_for_timeout(400)
    page.keyboard.press("b")
    expect(page.locator("[data-status=banned]")).to_be_visible()
    expect(page.locator(".case-hint")).to_have_count(0)
    assert statuses(items) == {"active": 1, "banned": 1}


def test_keys_that_are_pressed_before_the_scripts_run_act_when_they_do(open_as: Open) -> None:
    items = create_queue(3)
    page = open_as("moderator", "/")
    waiting: list[Route] = []
    page.route("**/js/app*.js", lambda route: waiting.append(route))
    page.keyboard.press("g")
    page.keyboard.press("m")
    expect(open_cards(page)).to_have_count(3)
    for key in "jjb":
        page.keyboard.press(key)
    waiting[0].continue_()
    expect(open_cards(page).nth(1).locator(".row-link")).to_be_focused()
    # Nobody has read the post yet.
    expect(open_cards(page).nth(1).get_by_role("status").filter(has_text="Press b again: Ban")).to_be_visible()
    page.wait_for_timeout(400)
    assert statuses(items) == {"active": 3}
    page.keyboard.press("d")
    expect(decided_cards(page)).to_have_count(1)
    assert statuses(items) == {"active": 2, "deleted": 1}

    # What was pressed long ago, or typed into a field, presses nothing.
    page.goto("/forum/", wait_until="commit")
    expect(open_cards(page)).to_have_count(2)
    page.keyboard.press("j")
    page.wait_for_timeout(2100)
    waiting[1].continue_()
    page.wait_for_load_state()
    expect(page.locator("[data-card]:focus-within")).to_have_count(0)
    page.goto("/forum/", wait_until="commit")
    expect(open_cards(page)).to_have_count(2)
    page.get_by_role("searchbox").focus()
    page.keyboard.type("j?")
    waiting[2].continue_()
    page.wait_for_load_state()
    expect(page.get_by_role("searchbox")).to_be_focused()
    expect(page.get_by_role("searchbox")).to_have_value("j?")
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_keys_for_a_page_that_is_loading_act_on_it(open_as: Open) -> None:
    items = create_queue(3)
    page = add_latency(open_as("moderator", "/"))
    for key in "gmjj":
        page.keyboard.press(key)
    expect(open_cards(page).nth(1).locator(".row-link")).to_be_focused()
    page.wait_for_timeout(400)
    page.keyboard.press("d")
    expect(decided_cards(page)).to_have_count(1)
    assert statuses(items) == {"active": 2, "deleted": 1}


def test_without_a_chosen_post_its_page_says_what_to_do(open_as: Open) -> None:
    (item,) = create_queue(1)
    page = open_as("moderator", f"/forum/posts/{ForumTarget.of(item).post}/")
    page.keyboard.press("b")
    expect(page.get_by_text("Choose a post first: click it, or press j.")).to_be_visible()
    assert statuses([item]) == {"active": 1}
