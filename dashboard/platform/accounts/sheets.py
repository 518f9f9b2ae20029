"""People in a table of text, as a spreadsheet saves it: which columns, line by line."""

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
# Without a header the columns stand in this order.
ORDER = ("email", "name", "role")


@dataclass(frozen=True)
class SheetRow:
    """A line of the file: its number, its cells by column, or that it cannot be read."""

    number: int
    text: str
    cells: dict[str, str]
    broken: bool = False


def rows_of(text: str) -> list[SheetRow]:
    """The lines below the header. A quote that is not closed spoils its own line only: names hold no line breaks."""
    lines, separator = lines_of(text)
    if not lines:
        raise Refused(_("There is nothing in it: the first line names the columns, then one line a person."))
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


def _columns(header: str, separator: str) -> dict[int, str] | None:
    """Which column is what; none where the first line is a person already."""
    found: dict[int, str] = {}
    for place, cell in enumerate(cells_of(header, separator) or []):
        column = next((name for name, words in COLUMNS.items() if folded(cell) in words), None)
        if column is not None and column not in found.values():
            found[place] = column
    if "email" in found.values():
        return found
    if "@" in header:
        return None
    raise Refused(_("The first line has to name the columns: email, name, role. No column is called email."))


def _row(number: int, line: str, separator: str, columns: dict[int, str]) -> SheetRow:
    cells = cells_of(line, separator)
    if cells is None:
        return SheetRow(number, line, {}, broken=True)
    return SheetRow(number, line, {name: cells[place].strip() for place, name in columns.items() if place < len(cells)})
