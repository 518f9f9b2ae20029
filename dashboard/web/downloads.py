"""Tables to take along: CSV that a spreadsheet opens as it is, and runs nothing of."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

# Spreadsheets take UTF-8 for something else unless this stands first.
BOM = "\ufeff"

# What begins so is a formula to a spreadsheet: at the start of a cell, and after whatever the reader's country takes
# for the end of one.
_FORMULA = re.compile(r"(^|[;,\t\r\n|])( *)(?=[=+\-@\t\r\n＝＋－＠])")


def defused(value: Any) -> str:
    """A cell as text: an apostrophe before what a spreadsheet would carry out."""
    text = "" if value is None else str(value)
    return _FORMULA.sub(r"\1\2'", text)


def as_csv(rows: Iterable[Iterable[Any]]) -> str:
    """Lines of a file, every cell defused."""
    written = io.StringIO()
    csv.writer(written).writerows([defused(cell) for cell in row] for row in rows)
    return written.getvalue()


def last_line_of_a_broken_file() -> str:
    return as_csv([(_("This file is incomplete because the database stopped answering. Export it again."),)])


def csv_file(name: str, header: Sequence[Any], rows: Iterable[Sequence[Any]]) -> HttpResponse:
    """An attachment, in UTF-8 with the mark that Excel needs, kept by no cache."""
    response = HttpResponse(BOM + as_csv([header, *rows]), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    response.headers["Cache-Control"] = "no-store, private"
    return response
