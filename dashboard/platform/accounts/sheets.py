"""Reads people from a CSV file: finds the columns and splits the lines."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from dashboard.core.errors import Refused
from dashboard.core.names import folded
from dashboard.web.sheets import cells_of, lines_of

MAX_LINES = 2_000

COLUMNS = {
    "email": {"email", "e-mail", "mail", "email address", "e-mail address", "correo", "correo electronico"},
    "name": {"name", "full name", "nombre", "nombre completo", "nombre y apellido"},
    "role": {"role", "rol"},
}
# The order of the columns in a file without a header.
ORDER = ("email", "name", "role")


@dataclass(frozen=True)
class SheetRow:
    """A line of the file: its number and its cells by column; `broken` if it cannot be read."""

    number: int
    text: str
    cells: dict[str, str]
    broken: bool = False


def parse_rows(text: str) -> list[SheetRow]:
    """The lines below the header. An unclosed quote breaks only its own line."""
    lines, separator = lines_of(text)
    if not lines:
        raise Refused(_("The file is empty. The first line names the columns; each line below is one person."))
    columns = _columns(lines[0][1], separator)
    if columns is None:
        columns = dict(enumerate(ORDER))
    else:
        lines = lines[1:]
    if not lines:
        raise Refused(_("The file has only a header."))
    if len(lines) > MAX_LINES:
        text = ngettext("The file has %(count)s line", "The file has %(count)s lines", len(lines)) % {
            "count": len(lines)
        }
        raise Refused(_("%(text)s. The maximum is 2,000: split it into several files.") % {"text": text})
    return [_row(number, line, separator, columns) for number, line in lines]


def _columns(header: str, separator: str) -> dict[int, str] | None:
    """The columns by position; None if the first line is not a header."""
    found: dict[int, str] = {}
    for position, cell in enumerate(cells_of(header, separator) or []):
        column = next((name for name, words in COLUMNS.items() if folded(cell) in words), None)
        if column is not None and column not in found.values():
            found[position] = column
    if "email" in found.values():
        return found
    if "@" in header:
        return None
    raise Refused(_("The first line must name the columns: email, name, role. There is no column called email."))


def _row(number: int, line: str, separator: str, columns: dict[int, str]) -> SheetRow:
    cells = cells_of(line, separator)
    if cells is None:
        return SheetRow(number, line, {}, broken=True)
    return SheetRow(
        number, line, {name: cells[position].strip() for position, name in columns.items() if position < len(cells)}
    )
