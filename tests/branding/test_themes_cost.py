"""The cost of the branding pages with 10 and with 1000 versions."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from branding import queries, tokens
from branding.services.drafts import DELETED_AFTER
from dashboard.core.clock import now
from dashboard.platform.accounts.items import Person
from dashboard.table import read
from tests.audit.entries import pages, put_all
from tests.branding.brand_pages import (
    BRAND,
    rows,
    titles,
    url_of,
)
from tests.branding.theme_factory import create_draft, put_theme, raw_theme
from tests.conftest import sign_in
from tests.ui.html import parse
from tests.ui.walk import calls_of


def costs(browser: Client) -> dict[str, tuple[list[str], int, float, int]]:
    """Calls, trips, units and rows."""
    cost_by_url = {}
    for url in (BRAND, f"{BRAND}timeline/", url_of(10, "publish"), f"{BRAND}compare/?a=1&b=2"):
        response = browser.get(url)
        assert response.status_code == 200, url
        log = calls_of(response)
        cost_by_url[url] = (
            sorted(call.operation for call in log.calls),
            log.trips,
            log.units,
            len(rows(parse(response))),
        )
    return cost_by_url


def raw_theme_with_long_body(number: int) -> dict[str, Any]:
    """A version with a long body, which a list must not read."""
    metadata = {"primaryColor": "#112233", "notes": "x" * 300}
    return raw_theme("andina", number, metadata=metadata, timeToArchive=int((now() + DELETED_AFTER).timestamp()))


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_pages_cost_the_same_with_20_and_with_1000_versions(table: str, businesses: dict[str, Person]) -> None:
    browser = sign_in(businesses["owner"])
    put_all(raw_theme_with_long_body(number) for number in range(1, 21))
    few = costs(browser)
    put_all(raw_theme_with_long_body(number) for number in range(21, 1001))
    many = costs(browser)
    assert many == few
    calls, trips, _units, row_count = many[BRAND]
    # First the session; then in parallel the marker with the schedules, and both forms of the keys of versions.
    assert (calls, trips, row_count) == (["BatchGetItem", "Query", "Query", "Query"], 2, queries.PAGE_SIZE)
    assert all(trips == 2 for _, trips, _, _ in many.values())


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_a_tab_searches_a_limited_range_and_shows_how_far(table: str, businesses: dict[str, Person]) -> None:
    browser = sign_in(businesses["owner"])
    put_all(raw_theme("andina", number) for number in range(1, 2401))
    put_theme("andina", 1, status="discarded")
    response = browser.get(f"{BRAND}?status=discarded")
    page, log = parse(response), calls_of(response)
    oldest_searched = 2400 - read.FILTER_REQUEST_SIZE * read.MAX_FILTER_REQUESTS + 1
    assert f"Nothing found yet · searched back to v{oldest_searched}" in page.by_class("more-line")[0].text
    assert log.trips <= 1 + read.MAX_FILTER_REQUESTS and rows(page) == []
    steps = [titles(each) for each in pages(browser, f"{BRAND}?status=discarded")]
    assert steps == [[], [], ["v1"]]


def test_the_list_does_not_read_the_bodies(as_owner: Client) -> None:
    create_draft("andina")
    (theme,) = queries.versions("andina").items
    assert theme.partial and "assets" not in theme.attribute_values
    assert set(theme.metadata or {}) == set(tokens.SWATCHES)
