"""The franchises of the demo, and the movements of two months."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

from dashboard.core.errors import DomainError
from dashboard.platform.businesses.queries import find_business
from dashboard.platform.demos.moments import days_ago
from dashboard.table import write
from dashboard.table.commands import SYSTEM, Command
from franchises.demo.catalog import ANDINA, HARBOUR, DemoFranchise
from franchises.items import StockItem
from franchises.queries.branches import load_branch
from franchises.queries.franchises import find_franchise
from franchises.queries.whole_catalog import products_of_branch
from franchises.reasons import MovementReason
from franchises.services import branches, counts, franchises, products
from franchises.services.ledger import catch_up
from franchises.services.stock import change_stock, set_stock
from franchises.services.transfers import transfer

DAYS = 60
_LOSSES = ("Se rompió al descargar", "Vencido", "Envase dañado")


def seed() -> tuple[int, int]:
    """Add what is missing, and return the numbers of products and movements."""
    added = [_fill(each) for each in (ANDINA, HARBOUR)]
    return sum(number for number, _moves in added), sum(moves for _number, moves in added)


def _fill(franchise: DemoFranchise) -> tuple[int, int]:
    if find_business(franchise.business) is None or find_franchise(franchise.business) is not None:
        return 0, 0
    stock = _add_products(franchise)
    moves = sum(_trade(franchise, stock, day) for day in range(DAYS - 1, -1, -1))
    if franchise.closed is not None:
        with days_ago(3, f"stores {franchise.business} close"):
            branch = _branch_ids[franchise.business][franchise.closed]
            branches.close(franchise.business, branch, revision=1, command=_command(franchise, "close"))
    return len(stock), moves + (_finish(franchise, stock) if franchise is ANDINA else 0)


# The ids of the branches that were added, by business.
_branch_ids: dict[str, list[str]] = {}


def _add_products(franchise: DemoFranchise) -> dict[tuple[int, int], StockItem]:
    """Add the franchise with its branches and products. Returns the products by their index and their branch's."""
    business, found = franchise.business, dict[tuple[int, int], StockItem]()
    with days_ago(DAYS, f"stores {business}"):
        values = {"name": franchise.name, "allows_negative_stock": franchise is ANDINA or None}
        franchises.create(business, values, command=_command(franchise, "franchise"))
        _branch_ids[business] = [
            branches.create(business, {"name": name}, command=_command(franchise, f"branch-{number}")).id
            for number, name in enumerate(franchise.branches)
        ]
        for number, product in enumerate(franchise.products):
            details: dict[str, Any] = {
                "name": product.name,
                "sku": product.sku,
                "min_stock": product.min_stock,
                "price": Decimal(product.price),
            }
            for place in product.branches:
                command = _command(franchise, f"product-{number}-{place}")
                branch = _branch_ids[business][place]
                first = product.stock * (3 if place == 4 else 1)
                found[number, place] = products.create(business, branch, details, stock=first, command=command)
    return found


def _trade(franchise: DemoFranchise, stock: dict[tuple[int, int], StockItem], day: int) -> int:
    """The sales, deliveries and losses of one day."""
    chance = random.Random(f"{franchise.business} {day}")
    count = 0
    for number in range(chance.randint(franchise.moves_a_day - 1, franchise.moves_a_day + 1)):
        product = stock[chance.choice(list(stock))]
        roll = chance.random()
        if roll < 0.72:
            change, reason, note = -chance.randint(2, 14), MovementReason.SALE, ""
        elif roll < 0.94:
            change, reason, note = chance.choice((12, 24, 36)), MovementReason.DELIVERY, ""
        else:
            change, reason, note = -chance.randint(1, 3), MovementReason.LOSS, chance.choice(_LOSSES)
        name = f"move-{day}-{number}"
        with days_ago(day + 0.6 - number * 0.05, f"stores {franchise.business} {name}"):
            try:
                command = _command(franchise, name)
                change_stock(franchise.business, product.id, change=change, reason=reason, note=note, command=command)
            except DomainError:
                continue  # Not enough in stock.
        count += 1
    return count


def _finish(franchise: DemoFranchise, stock: dict[tuple[int, int], StockItem]) -> int:
    """What needs attention today: low stock, stock below zero, and a change of another service."""
    business = franchise.business
    corrections = {(6, 0): 3, (8, 1): 4, (3, 2): 12, (12, 0): 2, (10, 3): 0}
    with days_ago(0.2, f"stores {business} today"):
        for number, (place, left) in enumerate(corrections.items()):
            set_stock(
                business,
                stock[place].id,
                stock=left,
                seen="any",
                reason=MovementReason.CORRECTION,
                note="Revisión de la mañana",
                command=_command(franchise, f"set-{number}"),
            )
        sold_out, outside = stock[10, 3], stock[1, 1]
        sale = _command(franchise, "below-zero")
        change_stock(business, sold_out.id, change=-2, reason=MovementReason.SALE, command=sale)
    with days_ago(0.15, f"stores {business} transfer"):
        source, target = stock[0, 1], stock[0, 2]
        transfer(business, source.id, target.id, units=6, command=_command(franchise, "transfer"))
        _begin_count(franchise, 2)
    with days_ago(0.1, f"stores {business} outside"):
        outside.stock = 41
        outside.set_index_keys()
        # As the follower leaves it.
        actions = [StockItem.gsi1sk.set(outside.gsi1sk), StockItem.gsitypesk.set(outside.gsitypesk)]
        write.update(outside.key, [StockItem.stock.set(41), *actions])
        catch_up(business, outside.id, command=Command(f"demo-{business}-outside", SYSTEM))
    return len(corrections) + 4


def _begin_count(franchise: DemoFranchise, place: int) -> None:
    """A count in progress: some products are counted, and two of them differ."""
    business = franchise.business
    branch = load_branch(business, _branch_ids[business][place])
    found = products_of_branch(business, branch.id)
    sheet = counts.start(business, branch, found, command=_command(franchise, "count"))
    for number, product in enumerate(found[: len(found) // 2]):
        counted = max(0, int(product.stock or 0) + {1: -2, 2: 1}.get(number, 0))
        command = _command(franchise, f"count-{number}")
        counts.count_line(business, sheet.id, product.id, counted=counted, revision=0, command=command)


def _command(franchise: DemoFranchise, name: str) -> Command:
    return Command(f"demo-{franchise.business}-stores-{name}", franchise.owner)
