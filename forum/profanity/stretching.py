"""Letters written more often than the word has them: putaaa, ppuuttaa, fuuuck.

Three or more of a letter are a stretch of any word that has at least one. Two are a stretch of one only where no word
of Spanish or English doubles that letter: perro is not pero, penne not pene, rapper not raper, but putaa is puta. One
is never a stretch of two: as is not ass.
"""

from __future__ import annotations

from collections.abc import Iterator

from forum.profanity.entries import Entry

LETTERS = "abcdefghijklmnopqrstuvwxyzñ"
# Letters that words do not double.
NEVER_DOUBLE = frozenset("ahijkquvwxyñ")
# Nor these at the end of longer words: putoo is puto, but hoee may be anything.
NEVER_DOUBLE_LAST = frozenset("eo")
LONG = 4

STRETCHED = tuple(letter * (2 if letter in NEVER_DOUBLE else 3) for letter in LETTERS)


def may_double(letter: str, last: bool, length: int) -> bool:
    """Whether two of the letter are a stretch of one."""
    return letter in NEVER_DOUBLE or (last and length >= LONG and letter in NEVER_DOUBLE_LAST)


def doubled_endings(entry: Entry) -> Iterator[str]:
    """What is plain enough to be looked for as it is, since too many texts have such an end to look closer at each."""
    last, folded = entry.folded[-1], entry.folded
    if last in NEVER_DOUBLE_LAST and folded[-2:-1] != last and len(folded.rsplit(" ", 1)[-1]) >= LONG:
        yield folded + last if entry.inside else f" {folded}{last} "
