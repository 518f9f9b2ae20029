"""Parsing of imported domains: a list of domains or addresses, or a CSV file with a column of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from dashboard.core.names import folded
from dashboard.platform.event.domains import to_ascii
from dashboard.web.sheets import cells_of, lines_of
from rooms.domains import BadDomain, parse_domain, split_domains
from rooms.queries.domains import AllowedDomains

# Names of the column that holds the domains.
_COLUMN_NAMES = re.compile(r"\b(?:domains?|dominios?|e-?mails?|correos?|address(?:es)?|direccion(?:es)?)\b")


@dataclass(frozen=True)
class UnreadableLine:
    """A line that cannot be read."""

    number: int
    text: str
    reason: str


@dataclass
class ParsedDomains:
    """The domains of a text by their ASCII form, in order, and the lines that cannot be read."""

    names: dict[str, str] = field(default_factory=dict)
    problems: list[UnreadableLine] = field(default_factory=list)


def parse_text(text: str) -> ParsedDomains:
    lines, separator = lines_of(text)
    found = ParsedDomains()
    column = _column(lines[0][1], separator) if lines else None
    for number, line in lines[1:] if column is not None else lines:
        try:
            names = [parse_domain(each) for each in _cells(line, separator, column)]
        except BadDomain as problem:
            found.problems.append(UnreadableLine(number, line.strip(), str(problem)))
        else:
            for name in names:
                found.names.setdefault(to_ascii(name), name)
    return found


def parse_names(text: str) -> dict[str, str]:
    """The names that an earlier preview sent along."""
    return parse_text("\n".join(split_domains(text))).names


def _column(header: str, separator: str) -> int | None:
    """The column that holds the domains; None if the first line is no header."""
    cells = cells_of(header[:2_000], separator) or []
    columns = [place for place, cell in enumerate(cells) if _COLUMN_NAMES.search(folded(cell)) and "@" not in cell]
    return columns[0] if columns and not any("." in cell for cell in cells) else None


def _cells(line: str, separator: str, column: int | None) -> list[str]:
    """The domains and addresses in a line."""
    # A line without quotation marks needs no CSV parser and may be of any length.
    cells = cells_of(line, separator) if '"' in line else line.split(separator)
    if cells is None:
        raise BadDomain(_("A quotation mark is missing."))
    # Spreadsheets put an apostrophe in front of text that looks like a formula.
    texts = [cell.strip().removeprefix("'") for cell in cells]
    if column is not None:
        texts = texts[column : column + 1]
    elif any("@" in text for text in texts):
        texts = [text for text in texts if "@" in text]
    found = [each for text in texts for each in split_domains(text)]
    if not found:
        raise BadDomain(_("No domain found."))
    return found


@dataclass(frozen=True)
class ImportPlan:
    """The changes that saving makes to the list."""

    new: list[str]
    unchanged: list[str]
    removed: list[str]

    @classmethod
    def of(cls, allowed: AllowedDomains, names: dict[str, str], *, replace: bool) -> ImportPlan:
        listed = allowed.whitelist.names
        return cls(
            sorted(name for plain, name in names.items() if plain not in listed),
            sorted(name for plain, name in listed.items() if plain in names),
            sorted(name for plain, name in listed.items() if plain not in names) if replace and names else [],
        )

    @property
    def is_empty(self) -> bool:
        return not self.new and not self.removed


def problem_lines(problems: Sequence[UnreadableLine]) -> str:
    """The lines that cannot be read, for correction in the text field."""
    return "\n".join(each.text for each in problems)
