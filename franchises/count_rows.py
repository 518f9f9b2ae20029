"""Count sheets as the data that templates show: lines by tab, differences with their value, progress."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from django.utils.translation import gettext_lazy as _

from dashboard.core.names import folded
from dashboard.web.money import format_amount
from franchises.items import CountLine

PAGE = 50


class CountTab(StrEnum):
    OPEN = "open"
    COUNTED = "counted"
    DIFFERENCES = "differences"


TAB_LABELS = (
    (CountTab.OPEN, _("To count")),
    (CountTab.COUNTED, _("Counted")),
    (CountTab.DIFFERENCES, _("Differences")),
)


@dataclass(frozen=True)
class CountSummary:
    """The progress of a sheet, and what applying it changes."""

    total: int
    counted: int
    differing: int
    units: int
    # The value of the differences whose products have a price; None if none has one.
    value: Decimal | None
    currency: str

    @classmethod
    def of(cls, lines: Iterable[CountLine], currency: str) -> CountSummary:
        found = list(lines)
        differing = [line for line in found if line.difference]
        values = [line.value for line in differing if line.value is not None]
        return cls(
            total=len(found),
            counted=sum(line.is_counted for line in found),
            differing=len(differing),
            units=sum(line.difference for line in differing),
            value=sum(values, Decimal()) if values else None,
            currency=currency,
        )

    @property
    def missing(self) -> int:
        return self.total - self.counted

    @property
    def value_text(self) -> str:
        return signed_amount(self.value, self.currency)


@dataclass(frozen=True)
class CountRow:
    """A line of a sheet."""

    line: CountLine
    currency: str
    # What was typed and not saved, and why.
    typed: str | None = None
    error: str = ""
    # The quantity that another person saved while this one was typed.
    conflict: CountLine | None = None

    @property
    def counted(self) -> str:
        if self.typed is not None:
            return self.typed
        return "" if self.line.counted is None else str(int(self.line.counted))

    @property
    def counted_by(self) -> str:
        return self.line.updated_by_name or self.line.updated_by or "–"

    @property
    def counted_by_other(self) -> str:
        """The quantity that is saved, next to the one that was typed."""
        return "–" if self.line.counted is None else str(int(self.line.counted))

    @property
    def codes(self) -> str:
        """What a scanner may send for this product, for the search of the page."""
        return " ".join(filter(None, (self.line.product_id, folded(self.line.sku or ""))))

    @property
    def difference_text(self) -> str:
        return signed(self.line.difference)

    @property
    def value_text(self) -> str:
        return signed_amount(self.line.value, self.currency)


def signed(number: int) -> str:
    return f"+{number:,}" if number > 0 else f"{number:,}".replace("-", "−")


def signed_amount(amount: Decimal | None, currency: str) -> str:
    if amount is None:
        return ""
    sign = "+" if amount > 0 else "−" if amount < 0 else ""
    return sign + format_amount(abs(amount), currency)


def lines_of_tab(lines: Sequence[CountLine], tab: CountTab, q: str) -> list[CountLine]:
    """The lines of a tab that contain the text. The largest differences come first, by value and then by units."""
    words = folded(q)
    found = [line for line in lines if words in folded(f"{line.title} {line.sku or ''} {line.product_id}")]
    if tab is CountTab.OPEN:
        return [line for line in found if not line.is_counted]
    if tab is CountTab.COUNTED:
        return [line for line in found if line.is_counted]
    differing = [line for line in found if line.difference]
    return sorted(differing, key=lambda line: (abs(line.value or 0), abs(line.difference)), reverse=True)


def find_code(lines: Sequence[CountLine], code: str) -> list[CountLine]:
    """The lines that a scanned code names: by id, by SKU, or by the whole name."""
    for matches in (
        [line for line in lines if line.product_id == code],
        [line for line in lines if folded(line.sku or "") == folded(code)],
        [line for line in lines if folded(line.title) == folded(code)],
    ):
        if matches and folded(code):
            return matches
    return []
