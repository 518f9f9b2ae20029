"""The cost of reading the audit trail, with 600 and with 4,000 entries."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from dashboard.platform.audit.queries import PAGE
from dashboard.table.read import FILTER_REQUEST_SIZE, MAX_FILTER_REQUESTS
from tests.audit.entries import ids, put_all, raw_entry, rows, text_of, utc
from tests.conftest import sign_in
from tests.ui.html import parse
from tests.ui.walk import calls_of

START = utc("2025-01-01T00:00:00")
ACTORS = [{"email": f"p{n}@example.com", "name": f"Person {n}"} for n in range(2)]
TARGETS = [{"type": "person", "id": f"t{n}", "title": f"Target {n}"} for n in range(2)]
PAGES = {
    "all": "",
    "person": "?person=p1@example.com",
    "target": "?target=t1",
    "days": "?since=2025-01-01&until=2025-12-31",
    "days of a person": "?person=p1@example.com&since=2025-01-01&until=2025-12-31",
    "a frequent action": "?action=person.*",
    "a frequent action by a person on a target": "?action=person.edit&person=p1@example.com&target=t1",
}


def add_entries(numbers: range) -> None:
    put_all(
        raw_entry(
            START + timedelta(minutes=n), f"n{n:05}", business="andina", actor=ACTORS[n % 2], target=TARGETS[n % 2]
        )
        for n in numbers
    )


def measure_costs(browser: Client) -> dict[str, tuple[int, int, float, int]]:
    """The calls, trips, units and rows of each page."""
    costs_by_page = {}
    for name, query in PAGES.items():
        response = browser.get(f"/b/andina/audit/{query}")
        log = calls_of(response)
        costs_by_page[name] = (len(log.calls), log.trips, log.units, len(rows(parse(response))))
    return costs_by_page


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_a_page_costs_the_same_with_600_and_with_4000_entries(table: str, businesses: dict[str, Person]) -> None:
    browser = sign_in(businesses["owner"])
    # More entries than one filter request reads, so that each request is full both times.
    add_entries(range(600))
    few = measure_costs(browser)
    add_entries(range(600, 4_000))
    many = measure_costs(browser)
    assert many == few
    assert all((calls, trips, shown) == (2, 2, PAGE) for calls, trips, _, shown in many.values())

    # A rare action is searched in a bounded number of requests, and the page shows how far back they went.
    response = browser.get("/b/andina/audit/?action=person.join")
    log, page = calls_of(response), parse(response)
    assert [call.operation for call in log.calls] == ["BatchGetItem"] + ["Query"] * MAX_FILTER_REQUESTS
    oldest = START + timedelta(minutes=4_000 - MAX_FILTER_REQUESTS * FILTER_REQUEST_SIZE)
    line = page.by_class("more-line")[0]
    assert "Nothing found yet · searched back to" in line.text
    assert datetime.fromisoformat(line.one("time").attrs["datetime"]) == oldest
    assert line.one("a").text == "Search more"
    further = parse(browser.get(line.one("a").attrs["href"]))
    assert further.by_class("more-line")[0].one("time").attrs["datetime"] < line.one("time").attrs["datetime"]

    # One matching entry at the very end of the trail is found after five pages.
    put_all([raw_entry(START - timedelta(days=1), "first", business="andina", action="person.join")])
    url, found, steps = "/b/andina/audit/?action=person.join", [], 0
    while url:
        page = parse(browser.get(url))
        found += ids(page)
        more = [link.attrs["href"] for link in page.all("a") if "data-more" in link.attrs]
        url, steps = (more[0] if more else ""), steps + 1
    assert (found, steps) == (["first"], 5)

    # The export of the whole trail makes one call per page and sends one part per page. The session and the event of
    # the security log are two more calls.
    export = browser.get("/b/andina/audit/export.csv")
    parts = [part.count(b"\r\n") for part in export.streaming_content]  # type: ignore[attr-defined]
    assert sum(parts) == 4_002 and max(parts) <= 251
    assert len(calls_of(export).calls) == 2 + len(parts) == 19
    rare = browser.get("/b/andina/audit/export.csv?action=person.join")
    assert text_of(rare).count("\r\n") == 2
