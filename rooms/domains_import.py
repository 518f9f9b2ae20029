"""Domains from a file or pasted: a list of them, of addresses, or a CSV with a column of either."""

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

# How a column is called that holds them.
_COLUMN_NAMES = re.compile(r"\b(?:domains?|dominios?|e-?mails?|correos?|address(?:es)?|direccion(?:es)?)\b")


@dataclass(frozen=True)
class Problem:
    """A line that cannot be read."""

    number: int
    text: str
    reason: str


@dataclass
class ParsedDomains:
    """What a text says: domains, each once in the order found, and the lines that say nothing."""

    names: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def parse_text(text: str) -> ParsedDomains:
    lines, separator = lines_of(text)
    found = ParsedDomains()
    column = _column(lines[0][1], separator) if lines else None
    for number, line in lines[1:] if column is not None else lines:
        try:
            names = [parse_domain(each) for each in _cells(line, separator, column)]
        except BadDomain as problem:
            found.problems.append(Problem(number, line.strip(), str(problem)))
        else:
            for name in names:
                found.names.setdefault(to_ascii(name), name)
    return found


def parse_names(text: str) -> dict[str, str]:
    """What was read before, as a page keeps it."""
    return parse_text("\n".join(split_domains(text))).names


def _column(header: str, separator: str) -> int | None:
    """Which column holds them; none where the first line is one of them already."""
    cells = cells_of(header[:2_000], separator) or []
    columns = [place for place, cell in enumerate(cells) if _COLUMN_NAMES.search(folded(cell)) and "@" not in cell]
    return columns[0] if columns and not any("." in cell for cell in cells) else None


def _cells(line: str, separator: str, column: int | None) -> list[str]:
    """What of a line is a domain, or ends in one."""
    # Without a quotation mark there is nothing to understand, and no line is too long.
    cells = cells_of(line, separator) if '"' in line else line.split(separator)
    if cells is None:
        raise BadDomain(_("A quotation mark is not closed."))
    # A spreadsheet does not calculate what begins with an apostrophe.
    texts = [cell.strip().removeprefix("'") for cell in cells]
    if column is not None:
        texts = texts[column : column + 1]
    elif any("@" in text for text in texts):
        texts = [text for text in texts if "@" in text]
    found = [each for text in texts for each in split_domains(text)]
    if not found:
        raise BadDomain(_("There is no domain in it."))
    return found


@dataclass(frozen=True)
class ImportPlan:
    """What saving would do to the list as it stands."""

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


def problem_lines(problems: Sequence[Problem]) -> str:
    """What cannot be read, to be mended in the field it came from."""
    return "\n".join(each.text for each in problems)
