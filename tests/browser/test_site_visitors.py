"""Comments on pages by keyboard and without JavaScript, and a lead, in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from content.comment_statuses import CommentStatus
from content.items import PageComment
from content.lead_stages import LeadStage
from content.queries.comments import comments_by_status
from content.queries.leads import find_state
from dashboard.table import write
from tests.browser.axe import complaints, complaints_at_both_widths
from tests.browser.conftest import Open
from tests.content.site import BUSINESS
from tests.content.visitors import COMMENTS, LEADS, lead_url, load, put_comment, put_lead, put_page
from tests.ui.world import World

EMAIL, AUTHOR = "berta@buyer.example", "berta@reader.example"


@pytest.fixture
def comments(world: World) -> list[PageComment]:
    """Those that wait, the newest first, as the list shows them."""
    for waiting in comments_by_status(BUSINESS, CommentStatus.PENDING).items:
        write.remove(waiting.key)
    put_page("Cómo teñir lana")
    made = [
        put_comment(f"Comentario {number}", at=f"2027-04-03T18:22:0{number}.000Z", authorEmail=AUTHOR)
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
    # All of them at once: a job.
    page.keyboard.press("x")
    page.get_by_label("Select all shown").check()
    page.keyboard.press("h")
    page.wait_for_url("**/jobs/**")
    expect(page.get_by_role("button", name="Undo all")).to_be_visible(timeout=20_000)
    assert statuses(comments) == ["Hidden"] * 4
    page.get_by_role("link", name="Back to the comments").click()
    expect(page.get_by_text("No comments wait for you").first).to_be_visible()
    assert complaints(page) == []


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
