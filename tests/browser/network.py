"""A slow network for tests in the browser."""

from __future__ import annotations

from playwright.sync_api import Page

LATENCY = 400


def slow_down(page: Page) -> Page:
    """Add 400 ms to every answer."""
    session = page.context.new_cdp_session(page)
    conditions = {"offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", conditions)
    return page
