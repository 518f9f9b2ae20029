"""The lines of an import as the preview shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from dashboard.web.money import format_amount
from franchises.import_plan import ImportLine, Verdict
from franchises.stock_file import COLUMN_LABELS

VERDICT_LABELS = {
    Verdict.ERROR: _("Errors"),
    Verdict.UNCHANGED: _("Unchanged"),
    Verdict.CHANGED: pgettext_lazy("lines of a file", "Changed"),
    Verdict.NEW: pgettext_lazy("lines of a file", "New"),
}


class ImportRow:
    """A line of the preview: its errors, or its values before and after."""

    def __init__(self, line: ImportLine, currency: str) -> None:
        self.number, self.title = line["n"], line["title"]
        self.branch = line.get("branchName") or line.get("branch", "")
        self.errors = [(str(COLUMN_LABELS.get(column, "")), text) for column, text in line.get("errors", [])]
        before: dict[str, Any] = line.get("before", {})
        self.changes = [
            (str(COLUMN_LABELS[name]), _text(name, before.get(name), currency), _text(name, value, currency))
            for name, value in line.get("values", {}).items()
            if line["verdict"] != Verdict.NEW or name not in {"name"}
        ]
        self.is_new = line["verdict"] == Verdict.NEW


def _text(name: str, value: Any, currency: str) -> str:
    if value is None or value == "":
        return "–"
    return format_amount(Decimal(value), currency) if name == "price" else str(value)


def error_rows(lines: Iterable[ImportLine]) -> Iterator[tuple[Any, ...]]:
    """One row for each error."""
    for line in lines:
        for column, text in line.get("errors", []):
            yield line["n"], str(COLUMN_LABELS.get(column, "")), text, line.get("branchName", ""), line["title"]
