"""What the lists of a site cost with few items and with 10,000: `make bench ARGS=site`.

100 small pages against 10,000 of 100 KB (PAGES), and 100 comments, leads and consents against as many.
"""

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
from tests.content.test_visitor_costs import measure as measure_visitors
from tests.content.test_visitor_costs import put_visitors
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


def measure(browser: Client, query: str) -> tuple[int, int, float, float, set[str]]:
    """Calls, round trips, capacity units, median milliseconds and the attributes of the pages that were fetched."""
    times = []
    with fetched_items() as found:
        for _time in range(TIMES):
            since = time.perf_counter()
            response = browser.get(f"{SITE}{query}")
            times.append(time.perf_counter() - since)
    assert response.status_code == 200
    pages = [item for item in found if item["SK"]["S"].startswith("CONTENT#")]
    assert not any("blocks" in item or item["SK"]["S"].endswith("#LATEST") for item in pages)
    log = calls_of(response)
    return len(log.calls), log.trips, log.units, 1000 * median(times), set().union(*pages)


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
        put_visitors(0, FEW)
        few_visitors = measure_visitors(browser)
        for start in range(FEW, MANY, 500):
            put_visitors(start, min(start + 500, MANY))
        many_visitors = measure_visitors(browser)
    print(f"The pages of a site on {engine}: calls, trips, units, median ms of {TIMES}")
    for query in LISTS:
        for count, found in ((FEW, few[query]), (MANY, many[query])):
            calls, trips, units, ms, _fetched = found
            ratio = ms / few[query][3]
            print(f"{query:<14} {count:>7,}  {calls} calls  {trips} trips  {units:g} units  {ms:.1f} ms  ×{ratio:.2f}")
    print(f"Fetched of each page: {', '.join(sorted(set().union(*(found[4] for found in many.values()))))}")
    for url, cost in many_visitors.items():
        for count, (calls, trips, units) in ((FEW, few_visitors[url]), (MANY, cost)):
            print(f"{url:<45} {count:>7,}  {calls} calls  {trips} trips  {units:g} units")


if __name__ == "__main__":
    main()
