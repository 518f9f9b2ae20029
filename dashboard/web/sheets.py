"""Reads CSV files as spreadsheets save them: encoding, separator, lines and cells."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Refused
from dashboard.core.names import folded

MAX_BYTES = 512 * 1024

# The first bytes of files that people mistake for a CSV.
_WORKBOOKS = (b"PK\x03\x04", b"PK\x05\x06", b"\xd0\xcf\x11\xe0")
_BOMS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_LINE_END = re.compile(r"\r\n|\n|\r")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
SEPARATORS = (",", ";", "\t")


@dataclass(frozen=True)
class SheetRow:
    """A line of the file: its number and its cells by column; `broken` if it cannot be read."""

    number: int
    text: str
    cells: dict[str, str]
    broken: bool = False


def decode_text(content: bytes, max_bytes: int = MAX_BYTES) -> str:
    """The text of a file in UTF-8, UTF-16 or a Windows encoding."""
    if len(content) > max_bytes:
        too_large = _("The file is larger than %(size)s. Split it into several files.")
        raise Refused(too_large % {"size": f"{max_bytes // 1024:,} KB"}, field="file")
    if content.startswith(_WORKBOOKS):
        workbook = _("This is a workbook or a zip file, not a CSV. In Excel: Save as, then CSV UTF-8.")
        raise Refused(workbook, field="file")
    text = _decoded(content)
    if text is None or _CONTROL.search(text):
        raise Refused(_("This is not a text file. Upload a CSV file."), field="file")
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
    # Without a byte order mark: in UTF-16, every other byte of Latin letters is zero.
    even, odd = content[0::2].count(0), content[1::2].count(0)
    if max(even, odd) > len(content) // 5:
        yield "utf-16-le" if odd > even else "utf-16-be"
        return
    yield from ("utf-8", "cp1252", "latin-1")


def lines_of(text: str) -> tuple[list[tuple[int, str]], str]:
    """The lines that are not empty with their numbers, and the separator of the cells."""
    lines = [(number, line) for number, line in enumerate(_LINE_END.split(text), 1) if line.strip(" \t,;")]
    stated = re.fullmatch(r"sep=(.)", lines[0][1].strip(" "), re.IGNORECASE) if lines else None
    if stated:
        lines = lines[1:]
    if stated and stated[1] in SEPARATORS:
        return lines, stated[1]
    return lines, separator_of(lines[0][1]) if lines else SEPARATORS[0]


def separator_of(header: str) -> str:
    return max(SEPARATORS, key=header.count)


def cells_of(line: str, separator: str) -> list[str] | None:
    try:
        (cells,) = csv.reader([line], delimiter=separator, strict=True)
    except (csv.Error, ValueError):
        return None
    return cells


def columns_in(header: str, separator: str, names: Mapping[str, Set[str]]) -> dict[int, str]:
    """The columns of a header by position. `names` are the folded names that each column can have."""
    found: dict[int, str] = {}
    for position, cell in enumerate(cells_of(header, separator) or []):
        column = next((name for name, words in names.items() if folded(cell) in words), None)
        if column is not None and column not in found.values():
            found[position] = column
    return found


def row_of(number: int, line: str, separator: str, columns: Mapping[int, str]) -> SheetRow:
    """The cells of a line by column. An unclosed quote breaks only its own line."""
    cells = cells_of(line, separator)
    if cells is None:
        return SheetRow(number, line, {}, broken=True)
    return SheetRow(
        number, line, {name: cells[position].strip() for position, name in columns.items() if position < len(cells)}
    )
