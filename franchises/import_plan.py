"""What the lines of a file of stock change, compared with the saved products."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _

from dashboard.core.names import folded
from franchises.items import Branch, StockItem
from franchises.items.stock import product_group
from franchises.ledger import countable_stock
from franchises.stock_file import MAX_SHOWN, StockLine

ImportLine = dict[str, Any]


class LineStatus(StrEnum):
    ERROR = "error"
    UNCHANGED = "unchanged"
    CHANGED = "changed"
    NEW = "new"


# The lines of a job in this order: those that it leaves out come first.
_ORDER = list(LineStatus)
LEFT_OUT = (LineStatus.ERROR, LineStatus.UNCHANGED)


@dataclass
class Catalog:
    """The branches and products of a business, as an import looks them up."""

    branches: Sequence[Branch]
    products: Iterable[StockItem]
    allows_negative: bool = False
    _branches: dict[str, list[Branch]] = field(default_factory=lambda: defaultdict(list))
    _by_id: dict[str, StockItem] = field(default_factory=dict)
    _by_group: dict[tuple[str, str], list[StockItem]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for branch in self.branches:
            self._branches[branch.id].append(branch)
            if folded(branch.title) != folded(branch.id):
                self._branches[folded(branch.title)].append(branch)
        for product in self.products:
            self._by_id[product.id] = product
            # A product with a SKU is also found by its name.
            for group in {product.group, product_group(None, product.name)} - {None}:
                self._by_group[product.branch_id or "", str(group)].append(product)

    def find_branch(self, text: str) -> list[Branch]:
        return self._branches.get(text) or self._branches.get(folded(text)) or []

    def find_product(self, product_id: str) -> StockItem | None:
        return self._by_id.get(product_id)

    def find_in_branch(self, branch: str, sku: str | None, name: str | None) -> list[StockItem]:
        """By SKU; by name if the file has no SKU, or a new one for a product that has none."""
        found = self._by_group.get((branch, product_group(sku, None) or ""), [])
        if found or not name:
            return found
        by_name = self._by_group.get((branch, product_group(None, name) or ""), [])
        return [each for each in by_name if not (sku and each.sku)]


def plan_lines(lines: Iterable[StockLine], catalog: Catalog) -> list[ImportLine]:
    """Each line with its verdict, for the job: the lines that it leaves out come first."""
    planned: list[ImportLine] = []
    first_lines: dict[tuple[str, ...], int] = {}
    for line in lines:
        entry = _plan(line, catalog, first_lines)
        planned.append(entry)
    return sorted(planned, key=lambda entry: (_ORDER.index(entry["verdict"]), entry["n"]))


def _plan(line: StockLine, catalog: Catalog, first_lines: dict[tuple[str, ...], int]) -> ImportLine:
    branch = _branch_of(line, catalog)
    product = None if line.errors else _product_of(line, branch, catalog)
    if line.stock is not None and line.stock < 0 and not catalog.allows_negative:
        line.add_error("stock", _("Enter 0 or more units: this business does not allow negative stock."))
    if not line.errors:
        _check_duplicate(line, branch, product, first_lines)
    entry: ImportLine = {"n": line.number, "title": line.title[:MAX_SHOWN]}
    if branch is not None:
        entry["branch"], entry["branchName"] = branch.id, branch.title[:MAX_SHOWN]
    if line.errors:
        return entry | {
            "verdict": LineStatus.ERROR,
            "branchName": entry.get("branchName", line.branch[:MAX_SHOWN]),
            "errors": [[column, text] for column, text in line.errors],
        }
    if product is None:
        return entry | {"verdict": LineStatus.NEW, "values": _values(line) | {"stock": line.stock or 0}}
    entry |= {"product": product.id, "title": product.title[:MAX_SHOWN], "branch": product.branch_id or ""}
    entry["revision"] = product.revision
    before = {"name": product.name, "sku": product.sku, "minimum": product.min_stock, "price": _text(product.price)}
    # What cannot be counted with was seen as no number.
    before["stock"] = countable_stock(product)
    values = {name: value for name, value in _values(line).items() if before[name] != value}
    verdict = LineStatus.CHANGED if values else LineStatus.UNCHANGED
    return entry | {"verdict": verdict, "values": values, "before": {name: before[name] for name in values}}


def _branch_of(line: StockLine, catalog: Catalog) -> Branch | None:
    if not line.branch:
        product = catalog.find_product(line.product)
        found = catalog.find_branch(product.branch_id or "") if product else []
        return found[0] if found else None
    found = catalog.find_branch(line.branch)
    if len(found) > 1:
        line.add_error("branch", _("Several branches have this name. Enter the id of the branch."))
    elif not found:
        line.add_error("branch", _("There is no branch “%(name)s”.") % {"name": line.branch[:60]})
    return found[0] if len(found) == 1 else None


def _product_of(line: StockLine, branch: Branch | None, catalog: Catalog) -> StockItem | None:
    """The saved product of a line; None if it is new."""
    if line.product:
        product = catalog.find_product(line.product)
        if product is None:
            text = _("There is no product “%(id)s”, or it is retired.")
            line.add_error("product", text % {"id": line.product[:60]})
        elif branch is not None and product.branch_id != branch.id:
            line.add_error("branch", _("This product is in another branch. Move it on its own page."))
        return product
    assert branch is not None
    found = catalog.find_in_branch(branch.id, line.sku, line.name)
    if len(found) > 1:
        text = _("%(count)s products of this branch match. Enter the id of the product.")
        line.add_error("sku" if line.sku else "name", text % {"count": len(found)})
    if not found and branch.is_closed:
        line.add_error("branch", _("This branch is closed. Reopen it to add products."))
    if not found and not line.name:
        line.add_error("name", _("There is no product with this SKU in the branch. A new one needs a name."))
    return found[0] if len(found) == 1 else None


def _check_duplicate(
    line: StockLine, branch: Branch | None, product: StockItem | None, first_lines: dict[tuple[str, ...], int]
) -> None:
    if product is not None:
        key: tuple[str, ...] = (product.id,)
    else:
        key = (branch.id if branch else "", product_group(line.sku, line.name) or "")
    first = first_lines.setdefault(key, line.number)
    if first != line.number:
        line.add_error("", _("Same product as in line %(line)s.") % {"line": first})


def _values(line: StockLine) -> dict[str, Any]:
    """The cells that are not empty."""
    values = {"name": line.name, "sku": line.sku, "stock": line.stock, "minimum": line.minimum}
    values["price"] = _text(line.price)
    return {name: value for name, value in values.items() if value is not None}


def _text(price: Decimal | None) -> str | None:
    """A price as the job stores it. 12.50 and 12.5 are the same price."""
    if price is None:
        return None
    return format(price.normalize(), "f")
