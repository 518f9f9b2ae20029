"""A served product and a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, expect

from dashboard.accounts import queries
from dashboard.accounts.services import sessions
from tests import chromium
from tests.conftest import on_endpoint, quickest
from tests.live import serving
from tests.ui.walk import World, make_world

Open = Callable[..., Page]
# As long as for the rest of a page: a machine that does other things meanwhile is no defect.
expect.set_options(timeout=8_000)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if chromium.path() is None:
        pytest.skip("Chromium is not installed.")
    with chromium.browser() as started:
        yield started


@pytest.fixture
def table(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An engine that takes several requests at once: Dynoxide, else moto behind its lock."""
    engine = quickest()
    endpoint = request.getfixturevalue(f"{engine}_endpoint")
    yield from on_endpoint(endpoint, f"{engine} by http", monkeypatch)


@pytest.fixture
def world(table: str) -> World:
    """Someone of each role and in each state."""
    return make_world()


@pytest.fixture
def site(world: World) -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture
def open_as(site: str, browser: Browser, world: World) -> Iterator[Open]:
    """`open_as("admin", "/people/")`: a page in a browser of their own. Nothing may break the CSP or throw."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(who: str | None, path: str = "/", **options: object) -> Page:
        options = {"locale": "en-GB", "timezone_id": "America/Bogota"} | options
        context = browser.new_context(base_url=site, **options)  # type: ignore[arg-type]
        context.set_default_timeout(8_000)
        contexts.append(context)
        if who is not None:
            cookie = sessions.open_session(
                queries.person(world.people[who].email), address="127.0.0.1", agent="Chrome/1 Linux"
            )
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": site}])
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if "Content Security" in said.text else None)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
