"""Finds a list's words in a text: one pass for what is written plainly, a second one where something is disguised.

All that is no word is read as spaces, so that " puta " is a whole word and "puta" one inside others, and one automaton
finds all words of the list at once. It also finds letters repeated as no word has them, which hint at a disguise. Most
texts have none, and are done.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import cached_property, partial

from ahocorasick_rs import AhoCorasick

from forum.profanity.disguises import MAY_HIDE, SPELLED, Disguises
from forum.profanity.entries import ALLOWED, Entry, Found, entries_of
from forum.profanity.folding import LITERAL, NOTHING, SEVERAL, WORDS, has_symbols, is_word, unravel
from forum.profanity.phrases import find_around
from forum.profanity.skipping import without_addresses
from forum.profanity.stretching import STRETCHED, doubled_endings
from forum.profanity.types import Match, Word

# What drops and touches a word is inside it; elsewhere (after an emoji) it is as good as a space.
TOUCHES = re.compile(f"[^ {NOTHING}]{NOTHING}|{NOTHING}[^ {NOTHING}]")


SKIN_TONES = frozenset("🏻🏼🏽🏾🏿")


class Matcher:
    """A list, compiled."""

    def __init__(self, listed: Iterable[Word], allowed: Iterable[str] = ()) -> None:
        entries = entries_of(listed, allowed)
        self._symbols = [entry for entry in entries if has_symbols(entry.folded)]
        self._plain = [entry for entry in entries if not has_symbols(entry.folded)]
        self._words = {entry.folded for entry in self._plain if entry.rank != ALLOWED}
        meanings: dict[str, Entry | None] = dict.fromkeys(STRETCHED)
        meanings |= {entry.pattern: entry for entry in self._plain}
        for entry in self._plain:
            for pattern in doubled_endings(entry):
                meanings.setdefault(pattern, entry)
        self._meanings = list(meanings.items())
        self._has_phrases = any(entry.phrase for entry in self._plain)
        self._search = partial(AhoCorasick(meanings).find_matches_as_indexes, overlapping=True)
        self._search_symbols = AhoCorasick([entry.folded for entry in self._symbols]).find_matches_as_indexes

    @cached_property
    def _disguises(self) -> Disguises:
        return Disguises(self._plain)

    def find(self, text: str) -> list[Match]:
        """What of the list is in the text: leftmost first, the longest of what overlaps, nothing allowed."""
        readable = text
        if "@" in text or "://" in text or "www." in text:
            readable = without_addresses(text, self._words)
        spaced = WORDS.fold(readable)
        where: list[int] | None = None
        if SEVERAL in spaced or (NOTHING in spaced and TOUCHES.search(spaced)):
            readable, where = unravel(readable)
            spaced = WORDS.fold(readable)
        elif NOTHING in spaced:
            spaced = spaced.replace(NOTHING, " ")

        spaced = f" {spaced} "
        # A phrase has one space between its words, whatever stands there in the text.
        line = f" {' '.join(spaced.split())} " if "  " in spaced else spaced
        hits = self._search(line)
        found: list[Found] = []
        stretched: list[int] = []
        if hits:
            found, stretched = self._places(hits, line, spaced)
        disguised: list[Found] = []
        hidden = MAY_HIDE.search(readable) is not None
        if hidden or stretched:
            disguised += self._disguises.find_written(readable if hidden else None, spaced, stretched)
        if SPELLED.search(spaced):
            disguised += self._disguises.find_spelled(readable, spaced)
        if disguised:
            found += disguised
            if self._has_phrases:
                found += find_around(disguised, spaced, self._search, self._meanings)
        if self._symbols:
            found += self._find_symbols(readable)
        return _matches(found, where) if found else []

    def _places(self, hits: list[tuple[int, int, int]], line: str, spaced: str) -> tuple[list[Found], list[int]]:
        """Where in the text the entries are that were found in the line, and where letters are repeated."""
        found: list[Found] = []
        stretched: list[int] = []
        searched: dict[int, int] = {}
        original: Callable[[int], int] | None = None
        for at, start, end in hits:
            pattern, entry = self._meanings[at]
            if line is not spaced:
                if entry and entry.phrase:
                    original = original or _unsqueezed(line, spaced)
                    around = 0 if entry.inside else 1
                    start, end = original(start + around) - around, original(end - 1 - around) + 1 + around
                else:
                    # The third time in the line is the third time in the text.
                    start = searched[at] = spaced.index(pattern, searched.get(at, -1) + 1)
                    end = start + len(pattern)
            if not entry:
                stretched.append(start)
            elif entry.inside:
                found.append((start - 1, end - 1, entry))
            else:
                found.append((start, end - 2, entry))
        return found, stretched

    def _find_symbols(self, readable: str) -> list[Found]:
        """Entries with symbols, each as it is; where one starts or ends with a letter, a word does."""
        literal = LITERAL.fold(readable)
        where: list[int] | None = None
        if NOTHING in literal or SEVERAL in literal:
            # Parts of an emoji are held together by what drops.
            literal, where = unravel(readable)
        if "  " in literal and any(" " in entry.folded for entry in self._symbols):
            kept = [at for at, char in enumerate(literal) if char != " " or literal[at - 1 : at] != " "]
            where = [*(where[at] if where else at for at in kept), len(readable)]
            literal = "".join([literal[at] for at in kept])
        found: list[Found] = []
        for at, start, end in self._search_symbols(literal, overlapping=True):
            entry = self._symbols[at]
            starts = entry.inside or not (is_word(literal[start]) and start and is_word(literal[start - 1]))
            ends = entry.inside or not (is_word(literal[end - 1]) and end < len(literal) and is_word(literal[end]))
            if starts and ends:
                while literal[end : end + 1] in SKIN_TONES:
                    end += 1
                found.append((*_original(start, end, where), entry) if where else (start, end, entry))
        return found


def _unsqueezed(line: str, spaced: str) -> Callable[[int], int]:
    """From places of letters in the line to those in the text."""
    here: list[int] = []
    there: list[int] = []
    at, place = 1, 0
    for token in line.split():
        place = spaced.index(token, place)
        here.append(at)
        there.append(place)
        at += len(token) + 1
        place += len(token)

    def original(letter: int) -> int:
        token = bisect_right(here, letter) - 1
        return there[token] + letter - here[token]

    return original


def _matches(found: list[Found], where: list[int] | None) -> list[Match]:
    """Leftmost, then longest, then worst; what an allowed word covers is none."""
    if len(found) > 1:
        found.sort(key=_order)
    matches: list[Match] = []
    free = allowed_until = 0
    for start, end, entry in found:
        if not entry.rank:
            # In this order the ones still to come start later: only how far it reaches counts.
            allowed_until = max(allowed_until, end)
        elif start >= free and end > allowed_until:
            free = end
            if where:
                start, end = _original(start, end, where)
            matches.append(Match(start, end, entry.word, entry.severity))
    return matches


def _order(found: Found) -> tuple[int, int, int]:
    return found[0], -found[1], found[2].rank


def _original(start: int, end: int, where: list[int]) -> tuple[int, int]:
    """Where it was before it was unravelled, with all that hangs on its last letter."""
    last = where[end - 1]
    while where[end] == last:
        end += 1
    return where[start], where[end]
