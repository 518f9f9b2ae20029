"""The grid of a branch: cells that were typed, compared with the values that the person saw."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _

from dashboard.core.errors import Refused
from dashboard.core.names import folded
from dashboard.web.forms import LineField
from dashboard.web.money import read_amount
from franchises.fields import MAX_NAME, MAX_SKU, price_for_input
from franchises.items import StockItem
from franchises.ledger import DECIMALS, MAX_UNITS, Units, whole_if_possible
from franchises.queries.stock import is_product_id
from franchises.stock_file import COLUMN_LABELS
from franchises.units import read_units

# The most rows of one request.
MAX_ROWS = 100
# The name comes first: it stays visible while the others are scrolled.
COLUMNS = ("name", "stock", "minimum", "sku", "price")
# The fields of a product, by column.
DETAILS = {"minimum": "min_stock", "sku": "sku", "name": "name", "price": "price"}
# Columns with numbers, and the keyboard that a phone shows for them.
INPUT_MODES = {"stock": "numeric", "minimum": "numeric", "price": "decimal"}
SEEN = "seen-"
_LINE = LineField(required=False)


def texts_of(product: StockItem) -> dict[str, str]:
    """The cells of a product."""
    return {
        "stock": _number(product.stock),
        "minimum": _number(product.min_stock),
        "sku": product.sku or "",
        "name": product.name or "",
        "price": price_for_input(product.price),
    }


def _number(number: float | None) -> str:
    if number is None:
        return ""
    return str(int(number)) if number == int(number) else str(number)


@dataclass(frozen=True)
class GridCell:
    """An input of the grid."""

    name: str
    label: str
    typed: str
    seen: str
    error: str
    input_mode: str

    @property
    def is_changed(self) -> bool:
        return self.typed != self.seen


@dataclass
class GridRow:
    """A product with its typed cells, the cells that the person saw, and the errors."""

    id: str
    seen: dict[str, str]
    revision: int
    typed: dict[str, str]
    errors: dict[str, str] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    is_saved: bool = False

    @classmethod
    def of(cls, product: StockItem) -> GridRow:
        texts = texts_of(product)
        return cls(product.id, texts, product.revision, dict(texts))

    @property
    def changed(self) -> list[str]:
        return [column for column in COLUMNS if column in self.seen and self.typed[column] != self.seen[column]]

    @property
    def seen_stock(self) -> Units | None:
        """The stock that the person saw; None if it was no number to count with."""
        try:
            number = float(self.seen["stock"])
        except ValueError:
            return None
        return whole_if_possible(round(number, DECIMALS)) if abs(number) <= MAX_UNITS else None

    @property
    def title(self) -> str:
        return self.seen.get("name") or self.typed.get("name") or self.id

    @property
    def reason(self) -> str:
        return " ".join(dict.fromkeys(self.errors.values()))

    @property
    def seen_json(self) -> str:
        return seen_text(self.seen, self.revision)

    @property
    def cells(self) -> list[GridCell]:
        return [
            GridCell(
                f"{name}-{self.id}",
                str(COLUMN_LABELS[name]),
                self.typed.get(name, ""),
                self.seen.get(name, ""),
                self.errors.get(name, ""),
                INPUT_MODES.get(name, ""),
            )
            for name in COLUMNS
        ]

    def check(self, currency: str) -> None:
        """Read the changed cells. Errors stay with their cells."""
        readers: dict[str, Callable[[str], Any]] = {
            "stock": _read_stock,
            "minimum": read_units,
            "sku": lambda text: _read_line(text, MAX_SKU),
            "name": _read_name,
            "price": lambda text: read_amount(text, currency or None),
        }
        for column in self.changed:
            try:
                self.values[column] = readers[column](self.typed[column])
            except Refused as refusal:
                self.errors[column] = str(refusal.text)
            except ValidationError as error:
                self.errors[column] = " ".join(error.messages)

    @property
    def details(self) -> dict[str, str | int | Decimal | None]:
        return {DETAILS[column]: value for column, value in self.values.items() if column in DETAILS}

    def refresh(self, product: StockItem) -> None:
        """Show what is saved now. Cells with an error keep what was typed."""
        current = texts_of(product)
        if not self.errors:
            self.typed = dict(current)
        else:
            self.typed = {name: self.typed[name] if name in self.errors else current[name] for name in COLUMNS}
        self.seen, self.revision = current, product.revision


def _read_stock(text: str) -> int:
    number = read_units(text, negative=True)
    if number is None:
        raise Refused(_("Enter the stock."))
    return number


def _read_line(text: str, most: int) -> str:
    line = _LINE.to_python(text)
    if len(line) > most:
        raise Refused(_("Use at most %(most)s characters.") % {"most": most})
    return line


def _read_name(text: str) -> str:
    name = _read_line(text, MAX_NAME)
    if not folded(name):
        raise Refused(_("Enter a name with a letter or a digit."))
    return name


def seen_text(seen: Mapping[str, str], revision: int) -> str:
    return json.dumps({**seen, "revision": revision}, ensure_ascii=False, separators=(",", ":"))


def rows_of(data: QueryDict) -> list[GridRow]:
    """The rows that were sent. Undo sends only the cells that it sets back."""
    ids = [name.removeprefix(SEEN) for name in data if name.startswith(SEEN)]
    ids = [each for each in ids if is_product_id(each)][:MAX_ROWS]
    return [row for row in (_row_of(data, product_id) for product_id in ids) if row is not None]


def _row_of(data: QueryDict, product_id: str) -> GridRow | None:
    try:
        sent = json.loads(str(data[SEEN + product_id]))
    except (ValueError, RecursionError):
        return None
    if not isinstance(sent, dict):
        return None
    seen = {name: _encodable(str(sent[name])) for name in COLUMNS if name in sent}
    revision = sent.get("revision")
    typed = {name: data.get(f"{name}-{product_id}", seen.get(name, ""))[:400].strip() for name in COLUMNS}
    return GridRow(product_id, seen, revision if isinstance(revision, int) else 0, typed)


def _encodable(text: str) -> str:
    """A text without halves of surrogate pairs, which JSON can name and no page can contain."""
    return text.encode(errors="replace").decode()


def undo_fields(before: Iterable[GridRow], saved: Mapping[str, StockItem]) -> dict[str, str]:
    """The fields that set the saved cells back, given the rows as they were sent."""
    fields: dict[str, str] = {}
    for row in before:
        product = saved[row.id]
        current = texts_of(product)
        fields[SEEN + row.id] = seen_text({name: current[name] for name in row.changed}, product.revision)
        fields |= {f"{name}-{row.id}": row.seen[name] for name in row.changed}
    return fields
