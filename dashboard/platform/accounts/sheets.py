"""Reads people from a CSV file: finds the columns and splits the lines."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from dashboard.core.errors import Refused
from dashboard.web.sheets import SheetRow, columns_in, lines_of, row_of

MAX_LINES = 2_000

COLUMNS = {
    "email": {"email", "e-mail", "mail", "email address", "e-mail address", "correo", "correo electronico"},
    "name": {"name", "full name", "nombre", "nombre completo", "nombre y apellido"},
    "role": {"role", "rol"},
}
# The order of the columns in a file without a header.
ORDER = ("email", "name", "role")


def parse_rows(text: str) -> list[SheetRow]:
    """The lines below the header."""
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
    return [row_of(number, line, separator, columns) for number, line in lines]


def _columns(header: str, separator: str) -> dict[int, str] | None:
    """The columns by position; None if the first line is not a header."""
    found = columns_in(header, separator, COLUMNS)
    if "email" in found.values():
        return found
    if "@" in header:
        return None
    raise Refused(_("The first line must name the columns: email, name, role. There is no column called email."))
