"""The copies of a product in its categories follow the product.

The website service keeps what a card shows of a product in an item for each category, and shows lists of a category
from these. They are written in the transaction of the change if they fit, and otherwise after it (follow_ups.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from content.library.attribute_texts import Value
from content.library.changes import is_equal
from content.queries.product_copies import copies_of, find_product, keys_of_copies
from dashboard.core.errors import StaleRevision
from dashboard.table import keys, schema
from dashboard.table.commands import SYSTEM, new_command
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from dashboard.table.nested import members_of
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction

CATEGORIES = "categoryIds"
# What a copy has of a product; the values with which the service replaces missing ones.
_DEFAULTS: dict[str, Value] = {
    "sortOrder": {"N": "0"},
    "tags": {"L": []},
    "volumePricing": {"L": []},
    CATEGORIES: {"L": []},
}
ON_CARDS = (
    *("title", "slug", "sku", "price", "salePrice", "currency", "imageLink", "availability", "status"),
    *("availableFrom", "availableUntil"),
    *_DEFAULTS,
)
# More could not be read and written for one change.
MAX_CATEGORIES = 100


@dataclass(frozen=True)
class CopyWrite:
    """What one copy needs: the attributes to set, None for one to remove. Without attributes it is deleted."""

    key: Key
    values: Mapping[str, Value | None]
    exists: bool

    def add_to(self, transaction: Transaction) -> None:
        exists: Path = Path([schema.PK])
        if not self.values:
            transaction.remove(self.key)
            return
        actions = [_action(name, value) for name, value in self.values.items()]
        condition = exists.exists() if self.exists else exists.does_not_exist()
        transaction.update(self.key, actions, condition, StaleRevision)


def _action(name: str, value: Value | None) -> Action:
    path: Path = Path([name])
    return path.remove() if value is None else path.set(value)


def categories_of(raw: Mapping[str, Value] | None) -> list[str]:
    """The ids of the categories of a product, as the service stores them."""
    members = [each.get("S") for each in members_of((raw or {}).get(CATEGORIES, {}).get("L"))]
    return list(dict.fromkeys(each for each in members if isinstance(each, str) and each))[:MAX_CATEGORIES]


def writes_for(product: Key, before: Mapping[str, Value] | None, after: Mapping[str, Value] | None) -> list[CopyWrite]:
    """What the copies need after a change of a product. Without `after` it is deleted."""
    parts = keys.PRODUCT.read(*product) or {}
    business, product_id = str(parts["tenant"]), str(parts["id"])
    kept = categories_of(after)
    left = [each for each in categories_of(before) if each not in kept]
    found = copies_of(business, product_id, kept + left)
    wanted = set(keys_of_copies(business, product_id, kept))
    writes = []
    for key, stored in found.items():
        if key not in wanted:
            writes += [CopyWrite(key, {}, True)] if stored is not None else []
        elif values := _differences(product_id, after or {}, stored):
            writes.append(CopyWrite(key, values, stored is not None))
    return writes


def _differences(product_id: str, product: Mapping[str, Value], stored: Raw | None) -> dict[str, Value | None]:
    """The attributes in which a copy differs from its product."""
    wanted = {name: product.get(name) or _DEFAULTS.get(name) for name in ON_CARDS}
    if stored is None:
        made: dict[str, Value | None] = {"id": {"S": product_id}}
        return made | {name: value for name, value in wanted.items() if value is not None}
    return {name: value for name, value in wanted.items() if not is_equal(stored.get(name), value)}


def add_copies(transaction: Transaction, writes: list[CopyWrite]) -> None:
    """Write the copies with the change, if all of them fit. Otherwise they follow it."""
    if len(writes) <= transaction.free_steps:
        for write in writes:
            write.add_to(transaction)


def are_on_cards(names: list[str]) -> bool:
    return not set(ON_CARDS).isdisjoint(names)


def complete_copies(business: str, product_id: str, former_categories: list[str]) -> int:
    """Make all copies equal to the product as it is now; returns how many were written."""
    return retry_on(StaleRevision, lambda: _complete(business, product_id, former_categories))


def _complete(business: str, product_id: str, former_categories: list[str]) -> int:
    key = keys.PRODUCT.key(tenant=business, id=product_id)
    product = find_product(business, product_id)
    former: Raw = {CATEGORIES: {"L": [{"S": each} for each in former_categories]}}
    writes = writes_for(key, former, product.raw if product else None)
    rest = list(writes)
    while rest:
        transaction = Transaction(new_command(SYSTEM))
        is_same = product.unchanged(*ON_CARDS) if product else Path([schema.PK]).does_not_exist()
        transaction.check(key, is_same, StaleRevision)
        size = transaction.free_steps
        for write in rest[:size]:
            write.add_to(transaction)
        transaction.commit(None)
        rest = rest[size:]
    return len(writes)
