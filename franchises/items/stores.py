"""Franchises and their branches, as the franchise service writes them."""

from __future__ import annotations

from collections.abc import Iterator

from dashboard.core.names import folded
from dashboard.table import keys
from dashboard.table.attributes import LenientBooleanAttribute, LenientUnicodeAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute


class Franchise(Item):
    """A brand with branches. Its id is that of its business."""

    key_pattern = keys.FRANCHISE
    needs_key_parts = True

    franchise_id = LenientUnicodeAttribute(null=True, attr_name="id")
    name = LenientUnicodeAttribute(null=True)
    # Whether stock may go below zero. A missing value means no.
    allows_negative_stock = LenientBooleanAttribute(null=True, attr_name="allowNegativeStock")

    @property
    def id(self) -> str:
        return str(self.key_parts["tenant"])

    @property
    def title(self) -> str:
        return self.name or self.id

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.FRANCHISES.optional_key(name=folded(self.title), tenant=self.id)


class Branch(Item):
    """A branch of a franchise. Its id is its whole sort key."""

    key_pattern = keys.BRANCH

    branch_id = LenientUnicodeAttribute(null=True, attr_name="id")
    franchise_id = LenientUnicodeAttribute(null=True, attr_name="franchiseId")
    name = LenientUnicodeAttribute(null=True)
    closed_at = TimestampAttribute(null=True, attr_name="closedAt")

    @property
    def id(self) -> str:
        return self.sk

    @property
    def title(self) -> str:
        return self.name or self.id

    @property
    def is_closed(self) -> bool:
        return bool(self.closed_at)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.BRANCH_BY_ID.optional_key(branch=self.sk, tenant=self.pk)
        yield from keys.BRANCHES.optional_key(tenant=self.pk, name=self.name)
