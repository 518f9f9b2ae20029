"""Parses imported words: a list, a CSV file, or JSON in the format of the config."""

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
from forum.word_rules import InvalidWord, clean_word

COLUMNS = {
    "word": {"word", "words", "palabra", "palabras", "term", "termino"},
    "severity": {"severity", "severidad", "gravedad", "level", "nivel"},
    "matching": {"matching", "match", "coincidencia"},
}
ORDER = ("word", "severity", "matching")
# The spellings that are accepted, without case and accents.
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
# In the severity column: an allowed word.
ALLOWED_LABELS = {"allowed", "permitida", "permitido"}


@dataclass
class ParsedWords:
    """The entries in a file, and the errors by line."""

    entries: dict[str, Any] = field(default_factory=dict)
    problems: list[tuple[int, str]] = field(default_factory=list)


def parse(text: str) -> ParsedWords:
    if not text.strip():
        raise Refused(gettext_lazy("The file is empty. Enter one word per line, or choose an exported file."))
    return _from_json(text) if text.lstrip()[:1] in "{[" else _from_lines(text)


def _from_lines(text: str) -> ParsedWords:
    lines, separator = lines_of(text)
    parsed = ParsedWords()
    columns = _columns(lines[0][1], separator) if lines else None
    for number, line in lines[1:] if columns else lines:
        try:
            name, value = _entry(line, separator, columns or dict(enumerate(ORDER)))
        except InvalidWord as problem:
            parsed.problems.append((number, str(problem)))
        else:
            parsed.entries[name] = value
    return parsed


def _columns(header: str, separator: str) -> dict[int, str] | None:
    """The meaning of each column; None where the first line is not a header."""
    names = [folded(cell) for cell in cells_of(header, separator) or []]
    found = {place: column for place, name in enumerate(names) for column, known in COLUMNS.items() if name in known}
    return found if "word" in found.values() else None


def _entry(line: str, separator: str, columns: dict[int, str]) -> tuple[str, Any]:
    cells = cells_of(line, separator)
    if cells is None:
        raise InvalidWord(_("A quotation mark is missing."))
    row = {column: cells[place].strip() for place, column in columns.items() if place < len(cells)}
    return _parse_entry(row.get("word", "").removeprefix("'"), row.get("severity", ""), row.get("matching", ""))


def _parse_entry(word: str, severity: str, matching: str) -> tuple[str, Any]:
    """The name and value of an entry."""
    text = clean_word(word)
    if folded(severity) in ALLOWED_LABELS:
        return allowed_entry(text), True
    if folded(severity) not in SEVERITIES:
        raise InvalidWord(_("“%(text)s” is not a severity. Use high, medium or low.") % {"text": severity[:40]})
    if folded(matching) not in MATCHINGS:
        raise InvalidWord(_("“%(text)s” is not a type of match. Use whole or inside.") % {"text": matching[:40]})
    entry = Word(text, SEVERITIES[folded(severity)], MATCHINGS[folded(matching)])
    return word_entry(text), value_of(entry)


def _from_json(text: str) -> ParsedWords:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise Refused(_("The JSON is not valid: line %(line)s.") % {"line": line}) from error
    if isinstance(body, list):
        body = {"blacklist": body}
    if not isinstance(body, dict) or not any(isinstance(body.get(name), list) for name in ("blacklist", "allowlist")):
        raise Refused(gettext_lazy("The JSON has no list named “blacklist”."))
    parsed = ParsedWords()
    for number, (word, severity, matching) in enumerate(_words_of(body), 1):
        try:
            name, value = _parse_entry(word, severity, matching)
        except InvalidWord as problem:
            parsed.problems.append((number, str(problem)))
        else:
            parsed.entries[name] = value
    if "autoModerationThreshold" in body:
        parsed.entries[THRESHOLD] = FilterConfig.from_body(body).threshold
    return parsed


def _words_of(body: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Word, severity and matching of both lists. Members that are no texts are skipped."""
    maps = [body[name] if isinstance(body.get(name), dict) else {} for name in ("severity", "matching")]
    for word in body.get("blacklist") or []:
        if isinstance(word, str):
            severity, matching = ("" if each.get(word) is None else str(each[word]) for each in maps)
            yield word, severity, matching
    for word in body.get("allowlist") or []:
        if isinstance(word, str):
            yield word, "allowed", ""
