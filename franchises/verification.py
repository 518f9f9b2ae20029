"""Replays the movements of every stock item against its stock, its index keys and the totals of the branches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from dashboard.table.index_keys import index_keys_of
from dashboard.table.items import Raw
from dashboard.table.read import gather_all, raw_item
from dashboard.table.schema import INDEXES
from franchises.items import Movement, StockHead, StockItem
from franchises.ledger import add, units_of
from franchises.queries import verification as queries
from franchises.queries.stock import is_product_id, item_key
from franchises.queries.totals import Totals, totals

# What sells meanwhile is read again before it is reported.
TRIES = 4
AT_ONCE = 8


@dataclass(frozen=True)
class StockProblem:
    """What is inconsistent: of a product, its first inconsistent movement; or the totals of a branch."""

    business: str
    product: str
    branch: str
    movement: int | None
    text: str


@dataclass
class StockCount:
    """How much was verified."""

    franchises: int = 0
    products: int = 0
    movements: int = 0


def verify(businesses: Iterable[str], count: StockCount) -> Iterator[StockProblem]:
    for business in businesses:
        count.franchises += 1
        yield from _verify_business(business, count)


def _verify_business(business: str, count: StockCount) -> Iterator[StockProblem]:
    product_ids: list[str] = []
    start_key = None
    while True:
        page = queries.raw_stock_page(business, start_key)
        # An id with the separator has no ledger: `doctor` names such items.
        found = [sk for raw in page.items if is_product_id(sk := raw["SK"]["S"])]
        product_ids += found
        yield from _verify_products(business, found, count)
        start_key = page.next_start_key
        if start_key is None:
            break
    known = set(product_ids)
    yield from (_missing(business, each) for each in _listed(business) if each not in known)
    yield from _verify_totals(business, product_ids)


def _verify_products(business: str, product_ids: Sequence[str], count: StockCount) -> Iterator[StockProblem]:
    for offset in range(0, len(product_ids), AT_ONCE):
        some = product_ids[offset : offset + AT_ONCE]
        for problem, movements in gather_all([partial(_verify_product, business, each) for each in some]):
            count.products += 1
            count.movements += movements
            if problem is not None:
                yield problem


def _verify_product(business: str, product_id: str) -> tuple[StockProblem | None, int]:
    problem, movements = None, list[Movement]()
    for _ in range(TRIES):
        head, movements = queries.raw_ledger(business, product_id)
        raw = raw_item(item_key(business, product_id))
        found = first_problem(raw, head, movements) if raw is not None else None
        if found is None:
            return None, len(movements)
        branch = (head.branch_id if head is not None else None) or ""
        problem = StockProblem(business, product_id, branch, *found)
    return problem, len(movements)


def first_problem(raw: Raw, head: StockHead | None, movements: Sequence[Movement]) -> tuple[int | None, str] | None:
    """The first inconsistent movement with what is wrong, or without a number what is wrong with item or head."""
    if head is None:
        return None, "it has no ledger yet: run reindex"
    stock = head.opening_balance or 0
    for number, movement in enumerate(movements, start=1):
        if movement.seq != number:
            return number, f"it is missing: the next one has the number {movement.seq}"
        if movement.before != stock:
            return number, f"it begins with {movement.before}, but the stock before it was {stock}"
        if movement.after != add(movement.before, movement.change):
            return number, f"{movement.before} and a change of {movement.change} do not give {movement.after}"
        if wrong := wrong_index_keys(movement.raw):
            return number, f"its index keys are wrong: {wrong}"
        stock = movement.after
    if head.seq != len(movements):
        return int(head.seq) if head.seq else None, f"the head ends with it, but there are {len(movements)} movements"
    item = StockItem.of(raw)
    if head.last_after != stock or units_of(item) != stock:
        return None, f"the movements end with {stock}, the head with {head.last_after}, the stock is {units_of(item)}"
    if head.branch_id != item.branch_id:
        return None, f"it is in {item.branch_id}, but is counted in {head.branch_id}"
    if wrong := wrong_index_keys(raw) or wrong_index_keys(head.raw):
        return None, f"index keys are wrong: {wrong}"
    return None


def wrong_index_keys(raw: Mapping[str, dict[str, object]]) -> str:
    """The names of the index keys that differ from the computed ones."""
    computed = index_keys_of(dict(raw), INDEXES)
    return ", ".join(sorted(computed.changes())) if computed is not None else ""


def _listed(business: str) -> Iterator[str]:
    start_key = None
    while True:
        page = queries.listed_products(business, start_key)
        yield from (head.product_id for head in page.items)
        start_key = page.next_start_key
        if start_key is None:
            return


def _missing(business: str, product_id: str) -> StockProblem:
    return StockProblem(business, product_id, "", None, "it was deleted, but its ledger is still open")


def _verify_totals(business: str, product_ids: list[str]) -> Iterator[StockProblem]:
    wrong: dict[str, tuple[Totals, Totals]] = {}
    for _ in range(TRIES):
        expected, stored = queries.totals_of_heads(business, product_ids), totals(business)
        wrong = {
            branch: (stored.get(branch, Totals()), expected.get(branch, Totals()))
            for branch in sorted({*expected, *stored})
            if stored.get(branch, Totals()) != expected.get(branch, Totals())
        }
        if not wrong:
            return
    for branch, (found, right) in wrong.items():
        text = f"the totals say {found.products} products and {found.units} units, "
        text += f"the ledgers {right.products} and {right.units}"
        yield StockProblem(business, "", branch, None, text)
