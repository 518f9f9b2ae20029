"""CSV files that are safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

# Without it, spreadsheets do not recognise UTF-8.
BOM = "\ufeff"

# The beginning of a formula: at the start of a cell, and after any character that may separate cells in a country.
_FORMULA = re.compile(r"(^|[;,\t\r\n|])( *)(?=[=+\-@\t\r\n＝＋－＠])")


def escape_formulas(value: Any) -> str:
    """A cell as text, with an apostrophe before what a spreadsheet would run as a formula."""
    text = "" if value is None else str(value)
    return _FORMULA.sub(r"\1\2'", text)


def as_csv(rows: Iterable[Iterable[Any]]) -> str:
    """Lines of a file, with formulas escaped."""
    written = io.StringIO()
    csv.writer(written).writerows([escape_formulas(cell) for cell in row] for row in rows)
    return written.getvalue()


def incomplete_file_line() -> str:
    return as_csv([(_("This file is incomplete because the database stopped answering. Export it again."),)])


def csv_file(name: str, header: Sequence[Any], rows: Iterable[Sequence[Any]]) -> HttpResponse:
    """A CSV attachment that no cache stores."""
    response = HttpResponse(BOM + as_csv([header, *rows]), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    response.headers["Cache-Control"] = "no-store, private"
    return response
