"""The ledger of one stock item: which movements explain its stock, and what the totals of branches count. No I/O.

The stock item has the number, the head the end of the ledger. Where they differ, an outside writer changed the number:
that becomes a movement of its own before anything else is recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Context, Decimal
from zlib import crc32

from dashboard.platform.outbox.registry import mark
from dashboard.table import keys
from dashboard.table.attributes import from_attribute
from dashboard.table.items import Raw
from dashboard.table.keypattern import BadKey, Key
from franchises.causes import Cause
from franchises.items import Movement, StockHead, StockItem
from franchises.items.stock import LOW_STOCK_CHANGE
from franchises.reasons import MovementReason

Units = int | float

# Index keys have ten digits. A number beyond them counts as unreadable, like a text.
MAX_UNITS = 10**10 - 1
# Fractions of outside writers are kept to this many decimal places, so that sums of them stay exact.
DECIMALS = 5
TOTAL_SHARDS = 8
MAX_STORED_VALUE = 100
_EXACT = Context(prec=38)

# The copies of the head. The first two always follow the stock item; an outside writer's Put removes the others.
COPIES = ("branch_id", "name")
OWN_COPIES = ("sku", "min_stock", "price", "retired_at")
# The names on the wire of what a change of a stock item and of its head is computed from.
ITEM_BASIS = ("stock", "branchId", "name", "sku", "retiredAt")
HEAD_BASIS = ("seq", "lastAfter", "branchId", "name", "sku", "minStock", "price", "retiredAt", "deletedAt")


def units_of(item: StockItem) -> Units:
    """The stock of an item as a number; 0 for a missing value, a text, or a number that is too large."""
    stock = item.stock
    if stock is None or abs(stock) > MAX_UNITS:
        return 0
    return whole_if_possible(round(stock, DECIMALS))


def is_readable(item: StockItem) -> bool:
    """Whether the stored stock is a number that can be counted with."""
    return item.stock is not None and abs(item.stock) <= MAX_UNITS


def countable_stock(item: StockItem) -> Units | None:
    """The stock as a number that can be counted with; None if it is stored as something else."""
    return units_of(item) if is_readable(item) else None


def stored_value(item: StockItem) -> str | None:
    """The stock as an outside writer stored it, if it is no number that can be counted with."""
    if is_readable(item) or "stock" not in item.raw:
        return None
    return str(from_attribute(item.raw["stock"]))[:MAX_STORED_VALUE] or None


def whole_if_possible(number: Units) -> Units:
    return int(number) if number == int(number) else number


def add(one: Units, other: Units) -> Units:
    """The exact sum: floats of Python would make 0.1 + 0.2 something else than 0.3."""
    if isinstance(one, int) and isinstance(other, int):
        return one + other
    return whole_if_possible(float(_EXACT.add(Decimal(str(one)), Decimal(str(other)))))


def total(numbers: Iterable[Units]) -> Units:
    """The exact sum of many numbers."""
    found: Units = 0
    for number in numbers:
        found = add(found, number)
    return found


@dataclass(frozen=True)
class CountedStock:
    """What the totals of a branch count for one stock item."""

    branch_id: str | None = None
    products: int = 0
    units: Units = 0


def counted(head: StockHead | None) -> CountedStock:
    """What the totals contain for the stock item of this head. Nothing for a retired or deleted one."""
    if head is None or not head.is_active or not head.branch_id:
        return CountedStock()
    return CountedStock(head.branch_id, 1, head.last_after or 0)


def total_key(business: str, branch_id: str, product_id: str) -> Key | None:
    """The key of the total that counts a product; None for an id of a branch that cannot be part of a key."""
    shard = crc32(product_id.encode()) % TOTAL_SHARDS
    try:
        return keys.BRANCH_TOTAL.key(tenant=business, branch=branch_id, shard=shard)
    except BadKey:
        return None


class StockLedger:
    """The ledger of one stock item while a change is computed.

    `item` is None for a stock item that does not exist (any more); without `head`, the ledger begins with its stock.
    """

    def __init__(self, business: str, product_id: str, item: StockItem | None, head: StockHead | None) -> None:
        self.business, self.product_id, self.item = business, product_id, item
        self.movements: list[Movement] = []
        self.is_new = head is None
        self._counted_before = counted(head)
        self.head = head or StockHead.new(tenant=business, product=product_id)
        if self.is_new:
            self.head.seq = 0
            self.head.opening_balance = self.head.last_after = units_of(item) if item is not None else 0

    @property
    def stock(self) -> Units:
        """The stock after the last movement."""
        return self.head.last_after or 0

    @property
    def is_retired(self) -> bool:
        return bool((self.item is not None and self.item.retired_at) or self.head.retired_at)

    @property
    def is_behind(self) -> bool:
        """Whether an outside writer changed the stock or the branch, and the ledger does not know it yet."""
        if self.is_new or self.item is None:
            return False
        return units_of(self.item) != self.stock or self.item.branch_id != self.head.branch_id

    def lost_values(self) -> Raw:
        """The copies of the head that the stock item has lost: an outside writer's Put removes attributes of ours."""
        if self.item is None or self.head.deleted_at:
            return {}
        names = [str(StockItem.get_attributes()[name].attr_name) for name in OWN_COPIES]
        return {name: self.head.raw[name] for name in names if name in self.head.raw and name not in self.item.raw}

    def catch_up(self, at: datetime) -> None:
        """Record what an outside writer changed: the stock as a movement, the other values on the head."""
        if self.item is None:
            self._mark_deleted(at)
            return
        if self.head.deleted_at:
            # It was put again: whatever was decided about the deleted item does not apply to it.
            self.head.deleted_at = self.head.retired_at = None
        self._copy(at)
        if (found := units_of(self.item)) != self.stock:
            self._append(at, add(found, -self.stock), MovementReason.OUTSIDE, stored_value(self.item))

    def follow_edit(self, at: datetime) -> None:
        """Take over the values that a person has changed on the stock item, also those that were removed."""
        assert self.item is not None
        self.catch_up(at)
        for name in OWN_COPIES:
            setattr(self.head, name, getattr(self.item, name))

    def move(
        self,
        change: Units,
        reason: MovementReason,
        *,
        at: datetime,
        note: str = "",
        cause: Cause | None = None,
        undoes: int | None = None,
    ) -> Movement:
        """Change the stock. The ledger must have caught up."""
        assert self.item is not None
        movement = self._append(at, change, reason, note.strip() or None)
        movement.cause = cause.to_dict() if cause is not None else None
        movement.undoes = undoes
        self.item.stock = movement.after
        return movement

    def total_changes(self) -> Iterator[tuple[Key, int, Units]]:
        """What to add to which totals: key, products, units."""
        before, after = self._counted_before, counted(self.head)
        if before.branch_id == after.branch_id:
            parts = [CountedStock(after.branch_id, after.products - before.products, add(after.units, -before.units))]
        else:
            parts = [CountedStock(before.branch_id, -before.products, -before.units), after]
        for part in parts:
            if part.branch_id and (part.products or part.units):
                key = total_key(self.business, part.branch_id, self.product_id)
                if key is not None:
                    yield key, part.products, part.units

    def _copy(self, at: datetime) -> None:
        assert self.item is not None
        for name in COPIES:
            setattr(self.head, name, getattr(self.item, name))
        for name in OWN_COPIES:
            # A missing value may have been lost in a Put: the follower restores it from the head.
            if getattr(self.item, name) is not None:
                setattr(self.head, name, getattr(self.item, name))
        if not self.head.last_moved_at:
            self.head.last_moved_at = self.item.created_at or at

    def _mark_deleted(self, at: datetime) -> None:
        if self.stock:
            self._append(at, -self.stock, MovementReason.OUTSIDE, None)
        self.head.deleted_at = self.head.deleted_at or at

    def _append(self, at: datetime, change: Units, reason: MovementReason, note: str | None) -> Movement:
        head = self.head
        head.seq = int(head.seq or 0) + 1
        movement = Movement.new(tenant=self.business, product=self.product_id, seq=head.seq)
        movement.at, movement.reason, movement.note = at, reason.value, note
        movement.before, movement.change, movement.after = self.stock, change, add(self.stock, change)
        movement.branch_id, movement.name = head.branch_id, head.name
        was_low = head.is_low
        head.last_after, head.last_moved_at = movement.after, at
        if head.is_low and not was_low and head.is_active:
            mark(movement, LOW_STOCK_CHANGE, at)
        self.movements.append(movement)
        return movement
