"""The pages of stores at the seed's size and at a hundredth of it, and beside the seed's own approach.

`make bench ARGS=stores`; the variable ITEMS sets another number. The seed's approach reads all products of a franchise
and sorts them in the application.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

from tests import demo

from django.test import Client, override_settings  # isort: skip

from dashboard.platform.accounts.permissions import Role
from dashboard.table import connection, keys, read
from dashboard.table.admin import create_table
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


@contextmanager
def using(table: str) -> Iterator[None]:
    with override_settings(DYNAMODB_TABLE=table):
        connection.forget()
        yield
    connection.forget()


def make_table(table: str, items: int) -> Client:
    """Create a table with this many items; returns a browser of the owner."""
    with using(table):
        create_table()
        owner = add_person("owner@example.com", Role.OWNER, "Owner")
        add_business(BUSINESS, "Andina", owner.email)
        browser = sign_in(owner)
        put_all(raw_franchise())
        # Enough products of the measured franchise that every list has more than one page.
        put_products(range(1_000))
        fill(10_000, 10_000 + items)
        return browser


def timed_in_turns(browsers: dict[str, Client]) -> dict[str, list[float]]:
    """The median CPU times of each page in each table.

    The tables take turns, so that other work on the machine slows both.
    """
    times: dict[tuple[str, str], list[float]] = {}
    for _ in range(TIMES):
        for table, browser in browsers.items():
            with using(table):
                for page in TIMED:
                    browser.get(f"/b/{BUSINESS}/stores/{page}")
                    since = time.process_time()
                    browser.get(f"/b/{BUSINESS}/stores/{page}")
                    times.setdefault((page, table), []).append(1000 * (time.process_time() - since))
    return {page: [median(times[page, table]) for table in browsers] for page in TIMED}


def main() -> None:
    logging.disable(logging.INFO)
    costs, by_sorting_ms, by_index_ms = [], [], []
    with demo.engine() as engine:
        print(f"Engine: {engine}")
        browsers = {table: make_table(table, items) for table, items in (("few", FEW), ("many", MANY))}
        for table, browser in browsers.items():
            with using(table):
                measure(browser)
                costs.append(measure(browser))
                by_sorting_ms.append(median_ms(lambda: by_sorting(BUSINESS)))
                by_index_ms.append(median_ms(lambda: top_stock(BUSINESS)))
        cpu = timed_in_turns(browsers)
    few, many = costs
    print(f"{FEW:,} and {MANY:,} products of franchises with {BRANCHES} branches. Calls, trips, units:")
    for page, (calls, trips, units) in few.items():
        more = " {} calls  {} trips  {:g} units".format(*many[page])
        print(f"  {page[:40] or 'overview':<42} {calls} calls  {trips} trips  {units:g} units  →{more}")
    print("CPU time:")
    for page, (few_ms, many_ms) in cpu.items():
        print(f"  {page or 'overview':<42} {few_ms:.1f} ms → {many_ms:.1f} ms  ×{many_ms / few_ms:.2f}")
    print("Ten highest stocks, sorted in the application: {:.1f} ms → {:.1f} ms".format(*by_sorting_ms))
    print("Ten highest stocks, from the index: {:.1f} ms → {:.1f} ms".format(*by_index_ms))
    assert few == many, "A page of stores costs more as items are added."
    worst = max(many_ms / few_ms for few_ms, many_ms in cpu.values())
    assert worst <= MOST_CPU, "A page of stores needs more CPU time as items are added."


if __name__ == "__main__":
    main()
