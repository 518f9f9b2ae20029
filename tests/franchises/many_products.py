"""Many franchises, branches and products, and what the pages of stores cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from zlib import crc32

from django.test import Client

from dashboard.core.clock import now
from dashboard.table.items import Item, Raw
from franchises.items import Branch, BranchTotal, Franchise, Movement, StockHead, StockItem
from franchises.ledger import TOTAL_SHARDS
from franchises.reasons import MovementReason
from tests.audit.entries import put_all
from tests.franchises.stores import BUSINESS
from tests.ui.walk import calls_of

BRANCHES = 10
START = now()
# The page of each list, below `/b/<business>/stores/`.
PAGES = (
    "",
    "branches/",
    "branch-0001/",
    "branch-0001/?order=lowest",
    "branch-0001/rename/",
    "branch-0001/grid/",
    "transfer/",
    "transfer/?from=branch-0001&to=branch-0002",
    "counts/",
    "settings/",
    "import/",
    "products/",
    "products/?q=producto+0000",
    "products/?show=low",
    "products/?show=negative",
    "products/?show=highest",
    "products/?show=lowest",
    "products/?show=idle&days=7",
    "products/?show=retired",
    "products/?show=sold",
    "products/new/",
    "products/product-0000001/edit/",
    "products/product-0000001/",
    "products/everywhere/?of=sku%3Dsku-000001",
    "products/everywhere/movements/?product=product-0000010&product=product-0000011",
    "movements/",
    "movements/?reason=sale",
    "movements/?branch=branch-0001",
    "movements/?person=ana@example.com",
    "highest/?" + "&".join(f"branch=branch-{number:04}" for number in range(BRANCHES)),
)


def raw_franchise(business: str = BUSINESS) -> Iterator[Raw]:
    franchise = Franchise.new(tenant=business)
    franchise.name = f"Tiendas {business}"
    yield _raw(franchise)
    for number in range(BRANCHES):
        branch = Branch.new(tenant=business, branch=f"{number:04}")
        branch.name = f"Sucursal {number:04}"
        yield _raw(branch)
        for shard in range(TOTAL_SHARDS):
            total = BranchTotal.new(tenant=business, branch=branch.id, shard=shard)
            total.products, total.units = 100, 100_000
            yield _raw(total)


def raw_products(numbers: Iterable[int], business: str = BUSINESS) -> Iterator[Raw]:
    """Each product with its head and two movements. Some are low, some below zero."""
    for number in numbers:
        product = StockItem.new(tenant=business, product=f"{number:07}")
        product.name, product.branch_id = f"Producto {number:07}", f"branch-{number % BRANCHES:04}"
        product.sku, product.min_stock = f"SKU-{number // BRANCHES:06}", 50
        product.stock = crc32(product.sk.encode()) % 900 - 100
        yield _raw(product)
        head = StockHead.new(tenant=business, product=product.id)
        head.seq, head.opening_balance, head.last_after = 2, product.stock + 2, product.stock
        head.name, head.sku, head.min_stock, head.branch_id = product.name, product.sku, 50, product.branch_id
        head.last_moved_at = START - timedelta(seconds=number)
        yield _raw(head)
        for seq in (1, 2):
            movement = Movement.new(tenant=business, product=product.id, seq=seq)
            movement.at, movement.reason = START - timedelta(seconds=number), MovementReason.SALE.value
            movement.before, movement.change, movement.after = head.last_after + 3 - seq, -1, head.last_after + 2 - seq
            movement.branch_id, movement.name = product.branch_id, product.name
            movement.actor = {"email": "ana@example.com", "name": "Ana Ruiz"}
            yield _raw(movement)


def put_products(numbers: range) -> None:
    put_all(raw_products(numbers))


def _raw(item: Item) -> Raw:
    item.set_index_keys()
    raw: Raw = item.serialize()
    return {name: value for name, value in raw.items() if value is not None}


def measure(browser: Client, business: str = BUSINESS) -> dict[str, tuple[int, int, float]]:
    """Calls, round trips and capacity units of each page."""
    found = {}
    for page in PAGES:
        response = browser.get(f"/b/{business}/stores/{page}")
        assert response.status_code == 200, page
        log = calls_of(response)
        found[page] = (len(log.calls), log.trips, round(log.units, 1))
    return found
