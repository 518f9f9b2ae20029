"""Fixtures: a running server and a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, expect

from dashboard.platform.accounts import queries
from dashboard.platform.accounts.services import sessions
from tests import chromium
from tests.live_server import in_flight, serve
from tests.ui.world import World, world

__all__ = ["world"]

Open = Callable[..., Page]
# The same timeout as for pages: a busy machine must not make a test fail.
expect.set_options(timeout=8_000)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if chromium.path() is None:
        pytest.skip("Chromium is not installed.")
    with chromium.browser() as started:
        yield started


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of a server that all tests of this worker share. It serves the table in use."""
    with serve() as address:
        yield address


@pytest.fixture
def open_as(site: str, browser: Browser, world: World) -> Iterator[Open]:
    """`open_as("admin", "/people/")` opens a page in a separate browser context.

    The test fails if a page violates the CSP or throws a JavaScript error.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(who: str | None, path: str = "/", **options: object) -> Page:
        # Without animations there is nothing to wait for.
        options = {"locale": "en-GB", "timezone_id": "America/Bogota", "reduced_motion": "reduce"} | options
        context = browser.new_context(base_url=site, **options)  # type: ignore[arg-type]
        context.set_default_timeout(8_000)
        contexts.append(context)
        if who is not None:
            cookie = sessions.open_session(
                queries.load_person(world.people[who].email), address="127.0.0.1", agent="Chrome/1 Linux"
            )
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": site}])
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda log: complaints.append(log.text) if "Content Security" in log.text else None)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    # A request that is still running would otherwise write into the table of the next test.
    in_flight.wait_for_none()
    assert complaints == []
