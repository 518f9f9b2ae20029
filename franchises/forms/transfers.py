"""The rows of a transfer: a product of the source branch and its units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from dashboard.core.errors import Refused
from dashboard.core.names import folded
from franchises.items import Branch, StockItem
from franchises.ledger import Units, units_of
from franchises.units import read_units

MAX_ROWS, MIN_ROWS, ADDED_ROWS = 500, 6, 6
MAX_TYPED = 200


@dataclass
class TransferRow:
    """One row as it was typed, with its error, and the products that it names."""

    product: str = ""
    units: str = ""
    error: str = ""
    source: StockItem | None = None
    target: StockItem | None = None
    number: int = 0

    @property
    def is_empty(self) -> bool:
        return not (self.product or self.units)

    @property
    def source_before(self) -> Units:
        return units_of(self.source) if self.source else 0

    @property
    def source_after(self) -> Units:
        return self.source_before - self.number

    @property
    def target_before(self) -> Units:
        return units_of(self.target) if self.target else 0

    @property
    def target_after(self) -> Units:
        return self.target_before + self.number


class TransferForm:
    """The branches and the rows. Every row with an error is listed, and the typed texts are kept."""

    def __init__(self, data: QueryDict, branches: Sequence[Branch]) -> None:
        # The stock of a closed branch can be taken out of it.
        self.sources = {branch.id: branch for branch in branches}
        self.targets = {branch.id: branch for branch in branches if not branch.is_closed}
        self.source = self.sources.get(data.get("from", ""))
        self.target = self.targets.get(data.get("to", ""))
        products, units = data.getlist("product"), data.getlist("units")
        self.rows = [
            TransferRow(product.strip()[:MAX_TYPED], number.strip()[:20])
            for product, number in zip(products[:MAX_ROWS], units[:MAX_ROWS], strict=False)
        ]
        self.errors: list[str] = []
        if len(products) > MAX_ROWS:
            self.errors.append(_("A transfer has at most %(most)s products.") % {"most": MAX_ROWS})

    @property
    def filled(self) -> list[TransferRow]:
        return [row for row in self.rows if not row.is_empty]

    @property
    def failed(self) -> list[TransferRow]:
        return [row for row in self.rows if row.error]

    def add_rows(self, count: int = 0) -> None:
        """Empty rows below those that were typed."""
        wanted = min(MAX_ROWS, max(MIN_ROWS, len(self.rows) + count))
        self.rows += [TransferRow() for _number in range(wanted - len(self.rows))]

    def is_valid(self, products: Sequence[StockItem], in_target: Sequence[StockItem], *, negative: bool) -> bool:
        """Check all rows against the products of both branches."""
        if self.source is None or self.target is None:
            self.errors.append(_("Choose both branches."))
            return False
        if self.source.id == self.target.id:
            self.errors.append(_("Choose two different branches."))
            return False
        if not self.filled:
            self.errors.append(_("Enter at least one product and its units."))
        targets = {product.group: product for product in in_target}
        seen: set[str] = set()
        for row in self.filled:
            self._check(row, products, self.source, negative=negative)
            if row.source is None or row.error:
                continue
            if row.source.id in seen:
                row.error = _("This product is in an earlier row.")
            seen.add(row.source.id)
            row.target = targets.get(row.source.group)
        return not self.errors and not self.failed

    def _check(self, row: TransferRow, products: Sequence[StockItem], source: Branch, *, negative: bool) -> None:
        found = find_product(products, row.product)
        if len(found) != 1:
            row.error = (
                _("Several products match. Enter the SKU or the id.")
                if found
                else _("%(branch)s has no such product.") % {"branch": source.title}
            )
            return
        row.source = found[0]
        try:
            row.number = read_units(row.units) or 0
        except Refused as refusal:
            row.error = str(refusal.text)
            return
        if row.number <= 0:
            row.error = _("Enter the number of units.")
        elif row.source_after < 0 and not negative:
            row.error = _("There are only %(stock)s.") % {"stock": row.source_before}


def find_product(products: Sequence[StockItem], text: str) -> list[StockItem]:
    """By id, by SKU, by the whole name, or by a part of it that only one product has."""
    words = folded(text)
    matchers: tuple[Any, ...] = (
        lambda each: each.id == text,
        lambda each: bool(words) and folded(each.sku or "") == words,
        lambda each: bool(words) and folded(each.title) == words,
        lambda each: bool(words) and words in folded(each.title),
    )
    return next((found for found in ([p for p in products if matches(p)] for matches in matchers) if found), [])
