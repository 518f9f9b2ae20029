"""A table of text, as a spreadsheet saves it: which letters, which separator, which columns, line by line."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from dashboard.errors import Refused
from dashboard.names import folded

MAX_BYTES = 512 * 1024
MAX_LINES = 2_000

# How files begin that people take for a CSV.
_WORKBOOKS = (b"PK\x03\x04", b"PK\x05\x06", b"\xd0\xcf\x11\xe0")
_BOMS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_LINE_END = re.compile(r"\r\n|\n|\r")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
SEPARATORS = (",", ";", "\t")

COLUMNS = {
    "email": {"email", "e-mail", "mail", "email address", "e-mail address", "correo", "correo electronico"},
    "name": {"name", "full name", "nombre", "nombre completo", "nombre y apellido"},
    "role": {"role", "rol"},
}
# Without a header the columns stand in this order.
ORDER = ("email", "name", "role")


@dataclass(frozen=True)
class Row:
    """A line of the file: its number, its cells by column, or that it cannot be read."""

    number: int
    text: str
    cells: dict[str, str]
    broken: bool = False


def text_of(content: bytes) -> str:
    """The letters of a file: UTF-8, UTF-16 or what Windows writes; else it is no text."""
    if len(content) > MAX_BYTES:
        raise Refused(_("The file is larger than 512 KB. Split it into several."), field="file")
    if content.startswith(_WORKBOOKS):
        workbook = _("This is a workbook or a zip file, not a CSV. In Excel: Save as, then CSV UTF-8.")
        raise Refused(workbook, field="file")
    text = _decoded(content)
    if text is None or _CONTROL.search(text):
        raise Refused(_("This is not a text file. A CSV is needed, as a spreadsheet saves it."), field="file")
    return text.removeprefix("\ufeff")


def _decoded(content: bytes) -> str | None:
    for encoding in _encodings(content):
        try:
            return content.decode(encoding)
        except UnicodeError:
            continue
    return None


def _encodings(content: bytes) -> Iterator[str]:
    known = next((name for mark, name in _BOMS.items() if content.startswith(mark)), None)
    if known is not None:
        yield known
        return
    # Without a mark, every other byte of our letters is zero in UTF-16.
    even, odd = content[0::2].count(0), content[1::2].count(0)
    if max(even, odd) > len(content) // 5:
        yield "utf-16-le" if odd > even else "utf-16-be"
        return
    yield from ("utf-8", "cp1252", "latin-1")


def rows_of(text: str) -> list[Row]:
    """The lines below the header. A quote that is not closed spoils its own line only: names hold no line breaks."""
    lines = [(number, line) for number, line in enumerate(_LINE_END.split(text), 1) if line.strip(" \t,;")]
    stated = re.fullmatch(r"sep=(.)", lines[0][1].strip(" "), re.IGNORECASE) if lines else None
    if stated:
        lines = lines[1:]
    if not lines:
        raise Refused(_("There is nothing in it: the first line names the columns, then one line a person."))
    separator = stated[1] if stated and stated[1] in SEPARATORS else _separator(lines[0][1])
    columns = _columns(lines[0][1], separator)
    if columns is None:
        columns = dict(enumerate(ORDER))
    else:
        lines = lines[1:]
    if not lines:
        raise Refused(_("There is a header and no line below it."))
    if len(lines) > MAX_LINES:
        text = ngettext("It has %(count)s line", "It has %(count)s lines", len(lines)) % {"count": len(lines)}
        raise Refused(_("%(text)s; 2,000 fit at the most. Split it into several.") % {"text": text})
    return [_row(number, line, separator, columns) for number, line in lines]


def _separator(header: str) -> str:
    return max(SEPARATORS, key=header.count)


def _cells(line: str, separator: str) -> list[str] | None:
    try:
        (cells,) = csv.reader([line], delimiter=separator, strict=True)
    except (csv.Error, ValueError):
        return None
    return cells


def _columns(header: str, separator: str) -> dict[int, str] | None:
    """Which column is what; none where the first line is a person already."""
    found: dict[int, str] = {}
    for place, cell in enumerate(_cells(header, separator) or []):
        column = next((name for name, words in COLUMNS.items() if folded(cell) in words), None)
        if column is not None and column not in found.values():
            found[place] = column
    if "email" in found.values():
        return found
    if "@" in header:
        return None
    raise Refused(_("The first line has to name the columns: email, name, role. No column is called email."))


def _row(number: int, line: str, separator: str, columns: dict[int, str]) -> Row:
    cells = _cells(line, separator)
    if cells is None:
        return Row(number, line, {}, broken=True)
    return Row(number, line, {name: cells[place].strip() for place, name in columns.items() if place < len(cells)})
