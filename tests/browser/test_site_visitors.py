"""Comments on pages by keyboard and without JavaScript, and a lead, in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from content.comment_statuses import DECISIONS, CommentStatus
from content.items import PageComment
from content.lead_stages import LeadStage
from content.queries.comments import comments_by_status
from content.queries.leads import find_state
from content.services.comments import decide
from content.services.leads import edit
from dashboard.core.clock import now
from dashboard.table import write
from dashboard.table.commands import Actor, new_command
from tests.browser.axe import complaints, complaints_at_both_widths
from tests.browser.conftest import Open
from tests.content.site import BUSINESS
from tests.content.visitors import COMMENTS, LEADS, lead_url, load, put_comment, put_lead, put_page
from tests.ui.world import World

INES = Actor("ines@example.com", "Inés Mora")
EMAIL, AUTHOR = "berta@buyer.example", "berta@reader.example"


@pytest.fixture
def comments(world: World) -> list[PageComment]:
    """Those that wait, the newest first, as the list shows them."""
    for waiting in comments_by_status(BUSINESS, CommentStatus.PENDING).items:
        write.remove(waiting.key)
    put_page("Cómo teñir lana")
    made = [
        put_comment(f"Comentario {number}", at=f"2026-10-03T18:22:0{number}.000Z", authorEmail=AUTHOR)
        for number in range(4)
    ]
    return made[::-1]


def statuses(comments: list[PageComment]) -> list[str | None]:
    return [load(each.ref).status for each in comments]


def test_comments_are_decided_and_undone_by_keyboard(open_as: Open, comments: list[PageComment]) -> None:
    page = open_as("owner", COMMENTS)
    expect(page.locator("[data-card]")).to_have_count(4)
    page.keyboard.press("j")
    page.wait_for_timeout(400)
    for key in "as":
        page.keyboard.press(key)
        page.wait_for_timeout(400)
    expect(page.locator("[data-decided]")).to_have_count(2)
    assert statuses(comments) == ["Approved", "Spam", "Pending", "Pending"]
    expect(page.locator(".tabs [aria-current] .count")).to_have_text("2")
    page.keyboard.press("u")
    expect(page.locator("[data-decided]")).to_have_count(1)
    assert statuses(comments) == ["Approved", "Pending", "Pending", "Pending"]
    page.keyboard.press("u")
    expect(page.locator("[data-decided]")).to_have_count(0)
    assert statuses(comments) == ["Pending"] * 4
    # All of them at once: each row shows its result, and u undoes them as a whole.
    page.keyboard.press("x")
    page.get_by_label("Select all shown").check()
    page.keyboard.press("h")
    expect(page.locator("#bulk-panel")).to_contain_text("Hidden: 4")
    expect(page.locator("[data-decided]")).to_have_count(4)
    assert statuses(comments) == ["Hidden"] * 4
    page.keyboard.press("u")
    expect(page.locator("#bulk-panel")).to_contain_text("4 undone")
    expect(page.locator("[data-decided]")).to_have_count(0)
    assert statuses(comments) == ["Pending"] * 4
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_contain_text("Undo the last decision; again: the one before")
    page.keyboard.press("Escape")
    assert complaints(page) == []


def test_a_key_acts_only_after_a_comment_has_the_focus(open_as: Open, comments: list[PageComment]) -> None:
    page = open_as("owner", COMMENTS)
    page.keyboard.press("a")
    expect(page.locator("[data-key-hint]")).to_be_visible()
    assert statuses(comments) == ["Pending"] * 4


def test_everything_that_matches_a_search_is_decided_and_undone(open_as: Open, comments: list[PageComment]) -> None:
    page = open_as("owner", COMMENTS)
    page.get_by_role("searchbox", name="Find in this list").fill("comentario 2")
    expect(page.locator("[data-card]")).to_have_count(1)
    page.get_by_role("link", name="Act on all in this list").click()
    page.get_by_role("button", name="Mark all as spam…").click()
    panel = page.locator("#bulk-panel")
    expect(panel).to_contain_text("Mark 1 comment as spam")
    assert statuses(comments) == ["Pending"] * 4
    panel.get_by_role("button", name="Spam (1)").click()
    expect(panel).to_contain_text("Spam: 1")
    expect(page.locator("[data-decided]")).to_have_count(1)
    assert statuses(comments) == ["Pending", "Spam", "Pending", "Pending"]
    assert complaints_at_both_widths(page) == []
    panel.get_by_role("button", name="Undo all").click()
    expect(panel).to_contain_text("1 undone")
    assert statuses(comments) == ["Pending"] * 4


def test_decisions_of_colleagues_counts_and_times_appear_in_an_open_list(
    open_as: Open, comments: list[PageComment]
) -> None:
    page = open_as("owner", COMMENTS)
    page.clock.install()
    page.reload()
    page.keyboard.press("j")
    page.clock.run_for(2_000)
    for each in comments[:2]:
        decide(BUSINESS, each.ref, DECISIONS["spam"], revision=0, command=new_command(INES))
    page.clock.run_for(13_000)
    row = page.locator(f"[data-name='{comments[1].ref.token}']")
    expect(row).to_contain_text("Inés Mora: now “Spam”")
    expect(page.locator(".tabs [aria-current] .count")).to_have_text("2")
    # The card with the focus says it, and stays under the cursor.
    focused = page.locator(f"[data-name='{comments[0].ref.token}']")
    expect(focused.locator("[data-open]")).to_have_text("Inés Mora: now “Spam”")
    expect(focused.locator(".row-link")).to_be_focused()


def test_the_other_comments_of_the_author_are_beside_the_list(open_as: Open, comments: list[PageComment]) -> None:
    page = open_as("owner", COMMENTS)
    page.keyboard.press("j")
    side = page.locator("#about")
    expect(side).to_contain_text(AUTHOR)
    expect(side.locator("blockquote")).to_have_count(4)
    assert complaints_at_both_widths(page) == []


def test_a_colleague_who_was_first_is_named_on_the_card(open_as: Open, comments: list[PageComment]) -> None:
    page, other = open_as("owner", COMMENTS), open_as("owner", COMMENTS)
    other.get_by_role("button", name="Approve").first.click()
    expect(other.locator("[data-decided]")).to_have_count(1)
    page.get_by_role("button", name="Spam").first.click()
    expect(page.locator("[data-problem]")).to_contain_text("Your action was not applied")
    assert statuses(comments)[0] == "Approved"


def test_a_lead_is_followed_up(open_as: Open, world: World) -> None:
    put_lead(EMAIL, name="Berta Kern", data={"message": "Hola"})
    page = open_as("owner", LEADS)
    page.get_by_role("link", name="Berta Kern").click()
    page.get_by_role("button", name="Contacted").click()
    expect(page.locator("#toasts")).to_contain_text("Berta Kern: Contacted.")
    page.get_by_role("textbox", name="Note").fill("Quiere dos alfombras")
    page.get_by_role("button", name="Add note").click()
    expect(page.locator(".lead-note")).to_have_text("Quiere dos alfombras")
    page.get_by_role("textbox", name="Next step").fill("Llamar")
    page.locator("[name=next_step_on]").fill("2026-12-01")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#toasts")).to_contain_text("saved")
    state = find_state(BUSINESS, EMAIL)
    assert state is not None and (state.stage, state.next_step) == (LeadStage.CONTACTED, "Llamar")
    assert complaints_at_both_widths(page) == []
    assert lead_url(EMAIL) in page.url


def test_leads_move_together_and_a_due_step_is_done_on_a_phone(open_as: Open, world: World) -> None:
    put_lead(EMAIL, name="Berta Kern")
    state = find_state(BUSINESS, EMAIL)
    assert state is not None
    values = {"next_step": "Llamar", "next_step_on": now().date().isoformat()}
    edit(BUSINESS, EMAIL, values, revision=state.revision, timezone="UTC", command=new_command(INES))
    page = open_as("owner", LEADS, viewport={"width": 390, "height": 800})
    page.get_by_label("Select Berta Kern").check()
    page.get_by_role("button", name="Contacted").click()
    page.wait_for_url("**/jobs/**")
    expect(page.get_by_role("button", name="Undo all")).to_be_visible(timeout=20_000)
    page.get_by_role("link", name="Back to the leads").click()
    page.goto(f"{LEADS}?show=steps")
    page.get_by_role("link", name="Berta Kern").click()
    assert complaints(page) == []
    page.get_by_role("button", name="Done").click()
    expect(page.locator("#toasts")).to_contain_text("done.")
    state = find_state(BUSINESS, EMAIL)
    assert state is not None and state.stage == LeadStage.CONTACTED and not state.next_step


def test_a_lead_is_erased_without_javascript(open_as: Open, world: World) -> None:
    put_lead(EMAIL, name="Berta Kern")
    page = open_as("owner", lead_url(EMAIL), java_script_enabled=False)
    page.get_by_role("link", name="Erase").click()
    page.get_by_role("button", name="Erase").click()
    expect(page.get_by_text("This field is required.", exact=True)).to_be_visible()
    page.get_by_label("Type berta@buyer.example to confirm").fill(EMAIL)
    page.get_by_role("button", name="Erase").click()
    expect(page.get_by_text("The lead was erased.")).to_be_visible()
    assert find_state(BUSINESS, EMAIL) is None


def test_comments_are_decided_without_javascript(open_as: Open, comments: list[PageComment]) -> None:
    page = open_as("owner", COMMENTS, java_script_enabled=False)
    page.locator(".desk-everything summary").click()
    page.get_by_role("button", name="Hide all…").click()
    while page.get_by_role("button", name="Continue").count():
        page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Hide 4 comments")).to_be_visible()
    page.get_by_role("button", name="Hide").click()
    while page.get_by_role("button", name="Continue").count():
        page.get_by_role("button", name="Continue").click()
    assert statuses(comments) == ["Hidden"] * 4


def test_the_erasure_page_is_accessible(open_as: Open, world: World) -> None:
    put_lead(EMAIL, name="Berta Kern")
    page = open_as("owner", f"{lead_url(EMAIL)}erase/")
    assert complaints_at_both_widths(page) == []
