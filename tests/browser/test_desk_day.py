"""A new moderator's first hour, on a slow network: the queue, undo, a search, and an author's history."""

from __future__ import annotations

from datetime import timedelta

from playwright.sync_api import Locator, Page, expect

from dashboard.core.clock import frozen, now
from forum.actions import Action
from forum.items import Post
from tests.browser.axe import complaints
from tests.browser.conftest import Open
from tests.browser.network import slow_down as add_latency
from tests.browser.test_desk_keys import slow_down
from tests.browser.test_layout import overlap
from tests.browser.test_moderation_desk import create_queue, decided_cards, focus_first, open_cards, statuses
from tests.forum.factories import create_comment, create_post, decide


def test_a_new_moderator_works_without_leaving_the_forum(open_as: Open) -> None:
    posts = create_queue(15)
    assert isinstance(posts[0], Post)
    comments = [create_comment(posts[0], f"palabra2 {number}") for number in range(8)]
    sellers = [create_post(f"vendo entradas baratas {number}", author="promo@example.com") for number in range(30)]
    with frozen(now() - timedelta(days=7)):
        decide(create_post("reventa", author="promo@example.com"), Action.BAN, reason="Sells tickets")
    page = open_as("moderator", "/forum/")
    slow_down(page)
    expect(open_cards(page)).to_have_count(23)
    focus_first(page)
    for number in range(23):
        page.keyboard.press("ad"[number % 2])
        page.wait_for_timeout(50)
    expect(decided_cards(page)).to_have_count(23, timeout=30_000)
    for _ in range(3):
        page.keyboard.press("u")
    expect(open_cards(page)).to_have_count(3, timeout=15_000)
    decided = statuses([*posts, *comments])
    assert decided == {"active": 14, "deleted": 9} or decided == {"active": 13, "deleted": 10}

    # All results of a search: they are counted first, then decided in the list, and undone with one key.
    page.get_by_role("link", name="Active").click()
    expect(page.locator("[data-show=active]")).to_be_visible()
    page.get_by_role("searchbox").fill("entradas baratas")
    expect(open_cards(page)).to_have_count(30)
    page.get_by_role("link", name="Act on all results for “entradas baratas”").click()
    page.get_by_role("button", name="Ban all").click()
    expect(page.locator("#act-on-all").get_by_role("alert")).to_have_text("Choose or write a reason.")
    expect(page.locator("#bulk-reason")).to_be_focused()
    page.locator("#bulk-reason").select_option(label="Spam")
    page.get_by_role("button", name="Ban all").click()
    expect(page.locator("#bulk-panel")).to_contain_text("Ban 30 posts and comments (Active) with “entradas baratas”")
    assert statuses(sellers) == {"active": 30}
    page.locator("#bulk-panel").get_by_role("button", name="Ban").click()
    expect(page.locator("#bulk-panel")).to_contain_text("30 banned", timeout=20_000)
    expect(decided_cards(page)).to_have_count(30)
    assert statuses(sellers) == {"banned": 30}
    assert complaints(page) == []
    page.get_by_role("button", name="Undo last decision").click()
    expect(page.locator("#bulk-panel")).to_contain_text("30 undone", timeout=20_000)
    assert statuses(sellers) == {"active": 30}

    # Why the author was banned last week, with the keyboard: from the post to its author, to the bans in the log.
    page.keyboard.press("j")
    expect(page.locator("#about")).to_contain_text("promo@example.com")
    tab_to(page, open_cards(page).first.locator(".case-author"), "Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/forum/people/**")
    tab_to(page, page.get_by_role("link", name="All entries in the log"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/forum/log/**")
    tab_to(page, page.get_by_label("Action"))
    page.keyboard.type("Ban")
    week_ago = page.locator(".log-row", has_text="Sells tickets")
    expect(week_ago).to_contain_text("Marco Peña")
    expect(page.locator(".log-row")).to_have_count(31)
    tab_to(page, week_ago.locator("summary"))
    page.keyboard.press("Enter")
    expect(week_ago.locator("blockquote")).to_have_text("reventa")
    assert "/forum/" in page.url


def tab_to(page: Page, target: Locator, key: str = "Tab") -> None:
    """Moves the focus as a person without a mouse does."""
    expect(target).to_be_visible()
    for _ in range(400):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError("the keyboard does not reach it")


def test_decide_undo_and_bulk_on_a_phone_by_touch_on_a_slow_network(open_as: Open) -> None:
    items = create_queue(4)
    page = add_latency(open_as("moderator", "/forum/", viewport={"width": 390, "height": 844}, has_touch=True))
    open_cards(page).first.get_by_role("button", name="Approve").tap()
    expect(decided_cards(page)).to_have_count(1)
    decided_cards(page).get_by_role("button", name="Undo").tap()
    expect(open_cards(page)).to_have_count(4)
    for number in (0, 1):
        open_cards(page).nth(number).locator(".case-pick").tap()
    assert not overlap(page.locator("[data-toast]").last, page.locator("#bulk"))
    page.locator("#bulk").get_by_role("button", name="Ban").tap()
    expect(page.locator("#bulk-panel")).to_contain_text("2 banned")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.evaluate("scrollTo(0, 300)")
    assert not overlap(page.locator("#bulk-panel"), page.locator(".topbar"))
    page.get_by_role("button", name="Undo all").tap()
    expect(page.locator("#bulk-panel")).to_contain_text("2 undone")
    assert statuses(items) == {"active": 4}
    assert complaints(page) == []


def test_after_a_bulk_action_the_sidebar_counts_again(open_as: Open) -> None:
    create_queue(4)
    page = open_as("moderator", "/forum/")
    count = page.locator("[data-nav-count]:visible > :first-child")
    before = int(count.inner_text())
    for number in (0, 1):
        open_cards(page).nth(number).locator("[data-select]").check()
    page.locator("#bulk").get_by_role("button", name="Ban").click()
    expect(page.locator("#bulk-panel")).to_contain_text("2 banned")
    expect(count).to_have_text(str(before - 2), timeout=30_000)


def test_on_a_phone_the_button_that_closes_a_bulk_result_is_in_the_corner(open_as: Open) -> None:
    create_queue(2)
    page = open_as("moderator", "/forum/", viewport={"width": 390, "height": 844}, locale="es-CO")
    for number in (0, 1):
        open_cards(page).nth(number).locator("[data-select]").check()
    page.locator("#bulk").get_by_role("button", name="Aprobar").click()
    expect(page.locator("#bulk-panel")).to_contain_text("2 aprobadas")
    panel, button = page.locator("#bulk-panel").bounding_box(), page.locator("[data-close-panel]").bounding_box()
    assert panel is not None and button is not None and button["y"] - panel["y"] < 16
