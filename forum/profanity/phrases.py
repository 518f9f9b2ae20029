"""Phrases of which a word is disguised: «hijo de p.u.t.a» is worse than its last word."""

from __future__ import annotations

from collections.abc import Callable

from forum.profanity.entries import Entry, Found

Search = Callable[[str], list[tuple[int, int, int]]]


def find_around(
    disguised: list[Found], spaced: str, search: Search, meanings: list[tuple[str, Entry | None]]
) -> list[Found]:
    """The phrases that are there once what was disguised is read as the word it stands for."""
    line, begins, ends = _read_plainly(disguised, spaced)
    found: list[Found] = []
    for at, start, end in search(line):
        entry = meanings[at][1]
        if entry and entry.phrase:
            around = 0 if entry.inside else 1
            found.append((begins[start + around], ends[end - 1 - around], entry))
    return found


def _read_plainly(disguised: list[Found], spaced: str) -> tuple[str, list[int], list[int]]:
    """The text with those words written plainly and single spaces; of each letter, where what it stands for is."""
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

    # The line of spaces and words begins with a space that the text does not have.
    at = 0
    for start, end, entry in sorted(disguised, key=lambda each: each[:2]):
        if start + 1 >= at:
            write(spaced[at : start + 1], at - 1)
            write(entry.folded, start, end)
            at = end + 1
    write(spaced[at:], at - 1)
    return "".join(letters), begins, ends
