"""Phrases with an obfuscated word: «hijo de p.u.t.a» is worse than its last word."""

from __future__ import annotations

from collections.abc import Callable

from forum.profanity.entries import EntryMatch, FilterEntry

Search = Callable[[str], list[tuple[int, int, int]]]


def find_around(
    obfuscated: list[EntryMatch], spaced: str, search: Search, patterns: list[tuple[str, FilterEntry | None]]
) -> list[EntryMatch]:
    """The phrases that the text has if the obfuscated words are replaced by the words they stand for."""
    line, begins, ends = _deobfuscate(obfuscated, spaced)
    found: list[EntryMatch] = []
    for at, start, end in search(line):
        entry = patterns[at][1]
        if entry and entry.phrase:
            around = 0 if entry.inside else 1
            found.append((begins[start + around], ends[end - 1 - around], entry))
    return found


def _deobfuscate(obfuscated: list[EntryMatch], spaced: str) -> tuple[str, list[int], list[int]]:
    """The text with plain words and single spaces; for each letter the start and end of its original."""
    letters: list[str] = []
    begins: list[int] = []
    ends: list[int] = []

    def write(text: str, begin: int, end: int | None = None) -> None:
        for place, letter in enumerate(text, begin):
            if letter == " " and letters and letters[-1] == " ":
                continue
            letters.append(letter)
            begins.append(place if end is None else begin)
            ends.append(place + 1 if end is None else end)

    # `spaced` begins with a space that the text does not have.
    at = 0
    for start, end, entry in sorted(obfuscated, key=lambda each: each[:2]):
        if start + 1 >= at:
            write(spaced[at : start + 1], at - 1)
            write(entry.normalized, start, end)
            at = end + 1
    write(spaced[at:], at - 1)
    return "".join(letters), begins, ends
