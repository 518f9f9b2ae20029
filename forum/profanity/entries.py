"""The entries of a list as the matcher compiles them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from forum.profanity.folding import fold_word
from forum.profanity.types import Matching, Severity, Word

# Of two entries that read the same, the one of the lower rank counts.
ALLOWED = 0
RANKS = {Severity.HIGH: 1, Severity.MEDIUM: 2, Severity.LOW: 3}


@dataclass(frozen=True, slots=True)
class Entry:
    """A word of the list or an allowed one, folded."""

    word: str
    folded: str
    severity: Severity
    inside: bool
    rank: int
    phrase: bool

    @property
    def pattern(self) -> str:
        return self.folded if self.inside else f" {self.folded} "


# Where an entry was read, in the text it was looked for in.
Found = tuple[int, int, Entry]


def entries_of(words: Iterable[Word], allowed: Iterable[str]) -> list[Entry]:
    """One entry for each reading: what is allowed as a whole is no word, and the worst of several counts."""
    let_through = {folded: text for text in allowed if (folded := fold_word(text))}
    entries = {
        (folded, False): Entry(text, folded, Severity.LOW, False, ALLOWED, " " in folded)
        for folded, text in let_through.items()
    }
    for word in words:
        folded, rank = fold_word(word.text), RANKS[word.severity]
        key = folded, word.matching is Matching.INSIDE
        known = entries.get(key)
        if folded and (known is None or rank < known.rank):
            entries[key] = Entry(word.text, folded, word.severity, key[1], rank, " " in folded)
    return list(entries.values())
