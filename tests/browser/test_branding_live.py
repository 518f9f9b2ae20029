"""What is published is what a shop shows: in a real browser, on another site, with scripts and without."""

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
plainly_too = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])


@pytest.fixture
def shop(open_as: Open, site: str) -> Iterator[Page]:
    """A storefront on a site of its own, which knows nothing of us but the stylesheet's address."""
    body = SHOP.format(site=site, business=BUSINESS)
    server = make_server("localhost", 0, Response(body, content_type="text/html"), request_handler=QuietHandler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield open_as(None, f"http://localhost:{server.port}/")
    server.shutdown()
    thread.join()


def shows(shop: Page, color: str) -> None:
    shop.reload()
    expect(shop.get_by_role("heading", name="Shop")).to_have_css("color", color)


@plainly_too
def test_publishing_changes_the_shop_and_rolling_back_changes_it_back(open_as: Open, shop: Page, scripts: bool) -> None:
    red = create_published(BUSINESS, "Red", {"primaryColor": "#aa0000"})
    green = create_draft(BUSINESS, "Green", {"primaryColor": "#006633"})
    shows(shop, RED)
    page = open_as("owner", f"{LIST}themes/{green.number}/", java_script_enabled=scripts)
    page.get_by_role("link", name="Publish", exact=True).click()
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.locator("[data-toast]")).to_contain_text(f"v{green.number} is live.")
    assert live_version(BUSINESS) == green.number
    shows(shop, GREEN)
    page.goto(f"{LIST}timeline/")
    line = page.locator("[data-row]", has_text="Red").first
    line.get_by_role("link", name="Make live").click()
    expect(page.locator("main")).to_contain_text("#006633")
    page.get_by_role("button", name="Make live").click()
    expect(page.locator("[data-toast]")).to_be_visible()
    assert live_version(BUSINESS) == red.number
    shows(shop, RED)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-toast]")).to_contain_text(f"v{green.number} is live.")
    shows(shop, GREEN)


def test_a_script_of_another_site_reads_the_look(shop: Page, site: str) -> None:
    theme = create_published(BUSINESS, "Red", {"primaryColor": "#aa0000"})
    ask = """async (url) => {
        const first = await fetch(url);
        const etag = first.headers.get("ETag");
        const missing = await fetch(url.replace("andina", "nowhere"));
        return [await first.json(), etag, missing.status, (await missing.json()).error];
    }"""
    body, etag, status, error = shop.evaluate(ask, f"{site}/api/v1/businesses/{BUSINESS}/theme")
    assert (body["version"], body["tokens"]["primaryColor"]) == (theme.number, "#aa0000")
    assert re.search(rf'"v{theme.number}-', etag)
    assert (status, error) == (404, "no_theme")


@plainly_too
def test_a_version_is_set_cancelled_set_again_and_goes_live(open_as: Open, shop: Page, scripts: bool) -> None:
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
    shows(shop, RED)
    (planned,) = [each for each in queries.schedules(BUSINESS) if each.number == green.number]
    assert planned.due_at is not None
    with shifted(planned.due_at - now()):
        assert f"published v{green.number}" in [each.text for each in runner.run()]
    shows(shop, GREEN)
    assert not [each for each in queries.schedules(BUSINESS) if each.number == green.number]


@plainly_too
def test_a_link_is_made_looked_at_and_revoked(open_as: Open, scripts: bool) -> None:
    green = create_draft(BUSINESS, "Green", {"primaryColor": "#006633"})
    page = open_as("owner", f"{LIST}themes/{green.number}/share/", java_script_enabled=scripts)
    page.get_by_label("Note").fill("For the agency")
    page.get_by_role("button", name="Create link").click()
    url = page.get_by_label("Link", exact=True).input_value()
    stranger = open_as(None, url, java_script_enabled=scripts)
    expect(stranger.get_by_role("heading", level=1)).to_have_text("Coca-Cola Andina")
    inside = stranger.frame_locator("iframe")
    expect(inside.locator(".s-head")).to_have_css("background-color", GREEN)
    stranger.get_by_role("link", name="Forum").click()
    expect(stranger).to_have_url(re.compile("screen=forum"))
    expect(inside.locator(".s-head")).to_have_css("background-color", GREEN)
    page.get_by_role("link", name="Done").click()
    expect(page.locator("[data-row]")).to_contain_text("For the agency")
    expect(page.locator("[data-row] .number")).to_have_text("2")
    page.get_by_role("button", name=re.compile("^Revoke")).click()
    expect(page.locator("[data-toast]")).to_contain_text("Link revoked.")
    stranger.reload()
    expect(stranger.get_by_role("heading", level=1)).to_have_text("This link no longer works")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_of_a_link_fits(open_as: Open, width: int) -> None:
    _, token = create_share_link(
        BUSINESS, create_draft(BUSINESS, "A look with quite a long name that goes on and on").number
    )
    page = open_as(None, f"/share/{token}/", viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
