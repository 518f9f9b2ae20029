"""The moderation desk in a real browser: by keyboard alone, on a phone, without scripts, and two moderators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from playwright.sync_api import Locator, Page, expect

from forum.actions import Action
from forum.items import Comment, Post
from forum.queries import posts
from forum.targets import ForumTarget
from tests.browser.axe import complaints
from tests.browser.conftest import Open
from tests.forum.factories import create_post, decide, entries_of, reload_item

TEXT_TO_REVIEW = "palabra2 en la fila"


def create_queue(count: int) -> list[Post | Comment]:
    """Creates the only posts to review: the posts and comments of the world are approved first."""
    waiting: list[Post | Comment] = [
        *posts.posts_to_review(limit=100).items,
        *posts.comments_to_review(limit=100).items,
    ]
    for item in waiting:
        decide(item, Action.APPROVE)
    return [create_post(f"{TEXT_TO_REVIEW} {number}", name=f"Person {number}") for number in range(count)]


def open_cards(page: Page) -> Locator:
    return page.locator("[data-card]:not([data-decided])")


def decided_cards(page: Page) -> Locator:
    return page.locator("[data-decided]")


def focus_first(page: Page) -> None:
    """Focuses the first post, and waits as long as a person needs to look at it."""
    page.keyboard.press("j")
    # A key that is pressed before the scripts of the page run acts when they do.
    expect(page.locator("[data-desk] [data-card]:focus-within")).to_have_count(1)
    page.wait_for_timeout(400)


def statuses(items: Sequence[Post | Comment]) -> Counter[str]:
    return Counter(str(reload_item(item).status) for item in items)


def test_clear_a_queue_of_twenty_by_keyboard_and_undo_three(open_as: Open) -> None:
    items = create_queue(20)
    page = open_as("moderator", "/")
    page.keyboard.press("g")
    page.keyboard.press("m")
    expect(open_cards(page)).to_have_count(20)
    focus_first(page)
    expect(open_cards(page).first.locator(".row-link")).to_be_focused()
    for number in range(20):
        page.keyboard.press("abd6"[number % 4])
        expect(decided_cards(page)).to_have_count(number + 1)
    expect(open_cards(page)).to_have_count(0)
    assert statuses(items) == {"active": 5, "banned": 10, "deleted": 5}
    assert {len(entries_of(item)) for item in items} == {1}
    reasons = Counter(each.reason_id for item in items for each in entries_of(item) if each.action == "ban")
    assert reasons == {"profanity": 5, "spam": 5}

    for number in range(3):
        page.keyboard.press("u")
        expect(decided_cards(page)).to_have_count(19 - number)
        expect(open_cards(page)).to_have_count(number + 1)
    assert statuses(items)["active"] == 8
    assert sum(len(entries_of(item)) == 2 for item in items) == 3
    assert complaints(page) == []

    # A post whose decision was undone can be decided again, and j and k reach it.
    page.keyboard.press("k")
    page.keyboard.press("j")
    page.keyboard.press("d")
    expect(decided_cards(page)).to_have_count(18)


def test_undo_reverts_the_latest_decisions_even_after_fast_key_presses(open_as: Open) -> None:
    """Two responses arrive before htmx has settled the first one."""
    items = create_queue(4)
    page = open_as("moderator", "/forum/")
    focus_first(page)
    page.keyboard.press("b")
    expect(decided_cards(page)).to_have_count(1)
    expect(open_cards(page).first.locator(".row-link")).to_be_focused()
    page.evaluate("htmx.config.defaultSettleDelay = 700")
    page.keyboard.press("d")
    page.keyboard.press("d")
    expect(decided_cards(page)).to_have_count(3)
    page.wait_for_timeout(900)
    for left in (2, 1):
        page.keyboard.press("u")
        expect(decided_cards(page)).to_have_count(left)
    assert statuses(items) == {"active": 3, "banned": 1}


def test_the_focused_post_shows_its_author_s_record(open_as: Open) -> None:
    create_queue(2)
    page = open_as("moderator", "/forum/")
    page.keyboard.press("j")
    expect(page.locator("#about .record")).to_contain_text("Posts")
    expect(page.locator("#about")).to_contain_text("ana@example.com")
    assert complaints(page) == []


def test_a_ban_with_another_reason_and_no_ban_without_a_reason(open_as: Open) -> None:
    (item,) = create_queue(1)
    calm = create_post("Buenos días")
    page = open_as("moderator", "/forum/")
    # A click anywhere in a post selects it.
    open_cards(page).first.locator(".case-text").click()
    expect(page.locator("#about .record")).to_be_visible()
    open_cards(page).first.get_by_role("combobox", name="Reason").select_option(label="Other reason…")
    page.keyboard.press("Enter")
    expect(open_cards(page).first.get_by_role("alert")).to_have_text("Choose or write a reason.")
    expect(decided_cards(page)).to_have_count(0)
    # Escape leaves the field, and the keys act on the post again.
    page.keyboard.press("Escape")
    expect(open_cards(page).first.locator(".row-link")).to_be_focused()
    page.keyboard.press("b")
    expect(open_cards(page).first.get_by_role("textbox", name="Other reason…")).to_be_focused()
    page.keyboard.type("Sells tickets")
    page.keyboard.press("Enter")
    expect(decided_cards(page)).to_have_count(1)
    assert reload_item(item).ban_reason == "Sells tickets"

    page.goto(page.url + "?show=active")
    card = page.locator(f"[data-name='{ForumTarget.of(calm).path}']")
    card.locator(".case-text").click()
    page.keyboard.press("b")
    expect(card.get_by_role("combobox", name="Reason")).to_be_focused()
    expect(card.get_by_role("alert")).to_have_text("Choose or write a reason.")
    assert reload_item(calm).status == "active"


def test_a_decision_updates_the_history_of_the_post(open_as: Open) -> None:
    (item,) = create_queue(1)
    page = open_as("moderator", f"/forum/posts/{ForumTarget.of(item).post}/")
    expect(page.locator("[data-history]")).to_contain_text("No actions yet.")
    focus_first(page)
    page.keyboard.press("b")
    expect(page.locator("[data-history]")).to_contain_text("Marco Peña banned it")


def test_ban_a_selection_by_keyboard_and_undo_all(open_as: Open) -> None:
    items = create_queue(6)
    page = open_as("moderator", "/forum/")
    focus_first(page)
    page.keyboard.press("x")
    for _ in range(3):
        page.keyboard.press("j")
        page.keyboard.press("x")
    expect(page.locator("[data-count]")).to_have_text("4 selected")
    expect(page.locator("#bulk")).to_contain_text("Keys for all selected: a Approve")
    # With a selection, the key acts on all selected posts. The list stays, and each row shows its result.
    page.keyboard.press("b")
    expect(page.locator("#bulk-panel")).to_contain_text("4 banned")
    expect(decided_cards(page)).to_have_count(4)
    expect(open_cards(page)).to_have_count(2)
    assert page.url.endswith("/forum/")
    assert statuses(items) == {"banned": 4, "active": 2}
    operations = {each.operation for item in items for each in entries_of(item)}
    assert len(operations) == 1, "all entries must have the same operation id"
    assert complaints(page) == []
    page.get_by_role("button", name="Undo all").click()
    expect(page.locator("#bulk-panel")).to_contain_text("4 undone")
    expect(open_cards(page)).to_have_count(6)
    assert statuses(items) == {"active": 6}

    # Again, with u; a row button acts on its row, whatever is selected.
    page.locator("[data-select-all]").check()
    open_cards(page).first.get_by_role("button", name="Delete").click()
    expect(decided_cards(page)).to_have_count(1)
    assert statuses(items) == {"active": 5, "deleted": 1}
    open_cards(page).first.locator(".case-text").click()
    page.keyboard.press("a")
    expect(page.locator("#bulk-panel")).to_contain_text("5 approved")
    page.keyboard.press("u")
    expect(page.locator("#bulk-panel")).to_contain_text("5 undone")
    page.keyboard.press("u")
    expect(open_cards(page)).to_have_count(6)
    assert statuses(items) == {"active": 6}


def test_a_conflict_between_two_moderators_is_shown(open_as: Open) -> None:
    first, second = create_queue(2)
    mine, theirs = open_as("moderator", "/forum/"), open_as("admin", "/forum/")
    focus_first(mine)
    before = open_cards(theirs).nth(1).bounding_box()
    focus_first(theirs)
    # The second moderator sees that a colleague has the post open.
    expect(theirs.get_by_text("Marco Peña has this open")).to_be_visible()
    assert open_cards(theirs).nth(1).bounding_box() == before, "the cards must not move"
    theirs.keyboard.press("b")
    expect(decided_cards(theirs)).to_have_count(1)

    mine.keyboard.press("d")
    expect(mine.get_by_role("alert").first).to_contain_text("Alma Ríos banned it (")
    assert sorted([str(reload_item(first).status), str(reload_item(second).status)]) == ["active", "banned"]
    # The post is shown with its new status, and the first moderator can decide about it again.
    mine.keyboard.press("k")
    mine.keyboard.press("r")
    expect(decided_cards(mine)).to_have_count(1)
    assert statuses([first, second]) == {"active": 2}


def test_new_posts_are_announced_without_moving_the_list(open_as: Open) -> None:
    create_queue(3)
    page = open_as("moderator", "/forum/")
    page.clock.install()
    page.reload()
    page.keyboard.press("j")
    before = open_cards(page).first.bounding_box()
    late = create_post(f"{TEXT_TO_REVIEW}, late")
    late.created_at = late.created_at.replace(year=late.created_at.year + 1)
    late.set_index_keys()
    late.save()
    page.clock.run_for(30_000)
    expect(page.locator("[data-new-posts]")).to_contain_text("1 new post or comment")
    expect(open_cards(page)).to_have_count(3)
    assert open_cards(page).first.bounding_box() == before
    page.locator("[data-new-posts]").click()
    expect(open_cards(page)).to_have_count(4)


def test_ban_and_undo_on_a_phone(open_as: Open) -> None:
    items = create_queue(3)
    page = open_as("moderator", "/forum/", viewport={"width": 390, "height": 844}, has_touch=True)
    expect(open_cards(page)).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    name = open_cards(page).first.get_attribute("data-name")
    open_cards(page).first.get_by_role("combobox", name="Reason").select_option(label="Other reason…")
    open_cards(page).first.get_by_role("textbox", name="Other reason…").fill("Sells tickets")
    open_cards(page).first.get_by_role("button", name="Ban").tap()
    expect(decided_cards(page)).to_have_count(1)
    (banned,) = [item for item in items if ForumTarget.of(item).path == name]
    assert reload_item(banned).ban_reason == "Sells tickets"
    page.locator("[data-toast]").get_by_role("button", name="Undo").tap()
    expect(open_cards(page)).to_have_count(3)
    assert statuses(items) == {"active": 3}
    assert complaints(page) == []


def test_ban_undo_and_bulk_delete_without_scripts(open_as: Open) -> None:
    items = create_queue(2)
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
