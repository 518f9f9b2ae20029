"""Reads a CSV file of stock: one product of a branch in each line. All errors are collected, by line and column."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeVar

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.core.errors import Refused
from dashboard.web.forms import LineField
from dashboard.web.money import read_amount
from dashboard.web.sheets import SheetRow, columns_in, lines_of, row_of
from franchises.fields import MAX_NAME, MAX_SKU
from franchises.units import read_units

T = TypeVar("T")

MAX_LINES = 20_000
MAX_BYTES = 4 * 1024 * 1024
MAX_BRANCH = 200
# Texts of lines with an error are cut: one item stores fifty lines.
MAX_SHOWN = 160

COLUMNS = {
    "branch": {"branch", "branch id", "store", "sucursal", "id de sucursal", "tienda", "local"},
    "product": {"product", "product id", "id", "producto", "id de producto", "id del producto"},
    "sku": {"sku", "code", "codigo"},
    "name": {"name", "product name", "nombre", "nombre del producto"},
    "stock": {"stock", "units", "quantity", "existencias", "unidades", "cantidad"},
    "minimum": {"minimum", "min", "minimum stock", "minstock", "minimo", "stock minimo", "existencias minimas"},
    "price": {"price", "unit price", "precio", "precio unitario"},
}
COLUMN_LABELS = {
    "branch": gettext_lazy("Branch"),
    "product": gettext_lazy("Product"),
    "sku": gettext_lazy("SKU"),
    "name": gettext_lazy("Name"),
    "stock": gettext_lazy("Stock"),
    "minimum": gettext_lazy("Minimum"),
    "price": gettext_lazy("Price"),
}
_LINE = LineField(required=False)


@dataclass
class StockLine:
    """A line of the file. An empty cell is None: it leaves the value of the product as it is."""

    number: int
    branch: str = ""
    product: str = ""
    sku: str | None = None
    name: str | None = None
    stock: int | None = None
    minimum: int | None = None
    price: Decimal | None = None
    # Column and text; an empty column for the whole line.
    errors: list[tuple[str, str]] = field(default_factory=list)

    @property
    def title(self) -> str:
        return (self.name or self.sku or self.product or "–")[:MAX_SHOWN]

    def add_error(self, column: str, text: str) -> None:
        self.errors.append((column, text))


def parse_lines(text: str, currency: str | None) -> list[StockLine]:
    """The lines below the header. Raises Refused if the file cannot be a file of stock."""
    lines, separator = lines_of(text)
    if not lines:
        raise Refused(_("The file is empty. The first line names the columns; each line below is one product."))
    columns = columns_in(lines[0][1], separator, COLUMNS)
    _check_columns(set(columns.values()))
    lines = lines[1:]
    if not lines:
        raise Refused(_("The file has only a header."))
    if len(lines) > MAX_LINES:
        text = _("The file has %(count)s lines. The maximum is %(most)s: split it into several files.")
        raise Refused(text % {"count": f"{len(lines):,}", "most": f"{MAX_LINES:,}"})
    return [_parse(row_of(number, line, separator, columns), currency) for number, line in lines]


def _check_columns(columns: set[str]) -> None:
    if not columns & {"product", "sku", "name"}:
        raise Refused(
            _("The first line must name the columns: branch, product, SKU, name, stock, minimum, price.")
            + " "
            + _("There is no column for the product, its SKU or its name.")
        )
    if "branch" not in columns and "product" not in columns:
        raise Refused(_("There is no column for the branch. Name it “branch”, or add a column “product” with the ids."))


def _parse(row: SheetRow, currency: str | None) -> StockLine:
    line = StockLine(row.number)
    if row.broken:
        line.name = row.text[:MAX_SHOWN]
        line.add_error("", _("A quotation mark is missing."))
        return line
    cells = {name: _plain(text) for name, text in row.cells.items()}
    line.branch, line.product = cells.get("branch", ""), cells.get("product", "")
    line.sku, line.name = cells.get("sku") or None, cells.get("name") or None
    for column, most in (("branch", MAX_BRANCH), ("product", MAX_BRANCH), ("sku", MAX_SKU), ("name", MAX_NAME)):
        if len(cells.get(column, "")) > most:
            line.add_error(column, _("Use at most %(most)s characters.") % {"most": most})
    if not (line.product or line.sku or line.name):
        line.add_error("name", _("Enter the product, its SKU or its name."))
    elif not (line.product or line.branch):
        line.add_error("branch", _("Enter the branch."))
    line.stock = _read(line, "stock", lambda: read_units(cells.get("stock", ""), negative=True))
    line.minimum = _read(line, "minimum", lambda: read_units(cells.get("minimum", "")))
    line.price = _read(line, "price", lambda: read_amount(cells.get("price", ""), currency))
    return line


def _plain(text: str) -> str:
    """A cell as one line. Our export puts an apostrophe before what a spreadsheet would run as a formula."""
    return _LINE.to_python(text.removeprefix("'"))


def _read(line: StockLine, column: str, read: Callable[[], T]) -> T | None:
    try:
        return read()
    except Refused as refusal:
        line.add_error(column, str(refusal.text))
    except ValidationError as error:
        line.add_error(column, " ".join(error.messages))
    return None


def error_texts(line: StockLine) -> Iterator[str]:
    """The errors of a line, each with the name of its column."""
    for column, text in line.errors:
        yield f"{COLUMN_LABELS[column]}: {text}" if column else text
