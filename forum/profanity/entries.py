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

    @property
    def pattern(self) -> str:
        return self.folded if self.inside else f" {self.folded} "


# Where an entry was read, in the text it was looked for in.
Found = tuple[int, int, Entry]


def entries_of(words: Iterable[Word], allowed: Iterable[str]) -> list[Entry]:
    """One entry for each reading: what is allowed as a whole is no word, the worst of several counts, and inside."""
    by_form: dict[str, Entry] = {}
    for text in allowed:
        if folded := fold_word(text):
            by_form.setdefault(folded, Entry(text, folded, Severity.LOW, False, ALLOWED))
    let_through = set(by_form)
    entries = list(by_form.values())
    by_form.clear()
    for word in words:
        folded = fold_word(word.text)
        inside = word.matching is Matching.INSIDE
        if not folded or (folded in let_through and not inside):
            continue
        entry = Entry(word.text, folded, word.severity, inside, RANKS[word.severity])
        known = by_form.get(folded)
        if known is None or (entry.rank, not inside) < (known.rank, not known.inside):
            by_form[folded] = entry
    return entries + list(by_form.values())
