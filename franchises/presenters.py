"""Products and movements as the data that templates show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.table.attributes import from_attribute
from dashboard.web.pages import url_or_empty
from franchises.items import Branch, StockHead, StockItem
from franchises.queries.totals import Totals

MAX_STORED_TEXT = 40


@dataclass(frozen=True)
class StockDisplay:
    """A stock as text, with a state in words for what needs attention."""

    text: str
    label: str = ""
    level: str = "plain"
    # Whether it is a number, so that it can be increased and decreased.
    is_number: bool = True


def display_number(number: float | None) -> str:
    """A number with the separators of the reader's language; a dash for none."""
    if number is None:
        return "–"
    return str(number_format(number, use_l10n=True, force_grouping=True)).replace("-", "−")


def display_change(number: float | None) -> str:
    """A change with its sign."""
    return f"+{display_number(number)}" if number is not None and number > 0 else display_number(number)


def display_stock(product: StockItem | StockHead) -> StockDisplay:
    """The stock of a product. Text of an outside writer is shown as it is stored."""
    stock: int | float | None = product.stock if isinstance(product, StockItem) else product.last_after
    if stock is None:
        raw = product.raw.get("stock") if isinstance(product, StockItem) else None
        stored = "" if raw is None else str(from_attribute(raw) or "").strip()[:MAX_STORED_TEXT]
        if not stored:
            return StockDisplay("–", _("Not recorded"), "warn", is_number=False)
        return StockDisplay(f"“{stored}”", _("Not a number"), "warn", is_number=False)
    if stock < 0:
        return StockDisplay(display_number(stock), _("Below zero"), "bad")
    if product.is_low:
        return StockDisplay(display_number(stock), _("Low"), "warn")
    return StockDisplay(display_number(stock))


class ProductRow:
    """A product in a list. Made from the stock item, or from the head of its ledger."""

    def __init__(self, business: str, product: StockItem | StockHead, branches: Mapping[str, str]) -> None:
        self.product = product
        self.id = product.id if isinstance(product, StockItem) else product.product_id
        self.title = product.title
        self.sku = product.sku or ""
        self.stock = display_stock(product)
        self.min_stock = display_number(product.min_stock) if product.min_stock is not None else ""
        self.branch_id = product.branch_id or ""
        self.branch = branches.get(self.branch_id, self.branch_id)
        self.url = url_or_empty("product", business, self.id)
        self.branch_url = url_or_empty("branch", business, self.branch_id) if self.branch_id in branches else ""


class BranchRow:
    """A branch in a list, with the number of its products and of their units."""

    def __init__(self, business: str, branch: Branch, total: Totals) -> None:
        self.branch = branch
        self.id, self.title = branch.id, branch.title
        self.products, self.units = display_number(total.products), display_number(total.units)
        products_text = ngettext("%(count)s product", "%(count)s products", total.products)
        # Half a unit is plural, and only whole numbers have a plural form.
        units_text = ngettext("%(count)s unit", "%(count)s units", 1 if total.units == 1 else 2)
        self.text = f"{products_text % {'count': self.products}}, {units_text % {'count': self.units}}"
        self.url = url_or_empty("branch", business, branch.id)


def build_branch_rows(business: str, branches: Sequence[Branch], totals: Mapping[str, Totals]) -> list[BranchRow]:
    return [BranchRow(business, each, totals.get(each.id, Totals())) for each in branches]
