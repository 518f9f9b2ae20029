"""Finds a list's words in a text: one pass for what is written plainly, a second one where something is disguised.

The text is read as words divided by single spaces, so that " puta " is a whole word and "puta" one inside others, and
one automaton finds all words of the list at once. It also finds what only a closer look can read: letters repeated as
no word has them. The closer look is in `disguises`; most texts need none.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property

from ahocorasick_rs import AhoCorasick

from forum.profanity.disguises import MAY_HIDE, SPELLED, Disguises
from forum.profanity.entries import ALLOWED, Entry, entries_of
from forum.profanity.folding import LITERAL, NOTHING, SEVERAL, WORDS, has_symbols, is_word, unravel
from forum.profanity.skipping import without_addresses
from forum.profanity.stretching import STRETCHED, doubled_endings
from forum.profanity.types import Match, Word

# What drops and touches a word is inside it; elsewhere (after an emoji) it is as good as a space.
TOUCHES = re.compile(f"[^ {NOTHING}]{NOTHING}|{NOTHING}[^ {NOTHING}]")

# Where an entry was read, in the text it was looked for in.
Found = tuple[int, int, Entry]


class Matcher:
    """A list, compiled."""

    def __init__(self, words: Iterable[Word], allowed: Iterable[str] = ()) -> None:
        entries = entries_of(words, allowed)
        self._plain = [entry for entry in entries if not has_symbols(entry.folded)]
        self._symbols = [entry for entry in entries if has_symbols(entry.folded)]
        patterns: dict[str, Entry | None] = dict.fromkeys(STRETCHED)
        for entry in self._plain:
            patterns[entry.pattern] = entry
        for entry in self._plain:
            for pattern in doubled_endings(entry):
                patterns.setdefault(pattern, entry)
        self._meanings = list(patterns.values())
        self._search = AhoCorasick(patterns).find_matches_as_indexes
        self._search_symbols = AhoCorasick([entry.folded for entry in self._symbols]).find_matches_as_indexes

    @cached_property
    def _disguises(self) -> Disguises:
        return Disguises(self._plain)

    def find(self, text: str) -> list[Match]:
        """What of the list is in the text: leftmost first, the longest of what overlaps, nothing allowed."""
        if "@" in text or "://" in text or "www." in text:
            readable = without_addresses(text)
        else:
            readable = text
        spaced = readable.translate(WORDS)
        where: list[int] | None = None
        if SEVERAL in spaced or (NOTHING in spaced and TOUCHES.search(spaced)):
            readable, where = unravel(readable)
            spaced = readable.translate(WORDS)
        elif NOTHING in spaced:
            spaced = spaced.replace(NOTHING, " ")
        tokens = spaced.split()
        line = f" {' '.join(tokens)} "

        hits = self._search(line, overlapping=True)
        found: list[Found] = []
        stretched = False
        if hits:
            meanings = self._meanings
            plain = [(start, end, entry) for at, start, end in hits if (entry := meanings[at])]
            stretched = len(plain) < len(hits)
            if plain:
                found = _in_spaced(plain, spaced, tokens)
        if stretched or MAY_HIDE.search(readable) or SPELLED.search(line):
            found += self._disguises.find(readable, spaced, line)
        if self._symbols:
            found += self._find_symbols(readable)
        if not found:
            return []
        return _matches(found, where)

    def _find_symbols(self, readable: str) -> list[Found]:
        """Entries with symbols, each as it is; where one starts or ends with a letter, a word does."""
        literal = readable.translate(LITERAL)
        found: list[Found] = []
        for at, start, end in self._search_symbols(literal, overlapping=True):
            entry = self._symbols[at]
            starts = entry.inside or not (is_word(literal[start]) and start and is_word(literal[start - 1]))
            ends = entry.inside or not (is_word(literal[end - 1]) and end < len(literal) and is_word(literal[end]))
            if starts and ends:
                found.append((start, end, entry))
        return found


def _in_spaced(plain: list[Found], spaced: str, tokens: Sequence[str]) -> list[Found]:
    """The same in the text as it was before its words were put side by side."""
    starts: list[int] = []
    ours: list[int] = []
    at, our = 0, 1
    for token in tokens:
        at = spaced.index(token, at)
        starts.append(at)
        ours.append(our)
        at += len(token)
        our += len(token) + 1
    found: list[Found] = []
    for start, end, entry in plain:
        if not entry.inside:
            # The spaces around it are not meant.
            start, end = start + 1, end - 1
        first = bisect_right(ours, start) - 1
        last = bisect_right(ours, end - 1) - 1
        found.append((starts[first] + start - ours[first], starts[last] + end - ours[last], entry))
    return found


def _matches(found: list[Found], where: list[int] | None) -> list[Match]:
    """Leftmost, then longest, then worst; what an allowed word covers is none."""
    if len(found) > 1:
        found.sort(key=lambda one: (one[0], -one[1], one[2].rank))
    matches: list[Match] = []
    free = allowed_until = 0
    for start, end, entry in found:
        if entry.rank == ALLOWED:
            # In this order the ones still to come start later: only how far it reaches counts.
            allowed_until = max(allowed_until, end)
        elif start >= free and end > allowed_until:
            free = end
            if where:
                start, end = _original(start, end, where)
            matches.append(Match(start, end, entry.word, entry.severity))
    return matches


def _original(start: int, end: int, where: list[int]) -> tuple[int, int]:
    """Where it was before it was unravelled, with all that hangs on its last letter."""
    first, last = where[start], where[end - 1]
    while where[end] == last:
        end += 1
    return first, where[end]
