"""The widget on a website of another origin, under a strict policy and without cookies."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from bookings.queries import bookings as queries
from tests.apikeys.factories import create_key, revoke
from tests.bookings.bookable_business import BUSINESS, provider, put, service, working_hours
from tests.branding.theme_factory import create_published
from tests.browser.axe import SIZES, complaints, complaints_at_both_widths
from tests.browser.conftest import Open
from tests.browser.website import Website, serve_website
from tests.ui.samples import NEIGHBOURS
from tests.ui.world import World

# How long a person takes at least (bookings/online/links.py).
TYPING = 2_100


@pytest.fixture
def shop(site: str, world: World) -> Iterator[Website]:
    put(service("corte", name="Haircut"), provider("lola", "corte", name="Lola"), *working_hours("lola"))
    with serve_website(site) as running:
        yield running


def open_shop(open_as: Open, shop: Website, size: str = "wide") -> Page:
    page = open_as(None, "/livez", viewport=SIZES[size])
    page.goto(shop.origin)
    return page


def panel_of(page: Page) -> Frame:
    expect(page.locator("iframe")).to_have_count(2)
    frame = page.locator("iframe").last.element_handle().content_frame()
    assert frame is not None
    return frame


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_book_from_another_website(open_as: Open, shop: Website, size: str) -> None:
    page = open_shop(open_as, shop, size)
    page.frame_locator("iframe").get_by_role("button", name="Book").click()
    panel = panel_of(page)
    panel.get_by_role("link", name="Haircut").click()
    expect(panel.get_by_text("Time zone: America/Bogota")).to_be_visible()
    panel.get_by_role("link", name="Later").click()
    expect(panel.get_by_role("link", name="Earlier")).to_be_visible()
    panel.locator(".visitor-times a").first.click()
    panel.get_by_label("Name").fill("Ana Ruiz")
    panel.get_by_label("E-mail").fill("ana@example.com")
    page.wait_for_timeout(TYPING)
    panel.get_by_role("button", name="Book").click()
    expect(panel.get_by_text("You are booked.")).to_be_visible()
    booked = [each for each in queries.agenda(BUSINESS).items if each.customer_name == "Ana Ruiz"]
    assert [each.provider for each in booked] == ["lola"]
    assert page.context.cookies() == [], "no cookie of ours on the website"
    assert complaints(page) == []


def test_escape_and_the_button_close_the_panel(open_as: Open, shop: Website) -> None:
    page = open_shop(open_as, shop)
    button = page.frame_locator("iframe").first.get_by_role("button", name="Book")
    button.press("Enter")
    panel_of(page).get_by_role("link", name="Haircut").press("Escape")
    expect(page.locator("iframe")).to_have_count(1)
    expect(button).to_be_focused()
    button.press("Enter")
    panel_of(page).get_by_role("button", name="Close").click()
    expect(page.locator("iframe")).to_have_count(1)


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_the_panel_is_a_dialog(open_as: Open, shop: Website, size: str) -> None:
    """It has a name, each step begins at its heading, and only on a phone the website cannot be used beside it."""
    page = open_shop(open_as, shop, size)
    page.frame_locator("iframe").get_by_role("button", name="Book").press("Enter")
    panel = panel_of(page)
    expect(page.get_by_role("dialog", name="Book")).to_be_visible()
    expect(panel.get_by_role("heading", level=1)).to_be_focused()
    assert page.locator("dialog:modal").count() == (1 if size == "phone" else 0)
    panel.get_by_role("link", name="Haircut").press("Enter")
    expect(panel.get_by_role("heading", name="When?")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.frame_locator("iframe").get_by_role("button", name="Book")).to_be_focused()


def test_a_panel_that_the_browser_refuses_to_show_closes(browser: Browser, shop: Website) -> None:
    """It has no button that closes it, and on a phone it covers the website."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(shop.origin)
    button = page.frame_locator("iframe").get_by_role("button", name="Book")
    expect(button).to_be_visible()
    revoke(shop.stored)
    button.press("Enter")
    expect(page.locator("dialog")).to_have_count(1)
    expect(page.locator("dialog")).to_have_count(0)
    expect(button).to_be_visible()
    page.context.close()


def test_a_page_without_a_theme_reports_no_error(open_as: Open, shop: Website) -> None:
    page = open_as(None, "/livez", color_scheme="dark")
    errors: list[str] = []
    page.on("console", lambda log: errors.append(log.text))
    key = create_key(NEIGHBOURS, "Website", origins=[shop.origin])[0]
    page.goto(f"/book/{NEIGHBOURS}/?key={key.id}&lang=es")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert errors == [] and complaints_at_both_widths(page) == []


@pytest.mark.parametrize(
    "values", [{"backgroundColor": "#101418"}, {"textColor": "#bbbbbb", "primaryColor": "#8ab4ff"}]
)
def test_a_theme_with_too_little_contrast_is_readable(open_as: Open, shop: Website, values: dict[str, str]) -> None:
    """It may go live, for example a dark background with the usual secondary text."""
    create_published(BUSINESS, "Night", values)
    page = open_as(None, "/livez")
    page.goto(f"/book/{BUSINESS}/?lang=es")
    assert complaints_at_both_widths(page) == []
    page.get_by_role("link", name="Haircut").hover()
    assert complaints(page) == []
    page.get_by_role("link", name="Haircut").click()
    page.locator(".visitor-times a").first.click()
    page.locator("form .primary").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert complaints_at_both_widths(page) == []


def test_another_website_shows_nothing(browser: Browser, shop: Website) -> None:
    shop.key = create_key(BUSINESS, "Website", origins=["https://www.andina.cl"])[1]
    page = browser.new_page()
    with page.expect_console_message(lambda log: "frame-ancestors 'self' https://www.andina.cl" in log.text):
        page.goto(shop.origin)
    expect(page.frame_locator("iframe").get_by_role("button")).to_have_count(0)
    page.context.close()


def test_the_booking_page_by_keyboard(open_as: Open, shop: Website) -> None:
    page = open_as(None, "/livez")
    frame = open_shop(open_as, shop).frame_locator("iframe").first
    path = frame.get_by_role("button", name="Book").get_attribute("data-panel")
    page.goto(str(path))
    assert complaints_at_both_widths(page) == []
    page.get_by_role("link", name="Haircut").press("Enter")
    expect(page.get_by_role("heading", name="When?")).to_be_visible()
    assert complaints_at_both_widths(page) == []
    page.get_by_role("link", name="Later").press("Enter")
    expect(page.get_by_role("link", name="Earlier")).to_be_visible()
    page.locator(".visitor-times a").first.press("Enter")
    page.get_by_label("Name").fill("Ana Ruiz")
    page.get_by_label("E-mail").fill("ana")
    page.wait_for_timeout(TYPING)
    page.get_by_label("E-mail").press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    assert complaints_at_both_widths(page) == []
    page.get_by_label("E-mail").fill("ana@example.com")
    page.wait_for_timeout(TYPING)
    page.get_by_label("E-mail").press("Enter")
    expect(page.get_by_text("You are booked.")).to_be_visible()
    assert complaints_at_both_widths(page) == []
    page.get_by_role("link", name="Choose another time").press("Enter")
    page.get_by_role("link", name="Later").press("Enter")
    expect(page.get_by_role("link", name="Earlier")).to_be_visible()
    page.locator(".visitor-times button").last.press("Enter")
    expect(page.get_by_text("Your booking was moved.")).to_be_visible()
    page.get_by_role("button", name="Cancel booking").press("Enter")
    expect(page.get_by_text("Your booking was cancelled.")).to_be_visible()
