"""Parses a line with a word: its columns for severity and matching, or several words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from dashboard.core.names import folded
from dashboard.web.sheets import SEPARATORS, cells_of
from forum.configs.profanity import allowed_entry, value_of, word_entry
from forum.profanity import Matching, Severity, Word
from forum.word_rules import InvalidWord, clean_word

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


@dataclass(frozen=True)
class WordColumns:
    """The cells of a line, as texts."""

    word: str
    severity: str = ""
    matching: str = ""

    @property
    def is_allowed(self) -> bool:
        return folded(self.severity) in ALLOWED_LABELS

    def to_entry(self) -> tuple[str, Any]:
        """The name and value of the entry."""
        text = clean_word(self.word)
        if self.is_allowed:
            return allowed_entry(text), True
        word = Word(text, self.parse_severity(), self.parse_matching())
        return word_entry(text), value_of(word)

    def parse_severity(self) -> Severity:
        severity = SEVERITIES.get(folded(self.severity))
        if severity is None:
            text = _("“%(text)s” is not a severity. Use high, medium or low.")
            raise InvalidWord(text % {"text": self.severity[:40]})
        return severity

    def parse_matching(self) -> Matching:
        matching = MATCHINGS.get(folded(self.matching))
        if matching is None:
            text = _("“%(text)s” is not a type of match. Use whole or inside.")
            raise InvalidWord(text % {"text": self.matching[:40]})
        return matching


def find_columns(line: str) -> WordColumns | None:
    """The columns of a line without a header: `word;high;whole`. None where the cells are something else."""
    for separator in SEPARATORS:
        cells = [cell.strip() for cell in cells_of(line, separator) or []]
        if 2 <= len(cells) <= len(ORDER) and any(cells[1:]) and _are_columns(*cells[1:]):
            return WordColumns(*cells)
    return None


def _are_columns(severity: str, matching: str = "") -> bool:
    return folded(severity) in {*SEVERITIES, *ALLOWED_LABELS} and folded(matching) in MATCHINGS


def split_words(line: str) -> list[str]:
    """The words of a line that may be a list of words, `one, two`. The line itself where it has no separator."""
    separator = next((each for each in SEPARATORS if each in line), None)
    words = [word.strip() for word in line.split(separator)] if separator else [line]
    return list(dict.fromkeys(word for word in words if word))
