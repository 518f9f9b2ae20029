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
from forum.configs.profanity import THRESHOLD
from forum.profanity import FilterConfig
from forum.word_columns import ORDER, WordColumns, find_columns, split_words
from forum.word_rules import InvalidWord, match_key

HEADERS = {
    "word": {"word", "words", "palabra", "palabras", "term", "termino"},
    "severity": {"severity", "severidad", "gravedad", "level", "nivel"},
    "matching": {"matching", "match", "coincidencia"},
}


@dataclass(frozen=True)
class RepeatedWord:
    """A word that a file has more than once. Its last line counts."""

    text: str
    lines: list[int]


@dataclass
class ParsedWords:
    """The entries in a file, the errors by line, and the lines of each word."""

    entries: dict[str, Any] = field(default_factory=dict)
    problems: list[tuple[int, str]] = field(default_factory=list)
    # Whether a line with an error may be a list of words.
    has_lists: bool = False
    _lines: dict[tuple[str, str], list[tuple[int, str]]] = field(default_factory=dict)

    @property
    def repeated(self) -> list[RepeatedWord]:
        found = (lines for lines in self._lines.values() if len(lines) > 1)
        return [RepeatedWord(lines[0][1], [number for number, _text in lines]) for lines in found]

    def add(self, number: int, columns: WordColumns) -> None:
        """Add the word of a line, or its error."""
        try:
            name, value = columns.to_entry()
        except InvalidWord as problem:
            self.problems.append((number, str(problem)))
            return
        self.entries[name] = value
        prefix, _sign, text = name.partition(":")
        self._lines.setdefault((prefix, match_key(text)), []).append((number, text))


def parse(text: str, *, split: bool = False) -> ParsedWords:
    """`split` reads a line such as `one, two` as several words."""
    if not text.strip():
        raise Refused(gettext_lazy("The file is empty. Enter one word per line, or choose an exported file."))
    return _from_json(text) if text.lstrip()[:1] in "{[" else _from_lines(text, split=split)


def _from_lines(text: str, *, split: bool) -> ParsedWords:
    lines, separator = lines_of(text)
    header = _header(lines[0][1], separator) if lines else None
    parsed = ParsedWords()
    for number, line in lines[1:] if header else lines:
        if cells_of(line, separator) is None:
            parsed.problems.append((number, _("A quotation mark is missing.")))
        # A header with several columns names them. Without one, each line may have its own separator.
        elif header and len(header) > 1:
            parsed.add(number, _named_columns(line, separator, header))
        else:
            _add_line(parsed, number, line, separator, split=split)
    return parsed


def _header(line: str, separator: str) -> dict[int, str] | None:
    """The meaning of each column; None where the first line is not a header."""
    names = [folded(cell) for cell in cells_of(line, separator) or []]
    found = {place: column for place, name in enumerate(names) for column, known in HEADERS.items() if name in known}
    return found if "word" in found.values() else None


def _named_columns(line: str, separator: str, header: dict[int, str]) -> WordColumns:
    cells = cells_of(line, separator) or []
    row = {column: cells[place].strip() for place, column in header.items() if place < len(cells)}
    return _columns(row.get("word", ""), row.get("severity", ""), row.get("matching", ""))


def _add_line(parsed: ParsedWords, number: int, line: str, separator: str, *, split: bool) -> None:
    columns = find_columns(line)
    words = [] if columns or line.lstrip().startswith('"') else split_words(line)
    if columns:
        parsed.add(number, _columns(columns.word, columns.severity, columns.matching))
    elif len(words) == 1 or (split and words):
        for word in words:
            parsed.add(number, _columns(word))
    elif words:
        parsed.has_lists = True
        text = _("%(count)s words in one line, or “%(text)s” is not a severity.")
        parsed.problems.append((number, text % {"count": len(words), "text": words[1][:40]}))
    else:
        cells = [cell.strip() for cell in cells_of(line, separator) or []]
        parsed.add(number, _columns(*cells[: len(ORDER)]))


def _columns(word: str, severity: str = "", matching: str = "") -> WordColumns:
    """An exported file has an apostrophe before a word that a spreadsheet would execute."""
    return WordColumns(word.removeprefix("'"), severity, matching)


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
    for number, columns in enumerate(_words_of(body), 1):
        parsed.add(number, columns)
    if "autoModerationThreshold" in body:
        parsed.entries[THRESHOLD] = FilterConfig.from_body(body).threshold
    return parsed


def _words_of(body: dict[str, Any]) -> Iterator[WordColumns]:
    """The columns of both lists. Members that are no texts are skipped."""
    maps = [body[name] if isinstance(body.get(name), dict) else {} for name in ("severity", "matching")]
    for word in body.get("blacklist") or []:
        if isinstance(word, str):
            severity, matching = ("" if each.get(word) is None else str(each[word]) for each in maps)
            yield WordColumns(word, severity, matching)
    for word in body.get("allowlist") or []:
        if isinstance(word, str):
            yield WordColumns(word, "allowed")
