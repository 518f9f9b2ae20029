"""The list of a site with 100 small pages and with 10,000 of 100 KB: calls, trips, units. `make bench ARGS=site`."""

from __future__ import annotations

import os
import time
from statistics import median

from tests import demo

from django.test import Client  # isort: skip

from content.items import Content, ContentCard
from dashboard.core.clock import now
from dashboard.platform.accounts.permissions import Role
from dashboard.table.items import Raw
from tests.audit.entries import put_all
from tests.conftest import add_business, add_person, sign_in
from tests.content.site import BUSINESS, SITE
from tests.content.test_costs import fetched_items
from tests.ui.walk import calls_of

FEW, MANY = 100, int(os.environ.get("PAGES", "10000"))
BODY, BATCH, TIMES = "x" * 100_000, 50, 20
LISTS = ("", "?status=Draft", "?q=page-7")


def raw_pages(first: int, last: int, body: str) -> list[Raw]:
    """Pages with their cards, as the follower leaves them."""
    found: list[Raw] = []
    for number in range(first, last):
        page = Content.new(tenant=BUSINESS, node=f"page-{number}")
        page.title, page.slug, page.status, page.version = f"Page {number}", f"/page-{number}", "Draft", 1
        page.created_at = now()
        page.blocks = [{"type": "paragraph", "content": [{"type": "text", "text": body}]}]
        card = ContentCard.new(tenant=BUSINESS, node=page.node)
        card.copy_from(page)
        card.set_index_keys()
        found += [page.serialize(), card.serialize()]
    return found


def measure(browser: Client, query: str) -> tuple[int, int, float, float]:
    """Calls, round trips, capacity units and median milliseconds. No body is fetched."""
    times = []
    with fetched_items() as found:
        for _time in range(TIMES):
            since = time.perf_counter()
            response = browser.get(f"{SITE}{query}")
            times.append(time.perf_counter() - since)
    assert response.status_code == 200
    assert not any("blocks" in item or item["SK"]["S"].endswith("#LATEST") for item in found)
    log = calls_of(response)
    return len(log.calls), log.trips, log.units, 1000 * median(times)


def main() -> None:
    with demo.engine() as engine:
        owner = add_person("olivia@example.com", Role.OWNER, "Olivia Andrade")
        add_business(BUSINESS, "Coca-Cola Andina", owner.email)
        browser = sign_in(owner)
        put_all(raw_pages(0, FEW, "short"))
        few = {query: measure(browser, query) for query in LISTS}
        for start in range(0, MANY, BATCH):
            put_all(raw_pages(start, min(start + BATCH, MANY), BODY))
        many = {query: measure(browser, query) for query in LISTS}
    print(f"The pages of a site on {engine}: calls, trips, units, median ms of {TIMES}")
    for query in LISTS:
        for count, found in ((FEW, few[query]), (MANY, many[query])):
            calls, trips, units, ms = found
            ratio = ms / few[query][3]
            print(f"{query:<14} {count:>7,}  {calls} calls  {trips} trips  {units:g} units  {ms:.1f} ms  ×{ratio:.2f}")


if __name__ == "__main__":
    main()
