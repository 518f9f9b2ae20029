"""The stock of a product in a branch, its ledger of movements, and the totals of branches."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from dashboard.core.names import folded
from dashboard.platform.outbox.records import OutboxRecord, RecordPlace
from dashboard.table import keys
from dashboard.table.attributes import (
    DecimalAttribute,
    LenientNumberAttribute,
    LenientUnicodeAttribute,
    PlainMapAttribute,
)
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute, to_wire

# What follows from a movement to the minimum or below.
LOW_STOCK_CHANGE = "stock.low"


def product_group(sku: str | None, name: str | None) -> str | None:
    """What stock items of one product share: their SKU, or else their folded name; None without both."""
    if sku and (code := folded(sku)):
        return f"sku={code}"
    return f"name={folded(name)}" if name and folded(name) else None


class StockItem(Item):
    """The stock of one product in one branch. Its id is its whole sort key.

    Changes of `stock` do not increase the revision, so that a sale never conflicts with a person's edit.
    """

    key_pattern = keys.STOCK
    # An id of an outside writer that cannot be part of a key has no ledger, so lists leave it out.
    needs_key_parts = True

    product_id = LenientUnicodeAttribute(null=True, attr_name="id")
    franchise_id = LenientUnicodeAttribute(null=True, attr_name="franchiseId")
    branch_id = LenientUnicodeAttribute(null=True, attr_name="branchId")
    name = LenientUnicodeAttribute(null=True)
    stock = LenientNumberAttribute(null=True)
    # Attributes of ours. The head has a copy of SKU and minimum, which survives a Put of an outside writer.
    sku = LenientUnicodeAttribute(null=True)
    min_stock = LenientNumberAttribute(null=True, attr_name="minStock")
    # The value of one unit, in the currency of the business.
    price = DecimalAttribute(null=True)
    retired_at = TimestampAttribute(null=True, attr_name="retiredAt")

    @property
    def id(self) -> str:
        return self.sk

    @property
    def title(self) -> str:
        return self.name or self.id

    @property
    def is_retired(self) -> bool:
        return bool(self.retired_at)

    @property
    def group(self) -> str | None:
        return product_group(self.sku, self.name)

    @property
    def is_low(self) -> bool:
        """Whether the stock is at the minimum or below."""
        return self.stock is not None and self.min_stock is not None and self.stock <= self.min_stock

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.STOCK_OF_PRODUCT.optional_key(product=self.sk, tenant=self.pk)
        if self.is_retired:
            yield from keys.RETIRED_STOCK.optional_key(tenant=self.pk, at=self.retired_at)
            return
        yield from keys.STOCK_OF_BRANCH.optional_key(branch=self.branch_id, tenant=self.pk, stock=self.stock)
        yield from keys.STOCK_BY_AMOUNT.optional_key(tenant=self.pk, stock=self.stock)
        yield from keys.STOCK_OF_GROUP.optional_key(tenant=self.pk, group=self.group, branch=self.branch_id)
        yield from keys.STOCK_BY_NAME.optional_key(tenant=self.pk, name=folded(self.name or ""), product=self.sk)


class StockHead(Item):
    """The end of the ledger of one stock item, and what must survive an outside writer's Put."""

    key_pattern = keys.STOCK_HEAD
    editable = False

    # The number of the last movement; 0 before the first.
    seq = LenientNumberAttribute(default=0)
    # The stock after the last movement. Another stock on the item means that an outside writer changed it.
    last_after = LenientNumberAttribute(null=True, attr_name="lastAfter")
    # The stock before the first movement. It is not a movement.
    opening_balance = LenientNumberAttribute(null=True, attr_name="openingBalance")
    last_moved_at = TimestampAttribute(null=True, attr_name="lastMovedAt")
    sku = LenientUnicodeAttribute(null=True)
    min_stock = LenientNumberAttribute(null=True, attr_name="minStock")
    branch_id = LenientUnicodeAttribute(null=True, attr_name="branchId")
    price = DecimalAttribute(null=True)
    # For lists of heads: low stock, and products without movement.
    name = LenientUnicodeAttribute(null=True)
    retired_at = TimestampAttribute(null=True, attr_name="retiredAt")
    # When an outside writer deleted the stock item. Its ledger stays.
    deleted_at = TimestampAttribute(null=True, attr_name="deletedAt")

    @property
    def product_id(self) -> str:
        return str(self.key_parts["product"])

    @property
    def title(self) -> str:
        return self.name or self.product_id

    @property
    def is_active(self) -> bool:
        """Whether lists show the product and totals count it."""
        return not self.retired_at and not self.deleted_at

    @property
    def is_low(self) -> bool:
        return self.last_after is not None and self.min_stock is not None and self.last_after <= self.min_stock

    def index_keys(self) -> Iterator[IndexKey]:
        if not self.is_active:
            return
        business = self.key_parts["tenant"]
        if self.is_low:
            yield from keys.LOW_STOCK.optional_key(tenant=business, stock=self.last_after)
        yield from keys.STOCK_BY_LAST_MOVEMENT.optional_key(tenant=business, at=self.last_moved_at)


class Movement(OutboxRecord, Item):
    """One change of a stock. It is the audit entry for stock, and it is never changed except to note its undo."""

    key_pattern = keys.MOVEMENT
    editable = False

    at = TimestampAttribute()
    before = LenientNumberAttribute()
    change = LenientNumberAttribute()
    after = LenientNumberAttribute()
    # One of franchises/reasons.py.
    reason = LenientUnicodeAttribute()
    note = LenientUnicodeAttribute(null=True)
    branch_id = LenientUnicodeAttribute(null=True, attr_name="branchId")
    name = LenientUnicodeAttribute(null=True)
    # Who: e-mail address and name. None for a change that an outside writer made directly.
    actor = PlainMapAttribute(null=True)
    # What several movements belong to: {"kind": "count" | "file" | "transfer", "id": …, "title": …}.
    cause = PlainMapAttribute(null=True)
    operation = LenientUnicodeAttribute(null=True)
    request_id = LenientUnicodeAttribute(null=True, attr_name="requestId")
    # The movement that this one reverses, and the one that reverses this one.
    undoes = LenientNumberAttribute(null=True)
    undone_by = LenientNumberAttribute(null=True, attr_name="undoneBy")
    # The other side of a transfer: {"product": …, "seq": …}. They are undone together.
    counterpart = PlainMapAttribute(null=True)

    @property
    def seq(self) -> int:
        return int(self.key_parts["seq"])

    @property
    def product_id(self) -> str:
        return str(self.key_parts["product"])

    @property
    def title(self) -> str:
        return self.name or self.product_id

    @property
    def is_outside(self) -> bool:
        """Whether an outside writer changed the stock directly."""
        return not self.actor

    def index_keys(self) -> Iterator[IndexKey]:
        parts: dict[str, Any] = {"tenant": self.key_parts["tenant"], "at": self.at, "seq": self.seq}
        yield from keys.MOVEMENTS.optional_key(**parts)
        yield from keys.MOVEMENTS_OF_BRANCH.optional_key(**parts, branch=self.branch_id)
        yield from keys.MOVEMENTS_BY_REASON.optional_key(**parts, reason=self.reason)
        yield from keys.MOVEMENTS_OF_CAUSE.optional_key(**parts, cause=(self.cause or {}).get("id"))
        yield from keys.MOVEMENTS_BY.optional_key(**parts, email=(self.actor or {}).get("email"))
        yield from self.outbox_keys()

    @property
    def change_name(self) -> str:
        return LOW_STOCK_CHANGE

    @property
    def record_place(self) -> RecordPlace:
        """The number of the movement comes first in the id, because it is the order of the product's movements."""
        product = sha256(self.product_id.encode()).hexdigest()[:12]
        return RecordPlace(str(self.key_parts["tenant"]), to_wire(self.at), f"{self.seq:010d}-{product}")


class BranchTotal(Item):
    """A share of the products and units of one branch. It changes in the transaction of what it counts."""

    key_pattern = keys.BRANCH_TOTAL
    editable = False

    products = LenientNumberAttribute(default=0)
    units = LenientNumberAttribute(default=0)

    @property
    def branch_id(self) -> str:
        return str(self.key_parts["branch"])
