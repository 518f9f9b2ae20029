"""Units as people and spreadsheets write them."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

from dashboard.core.errors import Refused

# More digits would not fit into the keys of the indexes.
MAX_UNITS = 999_999_999
# Spreadsheets may write `12,00`. `1.500` is refused: it may mean 1.5 or 1500.
_WHOLE = re.compile(r"([+-]?[0-9]{1,9})(?:[.,]0{1,2})?")


def read_units(text: str, *, negative: bool = False) -> int | None:
    """The whole number that was typed; None for an empty text. Raises Refused."""
    text = text.strip().replace("\u2212", "-")
    if not text:
        return None
    match = _WHOLE.fullmatch(text) if text.isascii() else None
    if match is None:
        raise Refused(_("Enter a whole number of units, such as 12, without thousands separators."))
    number = int(match[1])
    if number < 0 and not negative:
        raise Refused(_("Enter 0 or more units."))
    return number
