"""A published theme on a shop's page, in a real browser: publish, schedule, share; with scripts and without."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect
from werkzeug.serving import make_server
from werkzeug.wrappers import Response

from branding import queries
from dashboard.core.clock import now, shifted
from dashboard.platform.due import runner
from tests.branding.publishing_factory import create_share_link
from tests.branding.theme_factory import create_draft, create_published, live_version
from tests.browser.conftest import Open
from tests.live_server import QuietHandler
from tests.ui.samples import BUSINESS

LIST = f"/b/{BUSINESS}/branding/"
RED, GREEN = "rgb(170, 0, 0)", "rgb(0, 102, 51)"
SHOP = """<!doctype html><html lang="en"><head><title>Shop</title>
<link rel="stylesheet" href="{site}/api/v1/businesses/{business}/theme.css">
<style>h1 {{ color: var(--brand-primary-color, black); }}</style></head><body><h1>Shop</h1></body></html>"""
with_and_without_scripts = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])


@pytest.fixture
def shop(open_as: Open, site: str) -> Iterator[Page]:
    """A shop's page on another site. It uses only the address of our stylesheet."""
    body = SHOP.format(site=site, business=BUSINESS)
    server = make_server("localhost", 0, Response(body, content_type="text/html"), request_handler=QuietHandler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield open_as(None, f"http://localhost:{server.port}/")
    server.shutdown()
    thread.join()


def expect_shop_color(shop: Page, color: str) -> None:
    shop.reload()
    expect(shop.get_by_role("heading", name="Shop")).to_have_css("color", color)


@with_and_without_scripts
def test_publish_roll_back_and_undo_change_the_shop(open_as: Open, shop: Page, scripts: bool) -> None:
    red = create_published(BUSINESS, "Red", {"primaryColor": "#aa0000"})
    green = create_draft(BUSINESS, "Green", {"primaryColor": "#006633"})
    expect_shop_color(shop, RED)
    page = open_as("owner", f"{LIST}themes/{green.number}/", java_script_enabled=scripts)
    page.get_by_role("link", name="Publish", exact=True).click()
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.locator("[data-toast]")).to_contain_text(f"v{green.number} is live.")
    assert live_version(BUSINESS) == green.number
    expect_shop_color(shop, GREEN)
    page.goto(f"{LIST}timeline/")
    line = page.locator("[data-row]", has_text="Red").first
    line.get_by_role("link", name="Make live").click()
    expect(page.locator("main")).to_contain_text("#006633")
    page.get_by_role("button", name="Make live").click()
    expect(page.locator("[data-toast]")).to_be_visible()
    assert live_version(BUSINESS) == red.number
    expect_shop_color(shop, RED)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-toast]")).to_contain_text(f"v{green.number} is live again.")
    expect_shop_color(shop, GREEN)


def test_a_script_on_another_site_can_read_the_theme(shop: Page, site: str) -> None:
    theme = create_published(BUSINESS, "Red", {"primaryColor": "#aa0000"})
    ask = """async (url) => {
        const first = await fetch(url);
        const etag = first.headers.get("ETag");
        const missing = await fetch(url.replace("andina", "nowhere"));
        return [await first.json(), etag, missing.status, (await missing.json()).code];
    }"""
    body, etag, status, code = shop.evaluate(ask, f"{site}/api/v1/businesses/{BUSINESS}/theme")
    assert (body["version"], body["tokens"]["primaryColor"]) == (theme.number, "#aa0000")
    assert re.search(rf'"v{theme.number}-', etag)
    assert (status, code) == (404, "no_theme")


@with_and_without_scripts
def test_schedule_cancel_undo_and_publish_on_time(open_as: Open, shop: Page, scripts: bool) -> None:
    create_published(BUSINESS, "Red", {"primaryColor": "#aa0000"})
    green = create_draft(BUSINESS, "Green", {"primaryColor": "#006633"})
    page = open_as("owner", f"{LIST}themes/{green.number}/schedule/", java_script_enabled=scripts)
    due = now() + timedelta(days=1)
    page.get_by_label("Date", exact=True).fill(due.strftime("%Y-%m-%d"))
    page.get_by_label("Time", exact=True).fill("09:30")
    page.get_by_label("Time zone").select_option("Europe/Madrid")
    page.get_by_label("Note").fill("For the open day")
    page.locator("form", has=page.get_by_label("Note")).get_by_role("button").click()
    expect(page.locator("[data-toast]")).to_contain_text(f"v{green.number} will go live on")
    row = page.locator("#schedules [data-row]", has_text="For the open day")
    row.get_by_role("button").click()
    expect(row).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(row).to_have_count(1)
    expect_shop_color(shop, RED)
    (planned,) = [each for each in queries.schedules(BUSINESS) if each.number == green.number]
    assert planned.due_at is not None
    with shifted(planned.due_at - now()):
        assert f"published v{green.number}" in [each.text for each in runner.run()]
    expect_shop_color(shop, GREEN)
    assert not [each for each in queries.schedules(BUSINESS) if each.number == green.number]


@with_and_without_scripts
def test_create_open_and_revoke_a_share_link(open_as: Open, scripts: bool) -> None:
    green = create_draft(BUSINESS, "Green", {"primaryColor": "#006633"})
    page = open_as("owner", f"{LIST}themes/{green.number}/share/", java_script_enabled=scripts)
    page.get_by_label("Note").fill("For the agency")
    page.get_by_role("button", name="Create link").click()
    url = page.get_by_label("Link", exact=True).input_value()
    visitor = open_as(None, url, java_script_enabled=scripts)
    expect(visitor.get_by_role("heading", level=1)).to_have_text("Coca-Cola Andina")
    preview = visitor.frame_locator("iframe")
    expect(preview.locator(".s-head")).to_have_css("background-color", GREEN)
    visitor.get_by_role("link", name="Forum").click()
    expect(visitor).to_have_url(re.compile("screen=forum"))
    expect(preview.locator(".s-head")).to_have_css("background-color", GREEN)
    page.get_by_role("link", name="Done").click()
    expect(page.locator("[data-row]")).to_contain_text("For the agency")
    expect(page.locator("[data-row] .number")).to_have_text("2")
    page.get_by_role("button", name=re.compile("^Revoke")).click()
    expect(page.locator("[data-toast]")).to_contain_text("Link revoked.")
    visitor.reload()
    expect(visitor.get_by_role("heading", level=1)).to_have_text("This link no longer works")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_shared_preview_page_is_not_wider_than_the_screen(open_as: Open, width: int) -> None:
    _, token = create_share_link(
        BUSINESS, create_draft(BUSINESS, "A look with quite a long name that goes on and on").number
    )
    page = open_as(None, f"/share/{token}/", viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
