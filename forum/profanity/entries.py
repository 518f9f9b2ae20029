"""The entries of a list, prepared for the matcher."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from forum.profanity.normalization import normalize_word
from forum.profanity.types import Matching, Severity, Word

# Of two entries with the same normalized text, the one with the lower rank counts.
ALLOWED = 0
RANKS = {Severity.HIGH: 1, Severity.MEDIUM: 2, Severity.LOW: 3}


@dataclass(frozen=True, slots=True)
class FilterEntry:
    """A word of the list or an allowed word, normalized."""

    word: str
    normalized: str
    severity: Severity
    inside: bool
    rank: int
    phrase: bool

    @property
    def pattern(self) -> str:
        return self.normalized if self.inside else f" {self.normalized} "


# Start, end and entry of a match in the normalized text.
EntryMatch = tuple[int, int, FilterEntry]


def entries_of(words: Iterable[Word], allowed: Iterable[str]) -> list[FilterEntry]:
    """One entry per normalized text: an allowed word wins over a word, and the most severe of several words counts."""
    allowed_by_key = {normalized: text for text in allowed if (normalized := normalize_word(text))}
    entries = {
        (normalized, False): FilterEntry(text, normalized, Severity.LOW, False, ALLOWED, " " in normalized)
        for normalized, text in allowed_by_key.items()
    }
    for word in words:
        normalized, rank = normalize_word(word.text), RANKS[word.severity]
        key = normalized, word.matching is Matching.INSIDE
        known = entries.get(key)
        if normalized and (known is None or rank < known.rank):
            entries[key] = FilterEntry(word.text, normalized, word.severity, key[1], rank, " " in normalized)
    return list(entries.values())
