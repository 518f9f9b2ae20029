"""The moderators' desk in a real browser: by keyboard alone, on a phone, without scripts, and two at once."""

from __future__ import annotations

from collections import Counter

from playwright.sync_api import Locator, Page, expect

from forum.actions import Action
from forum.items import Comment, Post
from forum.queries import posts
from forum.targets import Target
from tests.browser.axe import complaints
from tests.browser.conftest import Open
from tests.forum.factories import a_post, decided, entries_of, reloaded

TEXT_TO_REVIEW = "palabra2 en la fila"


def waiting(count: int) -> list[Post | Comment]:
    """So many posts that wait, and nothing else does: what the world has is decided first."""
    for item in posts.posts_to_review(limit=100).items:
        decided(item, Action.APPROVE)
    return [a_post(f"{TEXT_TO_REVIEW} {number}", name=f"Person {number}") for number in range(count)]


def cards(page: Page) -> Locator:
    return page.locator("[data-card]:not([data-decided])")


def lines(page: Page) -> Locator:
    return page.locator("[data-decided]")


def statuses(items: list[Post | Comment]) -> Counter[str]:
    return Counter(str(reloaded(item).status) for item in items)


def test_clear_a_queue_of_twenty_by_keyboard_and_undo_three(open_as: Open) -> None:
    items = waiting(20)
    page = open_as("moderator", "/")
    page.keyboard.press("g")
    page.keyboard.press("m")
    expect(cards(page)).to_have_count(20)
    # Nothing is decided about what one is not at: the first key only goes there.
    page.keyboard.press("b")
    expect(cards(page).first.locator(".row-link")).to_be_focused()
    assert statuses(items) == {"active": 20}
    for number in range(20):
        page.keyboard.press("abd6"[number % 4])
        expect(lines(page)).to_have_count(number + 1)
    expect(cards(page)).to_have_count(0)
    assert statuses(items) == {"active": 5, "banned": 10, "deleted": 5}
    assert {len(entries_of(item)) for item in items} == {1}
    reasons = Counter(each.reason_id for item in items for each in entries_of(item) if each.action == "ban")
    assert reasons == {"profanity": 5, "spam": 5}

    for number in range(3):
        page.keyboard.press("u")
        expect(lines(page)).to_have_count(19 - number)
        expect(cards(page)).to_have_count(number + 1)
    assert statuses(items)["active"] == 8
    assert sum(len(entries_of(item)) == 2 for item in items) == 3
    assert complaints(page) == []

    # What was taken back can be decided again, and j and k know it.
    page.keyboard.press("k")
    page.keyboard.press("j")
    page.keyboard.press("d")
    expect(lines(page)).to_have_count(18)


def test_undo_takes_back_the_last_ones_however_fast_they_were(open_as: Open) -> None:
    """Two answers come before the page has settled after the first of them."""
    items = waiting(4)
    page = open_as("moderator", "/forum/")
    page.keyboard.press("j")
    page.keyboard.press("b")
    expect(lines(page)).to_have_count(1)
    expect(cards(page).first.locator(".row-link")).to_be_focused()
    page.evaluate("htmx.config.defaultSettleDelay = 700")
    page.keyboard.press("d")
    page.keyboard.press("d")
    expect(lines(page)).to_have_count(3)
    page.wait_for_timeout(900)
    for left in (2, 1):
        page.keyboard.press("u")
        expect(lines(page)).to_have_count(left)
    assert statuses(items) == {"active": 3, "banned": 1}


def test_the_history_of_the_author_comes_with_the_focus(open_as: Open) -> None:
    waiting(2)
    page = open_as("moderator", "/forum/")
    page.keyboard.press("j")
    expect(page.locator("#about .record")).to_contain_text("Posts")
    expect(page.locator("#about")).to_contain_text("ana@example.com")
    assert complaints(page) == []


def test_a_ban_in_ones_own_words_by_enter_and_none_without_a_reason(open_as: Open) -> None:
    (item,) = waiting(1)
    calm = a_post("Buenos días")
    page = open_as("moderator", "/forum/")
    # A click anywhere in a post goes to it.
    cards(page).first.locator(".case-text").click()
    expect(page.locator("#about .record")).to_be_visible()
    cards(page).first.get_by_role("combobox", name="Reason").select_option(label="Other reason…")
    page.keyboard.press("Enter")
    expect(lines(page)).to_have_count(0)
    page.keyboard.type("Sells tickets")
    page.keyboard.press("Enter")
    expect(lines(page)).to_have_count(1)
    assert reloaded(item).ban_reason == "Sells tickets"

    page.goto(page.url + "?show=active")
    card = page.locator(f"[data-name='{Target.of(calm).path}']")
    card.locator(".row-link").focus()
    page.keyboard.press("b")
    expect(card.get_by_role("combobox", name="Reason")).to_be_focused()
    assert reloaded(calm).status == "active"


def test_the_history_beside_a_post_goes_along_with_what_is_decided(open_as: Open) -> None:
    (item,) = waiting(1)
    page = open_as("moderator", f"/forum/posts/{Target.of(item).post}/")
    expect(page.locator("[data-told]")).to_contain_text("No actions yet.")
    page.keyboard.press("b")
    expect(page.locator("[data-told]")).to_contain_text("Marco Peña banned it")


def test_bulk_ban_by_keyboard_and_undo_of_the_whole(open_as: Open) -> None:
    items = waiting(6)
    page = open_as("moderator", "/forum/")
    for _ in range(4):
        page.keyboard.press("j")
        page.keyboard.press("x")
    expect(page.locator("[data-count]")).to_have_text("4 selected")
    # With some selected, the key decides about all of them.
    page.keyboard.press("b")
    expect(page.get_by_text("Finished", exact=True)).to_be_visible()
    assert statuses(items) == {"banned": 4, "active": 2}
    together = {each.operation for item in items for each in entries_of(item)}
    assert len(together) == 1, "one id in the log"
    page.get_by_role("button", name="Undo").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Finished", exact=True)).to_be_visible()
    expect(page.locator("main")).to_contain_text("4")
    assert statuses(items) == {"active": 6}


def test_two_browsers_meet_and_one_is_told(open_as: Open) -> None:
    first, second = waiting(2)
    mine, theirs = open_as("moderator", "/forum/"), open_as("admin", "/forum/")
    mine.keyboard.press("j")
    before = cards(theirs).nth(1).bounding_box()
    theirs.keyboard.press("j")
    # Whoever comes to it sees that a colleague is there.
    expect(theirs.get_by_text("Marco Peña has this open")).to_be_visible()
    assert cards(theirs).nth(1).bounding_box() == before, "nothing moves under the cursor"
    theirs.keyboard.press("b")
    expect(lines(theirs)).to_have_count(1)

    mine.keyboard.press("d")
    expect(mine.get_by_role("alert").first).to_contain_text("Alma Ríos banned it (")
    assert sorted([str(reloaded(first).status), str(reloaded(second).status)]) == ["active", "banned"]
    # Whoever works by keyboard has gone on; it is shown as it stands, and can be decided about from there.
    mine.keyboard.press("k")
    mine.keyboard.press("r")
    expect(lines(mine)).to_have_count(1)
    assert statuses([first, second]) == {"active": 2}


def test_what_is_new_is_announced_and_moves_nothing(open_as: Open) -> None:
    waiting(3)
    page = open_as("moderator", "/forum/")
    page.clock.install()
    page.reload()
    page.keyboard.press("j")
    before = cards(page).first.bounding_box()
    late = a_post(f"{TEXT_TO_REVIEW}, late")
    late.created_at = late.created_at.replace(year=late.created_at.year + 1)
    late.set_index_keys()
    late.save()
    page.clock.run_for(30_000)
    expect(page.locator("[data-news]")).to_contain_text("1 new post")
    expect(cards(page)).to_have_count(3)
    assert cards(page).first.bounding_box() == before
    page.locator("[data-news]").click()
    expect(cards(page)).to_have_count(4)


def test_on_a_phone(open_as: Open) -> None:
    items = waiting(3)
    page = open_as("moderator", "/forum/", viewport={"width": 390, "height": 844}, has_touch=True)
    expect(cards(page)).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    name = cards(page).first.get_attribute("data-name")
    cards(page).first.get_by_role("combobox", name="Reason").select_option(label="Other reason…")
    cards(page).first.get_by_role("textbox", name="Other reason…").fill("Sells tickets")
    cards(page).first.get_by_role("button", name="Ban").tap()
    expect(lines(page)).to_have_count(1)
    (banned,) = [item for item in items if Target.of(item).path == name]
    assert reloaded(banned).ban_reason == "Sells tickets"
    page.locator("[data-toast]").get_by_role("button", name="Undo").tap()
    expect(cards(page)).to_have_count(3)
    assert statuses(items) == {"active": 3}
    assert complaints(page) == []


def test_without_scripts(open_as: Open) -> None:
    items = waiting(2)
    page = open_as("moderator", "/forum/", java_script_enabled=False)
    page.get_by_role("button", name="Ban").first.click()
    expect(page.locator(".toast")).to_contain_text("Post banned.")
    expect(page.locator("[data-card]")).to_have_count(1)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator("[data-card]")).to_have_count(2)
    assert statuses(items) == {"active": 2}
    page.locator("[data-select]").first.check()
    page.locator("#bulk").get_by_role("button", name="Delete").click()
    for _ in range(5):
        if statuses(items)["deleted"]:
            break
        page.get_by_role("button", name="Continue").click()
    assert statuses(items) == {"active": 1, "deleted": 1}
