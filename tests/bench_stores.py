"""The pages of stores at the seed's size and at a hundredth of it, and beside the seed's own approach.

`make bench ARGS=stores`; the variable ITEMS sets another number. The seed's approach reads all products of a franchise
and sorts them in the application.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from tests import demo

from django.test import Client  # isort: skip

from dashboard.platform.accounts.permissions import Role
from dashboard.table import keys, read
from franchises.items import StockItem
from franchises.queries.products import TOP, top_stock
from tests.audit.entries import put_all
from tests.conftest import add_business, add_person, sign_in
from tests.franchises.many_products import BRANCHES, measure, put_products, raw_franchise, raw_products
from tests.franchises.stores import BUSINESS

# Items of the seed: franchises, branches and products. Heads, movements and totals come on top.
MANY = int(os.environ.get("ITEMS", "165600"))
FEW = MANY // 100
BATCH, TIMES = 2_500, 15
MOST_CPU = 1.25
# Products of the measured franchise; those of other franchises make up the rest.
OWN_SHARE = 10
TIMED = (
    "",
    "branch-0001/",
    "products/",
    "products/?show=low",
    "products/?show=sold",
    "products/product-0000001/",
    "movements/",
)


def fill(before: int, until: int) -> None:
    """Add products up to a number of items, one in ten of them to the measured franchise."""
    own_before, own_until = before // OWN_SHARE, until // OWN_SHARE
    for start in range(own_before, own_until, BATCH):
        put_products(range(start, min(start + BATCH, own_until)))
    others = range(before - own_before, until - own_until)
    for start in range(others.start, others.stop, BATCH):
        numbers = range(start, min(start + BATCH, others.stop))
        for franchise in range(numbers.start // 250, numbers.stop // 250 + 1):
            chosen = [number for number in numbers if number // 250 == franchise]
            put_all(raw_products(chosen, f"other-{franchise:04}"))


def by_sorting(business: str) -> list[StockItem]:
    """The ten highest stocks as the seed reads them."""
    found: list[StockItem] = []
    start_key: Any = None
    while True:
        page = read.page(keys.STOCK.collection(tenant=business), StockItem, limit=1000, start_key=start_key)
        found += page.items
        start_key = page.next_start_key
        if start_key is None:
            return sorted(found, key=lambda each: -(each.stock or 0))[:TOP]


def median_ms(action: Callable[[], Any]) -> float:
    """The CPU time of this process, which other work on the machine does not change. The engine is a process too."""
    times = []
    for _ in range(TIMES):
        since = time.process_time()
        action()
        times.append(time.process_time() - since)
    return 1000 * median(times)


def timed(browser: Client) -> dict[str, float]:
    return {page: median_ms(lambda page=page: browser.get(f"/b/{BUSINESS}/stores/{page}")) for page in TIMED}  # type: ignore[misc]


def main() -> None:
    logging.disable(logging.INFO)
    with demo.engine() as engine:
        print(f"Engine: {engine}")
        owner = add_person("owner@example.com", Role.OWNER, "Owner")
        add_business(BUSINESS, "Andina", owner.email)
        browser = sign_in(owner)
        put_all(raw_franchise())
        # Enough products of the measured franchise that every list has more than one page.
        put_products(range(1_000))
        fill(10_000, 10_000 + FEW)
        measure(browser)
        few, few_ms = measure(browser), timed(browser)
        sorted_few, indexed_few = median_ms(lambda: by_sorting(BUSINESS)), median_ms(lambda: top_stock(BUSINESS))
        fill(10_000 + FEW, 10_000 + MANY)
        measure(browser)
        many, many_ms = measure(browser), timed(browser)
        sorted_many, indexed_many = median_ms(lambda: by_sorting(BUSINESS)), median_ms(lambda: top_stock(BUSINESS))
    print(f"{FEW:,} and {MANY:,} products of franchises with {BRANCHES} branches. Calls, trips, units:")
    for page, (calls, trips, units) in few.items():
        more = " {} calls  {} trips  {:g} units".format(*many[page])
        print(f"  {page[:40] or 'overview':<42} {calls} calls  {trips} trips  {units:g} units  →{more}")
    print("CPU time:")
    ratios = {page: many_ms[page] / ms for page, ms in few_ms.items()}
    for page, ratio in ratios.items():
        print(f"  {page or 'overview':<42} {few_ms[page]:.1f} ms → {many_ms[page]:.1f} ms  ×{ratio:.2f}")
    print(f"Ten highest stocks, sorted in the application: {sorted_few:.1f} ms → {sorted_many:.1f} ms")
    print(f"Ten highest stocks, from the index: {indexed_few:.1f} ms → {indexed_many:.1f} ms")
    assert few == many, "A page of stores costs more as items are added."
    assert max(ratios.values()) <= MOST_CPU, "A page of stores needs more CPU time as items are added."


if __name__ == "__main__":
    main()
