"""Words from a file or pasted: a list, a CSV, or JSON in the shape of the config."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.core.errors import Refused
from dashboard.core.names import folded
from dashboard.web.sheets import cells_of, lines_of
from forum.configs.profanity import THRESHOLD, allowed_entry, value_of, word_entry
from forum.profanity import FilterConfig, Matching, Severity, Word
from forum.word_rules import BadWord, tidy

COLUMNS = {
    "word": {"word", "words", "palabra", "palabras", "term", "termino"},
    "severity": {"severity", "severidad", "gravedad", "level", "nivel"},
    "matching": {"matching", "match", "coincidencia"},
}
ORDER = ("word", "severity", "matching")
# How people write them, folded.
SEVERITIES = {
    **dict.fromkeys(("high", "alta", "alto", "grave", "3"), Severity.HIGH),
    **dict.fromkeys(("medium", "media", "medio", "2", ""), Severity.MEDIUM),
    **dict.fromkeys(("low", "baja", "bajo", "leve", "1"), Severity.LOW),
}
MATCHINGS = {
    **dict.fromkeys(("whole", "whole word", "palabra completa", "entera", ""), Matching.WHOLE),
    **dict.fromkeys(
        ("inside", "also inside words", "substring", "dentro", "tambien dentro de palabras"), Matching.INSIDE
    ),
}
# Not a word to find but one to let through.
LET_THROUGH = {"allowed", "permitida", "permitido"}


@dataclass
class Read:
    """What a file says: entries of the config, and what could not be understood, by line."""

    entries: dict[str, Any] = field(default_factory=dict)
    problems: list[tuple[int, str]] = field(default_factory=list)


def read(text: str) -> Read:
    """Whatever of the three it is."""
    if not text.strip():
        raise Refused(gettext_lazy("There is nothing in it: one word a line, or a file that was exported here."))
    return _from_json(text) if text.lstrip()[:1] in "{[" else _from_lines(text)


def _from_lines(text: str) -> Read:
    lines, separator = lines_of(text)
    found = Read()
    columns = _columns(lines[0][1], separator) if lines else None
    for number, line in lines[1:] if columns else lines:
        try:
            name, value = _entry(line, separator, columns or dict(enumerate(ORDER)))
        except BadWord as problem:
            found.problems.append((number, str(problem)))
        else:
            found.entries[name] = value
    return found


def _columns(header: str, separator: str) -> dict[int, str] | None:
    """Which column is what; none where the first line is a word already."""
    names = [folded(cell) for cell in cells_of(header, separator) or []]
    found = {place: column for place, name in enumerate(names) for column, all_ in COLUMNS.items() if name in all_}
    return found if "word" in found.values() else None


def _entry(line: str, separator: str, columns: dict[int, str]) -> tuple[str, Any]:
    cells = cells_of(line, separator)
    if cells is None:
        raise BadWord(_("A quotation mark is not closed."))
    row = {column: cells[place].strip() for place, column in columns.items() if place < len(cells)}
    return _understood(row.get("word", "").removeprefix("'"), row.get("severity", ""), row.get("matching", ""))


def _understood(word: str, severity: str, matching: str) -> tuple[str, Any]:
    """An entry of the list, as somebody has written it."""
    text = tidy(word)
    if folded(severity) in LET_THROUGH:
        return allowed_entry(text), True
    if folded(severity) not in SEVERITIES:
        raise BadWord(_("“%(text)s” is no severity: high, medium or low.") % {"text": severity[:40]})
    if folded(matching) not in MATCHINGS:
        raise BadWord(_("“%(text)s” is no matching: whole or inside.") % {"text": matching[:40]})
    found = Word(text, SEVERITIES[folded(severity)], MATCHINGS[folded(matching)])
    return word_entry(text), value_of(found)


def _from_json(text: str) -> Read:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise Refused(_("This is not JSON that can be read: line %(line)s.") % {"line": line}) from error
    if isinstance(body, list):
        body = {"blacklist": body}
    if not isinstance(body, dict) or not any(isinstance(body.get(name), list) for name in ("blacklist", "allowlist")):
        raise Refused(gettext_lazy("The JSON has no list of words called “blacklist”."))
    found = Read()
    for number, (word, severity, matching) in enumerate(_listed(body), 1):
        try:
            name, value = _understood(word, severity, matching)
        except BadWord as problem:
            found.problems.append((number, str(problem)))
        else:
            found.entries[name] = value
    if "autoModerationThreshold" in body:
        found.entries[THRESHOLD] = FilterConfig.from_body(body).threshold
    return found


def _listed(body: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The words of both lists with what is said of them; what is no text is no word."""
    maps = [body[name] if isinstance(body.get(name), dict) else {} for name in ("severity", "matching")]
    for word in body.get("blacklist") or []:
        if isinstance(word, str):
            severity, matching = ("" if each.get(word) is None else str(each[word]) for each in maps)
            yield word, severity, matching
    for word in body.get("allowlist") or []:
        if isinstance(word, str):
            yield word, "allowed", ""
