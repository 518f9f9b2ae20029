"""The home page in a browser: it refreshes, and the counts are in the sidebar and in the title of the tab."""

from __future__ import annotations

from datetime import timedelta

from playwright.sync_api import expect

from tests.browser.axe import SIZES, complaints, complaints_at_both_widths
from tests.browser.conftest import Open
from tests.forum.factories import create_comment, create_post

HIDE = """() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => window.isHidden });
    window.isHidden = true;
}"""


def test_home_refreshes_and_counts_posts_and_comments(open_as: Open) -> None:
    page = open_as("moderator", "/", viewport=SIZES["wide"], reduced_motion="reduce")
    line = page.locator(".home-lines a", has_text="to review")
    before = line.inner_text()
    found = complaints_at_both_widths(page)
    page.clock.install()
    page.goto("/")
    count, title = page.locator(".nav-count"), page.title()
    expect(count).to_be_visible()
    assert title.startswith(f"({count.locator('span').first.inner_text()}) Home")
    # A hidden page does not ask.
    page.evaluate(HIDE)
    create_comment(create_post("palabra2 y ya"), "palabra2")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.clock.run_for(timedelta(minutes=2) // timedelta(milliseconds=1))
    page.wait_for_timeout(500)
    assert requests == []
    assert line.inner_text() == before and page.title() == title
    page.evaluate("() => { window.isHidden = false; document.dispatchEvent(new Event('visibilitychange')); }")
    expect(line).not_to_have_text(before)
    expect(page).not_to_have_title(title)
    found += complaints(page)
    # The counts are also on other pages, and the line leads to the work.
    shown = count.locator("span").first.inner_text()
    line.click()
    expect(page).to_have_url("http://" + page.url.split("/")[2] + "/forum/")
    expect(page).to_have_title(f"({shown}) Moderation · Trastienda")
    assert found == []


def test_the_home_page_of_a_member_shows_the_lines_of_their_business(open_as: Open) -> None:
    page = open_as("owner", "/", viewport=SIZES["phone"], reduced_motion="reduce")
    business = page.locator(".home-businesses > li").first
    expect(business.locator(".home-lines a").first).to_be_visible()
    assert complaints_at_both_widths(page) == []
    without_script = open_as("owner", "/", java_script_enabled=False)
    without_script.locator(".home-business").first.click()
    expect(without_script.locator(".home-lines a").first).to_be_visible()
