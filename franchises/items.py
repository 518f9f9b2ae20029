"""Franchises, their branches and the stock of each branch, as the franchise service writes them."""

from __future__ import annotations

from collections.abc import Iterator

from dashboard.table import keys
from dashboard.table.attributes import LenientNumberAttribute, LenientUnicodeAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey


class Franchise(Item):
    """A brand with branches."""

    key_pattern = keys.FRANCHISE

    id = LenientUnicodeAttribute(null=True)
    name = LenientUnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.FRANCHISES.optional_key(name=self.name)


class Branch(Item):
    """A branch of a franchise. Its id is its whole sort key."""

    key_pattern = keys.BRANCH

    id = LenientUnicodeAttribute(null=True)
    franchise_id = LenientUnicodeAttribute(null=True, attr_name="franchiseId")
    name = LenientUnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.BRANCH_BY_ID.optional_key(branch=self.sk, tenant=self.pk)
        yield from keys.BRANCHES.optional_key(tenant=self.pk, name=self.name)


class StockItem(Item):
    """The stock of one product in one branch. Its id is its whole sort key."""

    key_pattern = keys.STOCK

    id = LenientUnicodeAttribute(null=True)
    franchise_id = LenientUnicodeAttribute(null=True, attr_name="franchiseId")
    branch_id = LenientUnicodeAttribute(null=True, attr_name="branchId")
    name = LenientUnicodeAttribute(null=True)
    stock = LenientNumberAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.STOCK_OF_BRANCH.optional_key(branch=self.branch_id, tenant=self.pk, stock=self.stock)
        yield from keys.STOCK_OF_PRODUCT.optional_key(product=self.sk, tenant=self.pk)
        yield from keys.STOCK_BY_AMOUNT.optional_key(tenant=self.pk, stock=self.stock)
