"""Where a toast appears: it does not cover the main action, the focused control or the end of the page."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.branding.theme_factory import create_draft, create_published
from tests.browser.conftest import Open
from tests.ui.samples import BUSINESS

LIST = f"/b/{BUSINESS}/branding/"
WIDTH = 390
# The distance of a button from the end of the window at which a toast at the bottom covers it.
NEAR = 24


def is_uncovered(button: Locator) -> bool:
    """Whether a click into the middle of the button reaches it."""
    return bool(
        button.evaluate("""(button) => {
            const { left, top, width, height } = button.getBoundingClientRect();
            return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }""")
    )


def edge(page: Page) -> str | None:
    return page.locator("#toasts").get_attribute("data-edge")


def test_the_toast_after_save_and_publish_does_not_cover_the_button_publish(open_as: Open) -> None:
    create_published(BUSINESS, "Red", {"primaryColor": "#aa0000"})
    green = create_draft(BUSINESS, "Green", {"primaryColor": "#006633"})
    page = open_as("owner", f"{LIST}themes/{green.number}/publish/", viewport={"width": WIDTH, "height": 844})
    publish = page.get_by_role("button", name="Publish", exact=True)
    box = publish.bounding_box()
    assert box is not None
    page.set_viewport_size({"width": WIDTH, "height": round(box["y"] + box["height"]) + NEAR})
    page.goto(f"{LIST}themes/{green.number}/")
    page.locator("#id_name").fill("Green again")
    page.get_by_role("button", name="Save and publish").click()
    toast = page.locator("[data-toast]")
    expect(toast).to_be_visible()
    expect(publish).to_be_in_viewport()
    assert is_uncovered(publish) and edge(page) == "top"
    # Below the bar with the menu.
    assert is_uncovered(page.locator(".topbar button, .topbar a").first)
    publish.click()
    expect(toast.last).to_contain_text("is live.")


def test_a_toast_stays_at_the_bottom_where_it_covers_nothing(open_as: Open) -> None:
    draft = create_draft(BUSINESS, "Green", {"primaryColor": "#006633"})
    page = open_as("owner", f"{LIST}themes/{draft.number}/", viewport={"width": WIDTH, "height": 844})
    page.locator("#id_name").fill("Green again")
    page.locator("#save").click()
    toast = page.locator("[data-toast]")
    expect(toast).to_be_visible()
    box = toast.bounding_box()
    assert edge(page) is None and box is not None and box["y"] > 700
    # The end of the page can be scrolled above it.
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    end = page.locator("main > :last-child").bounding_box()
    assert end is not None and end["y"] + end["height"] <= box["y"]
