"""Tables to take along: CSV that a spreadsheet opens as it is, and runs nothing of."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpResponse

# What begins so is a formula to a spreadsheet: at the start of a cell, and after whatever the reader's country takes
# for the end of one.
_FORMULA = re.compile(r"(^|[;,\t\r\n|])( *)(?=[=+\-@\t\r\n＝＋－＠])")


def defused(value: Any) -> str:
    """A cell as text: an apostrophe before what a spreadsheet would carry out."""
    text = "" if value is None else str(value)
    return _FORMULA.sub(r"\1\2'", text)


def csv_file(name: str, header: Sequence[Any], rows: Iterable[Sequence[Any]]) -> HttpResponse:
    """An attachment, in UTF-8 with the mark that Excel needs, kept by no cache."""
    written = io.StringIO()
    writer = csv.writer(written)
    for row in [header, *rows]:
        writer.writerow([defused(cell) for cell in row])
    response = HttpResponse("\ufeff" + written.getvalue(), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    response.headers["Cache-Control"] = "no-store, private"
    return response
