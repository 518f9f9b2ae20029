"""A slow network for tests in the browser."""

from __future__ import annotations

from playwright.sync_api import Page

LATENCY = 400


def slow_down(page: Page, latency: int = LATENCY) -> Page:
    """Add milliseconds to every answer."""
    session = page.context.new_cdp_session(page)
    conditions = {"offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", conditions)
    return page
