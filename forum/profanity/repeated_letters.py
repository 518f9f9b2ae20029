"""Words with repeated letters: putaaa, ppuuttaa, fuuuck.

Three or more of a letter match a word that has at least one. Two match a word that has one only if no Spanish or
English word doubles that letter: perro is not pero, penne not pene, rapper not raper, but putaa is puta. One never
matches a word that has two: as is not ass.
"""

from __future__ import annotations

from collections.abc import Iterator

from forum.profanity.entries import FilterEntry

LETTERS = "abcdefghijklmnopqrstuvwxyzñ"
# Letters that no word doubles.
NEVER_DOUBLE = frozenset("ahijkquvwxyñ")
# Letters that no longer word doubles at its end: putoo is puto, but hoee may be anything.
NEVER_DOUBLE_LAST = frozenset("eo")
LONG_WORD = 4

REPEATED = tuple(letter * (2 if letter in NEVER_DOUBLE else 3) for letter in LETTERS)


def may_double(letter: str, last: bool, length: int) -> bool:
    """Whether two of the letter match one."""
    return letter in NEVER_DOUBLE or (last and length >= LONG_WORD and letter in NEVER_DOUBLE_LAST)


def doubled_endings(entry: FilterEntry) -> Iterator[str]:
    """Patterns with a doubled last letter. They are searched directly: such endings are too frequent to be hints."""
    last, normalized = entry.normalized[-1], entry.normalized
    if last in NEVER_DOUBLE_LAST and normalized[-2:-1] != last and len(normalized.rsplit(" ", 1)[-1]) >= LONG_WORD:
        yield normalized + last if entry.inside else f" {normalized}{last} "
