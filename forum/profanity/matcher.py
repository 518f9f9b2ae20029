"""Finds the words of a list in a text: one pass for plain words, a second one for obfuscated words.

Everything between words is replaced by spaces, so that " puta " is a whole word and "puta" also matches inside others.
One automaton finds all words of the list at once. It also finds letters repeated as in no word, which hint at
obfuscation. Most texts have no hint and need no second pass.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import cached_property, partial

from ahocorasick_rs import AhoCorasick

from forum.profanity.addresses import without_addresses
from forum.profanity.entries import ALLOWED, EntryMatch, FilterEntry, entries_of
from forum.profanity.normalization import LITERAL, NOTHING, SEVERAL, WORDS, expand, has_symbols, is_word
from forum.profanity.obfuscation import ALTERED_HINT, SPELLED_OUT_HINT, ObfuscationMatcher
from forum.profanity.phrases import find_around
from forum.profanity.repeated_letters import REPEATED, doubled_endings
from forum.profanity.types import Match, Word

# A dropped character next to a word belongs to it; elsewhere (after an emoji) it counts as a space.
TOUCHES = re.compile(f"[^ {NOTHING}]{NOTHING}|{NOTHING}[^ {NOTHING}]")


SKIN_TONES = frozenset("🏻🏼🏽🏾🏿")


class Matcher:
    """A compiled list."""

    def __init__(self, words: Iterable[Word], allowed: Iterable[str] = ()) -> None:
        entries = entries_of(words, allowed)
        self._symbols = [entry for entry in entries if has_symbols(entry.normalized)]
        self._plain = [entry for entry in entries if not has_symbols(entry.normalized)]
        self._words = {entry.normalized for entry in self._plain if entry.rank != ALLOWED}
        patterns: dict[str, FilterEntry | None] = dict.fromkeys(REPEATED)
        patterns |= {entry.pattern: entry for entry in self._plain}
        for entry in self._plain:
            for pattern in doubled_endings(entry):
                patterns.setdefault(pattern, entry)
        self._patterns = list(patterns.items())
        self._has_phrases = any(entry.phrase for entry in self._plain)
        self._search = partial(AhoCorasick(patterns).find_matches_as_indexes, overlapping=True)
        self._search_symbols = AhoCorasick([entry.normalized for entry in self._symbols]).find_matches_as_indexes

    @cached_property
    def _obfuscation(self) -> ObfuscationMatcher:
        return ObfuscationMatcher(self._plain)

    def find(self, text: str) -> list[Match]:
        """The matches from left to right: of overlapping ones the longest, and none inside an allowed word."""
        readable = text
        if "@" in text or "://" in text or "www." in text:
            readable = without_addresses(text, self._words)
        spaced = WORDS.normalize(readable)
        origins: list[int] | None = None
        if SEVERAL in spaced or (NOTHING in spaced and TOUCHES.search(spaced)):
            readable, origins = expand(readable)
            spaced = WORDS.normalize(readable)
        elif NOTHING in spaced:
            spaced = spaced.replace(NOTHING, " ")

        spaced = f" {spaced} "
        # The patterns of phrases have one space between words.
        line = f" {' '.join(spaced.split())} " if "  " in spaced else spaced
        hits = self._search(line)
        found: list[EntryMatch] = []
        repeated: list[int] = []
        if hits:
            found, repeated = self._locate(hits, line, spaced)
        obfuscated: list[EntryMatch] = []
        hidden = ALTERED_HINT.search(readable) is not None
        if hidden or repeated:
            obfuscated += self._obfuscation.find_altered(readable if hidden else None, spaced, repeated)
        if SPELLED_OUT_HINT.search(spaced):
            obfuscated += self._obfuscation.find_spelled_out(readable, spaced)
        if obfuscated:
            found += obfuscated
            if self._has_phrases:
                found += find_around(obfuscated, spaced, self._search, self._patterns)
        if self._symbols:
            found += self._find_symbols(readable)
        return _matches(found, origins) if found else []

    def _locate(self, hits: list[tuple[int, int, int]], line: str, spaced: str) -> tuple[list[EntryMatch], list[int]]:
        """The positions in the text of the entries found in the line, and those of repeated letters."""
        found: list[EntryMatch] = []
        repeated: list[int] = []
        searched: dict[int, int] = {}
        original: Callable[[int], int] | None = None
        for at, start, end in hits:
            pattern, entry = self._patterns[at]
            if line is not spaced:
                if entry and entry.phrase:
                    original = original or _position_mapper(line, spaced)
                    around = 0 if entry.inside else 1
                    start, end = original(start + around) - around, original(end - 1 - around) + 1 + around
                else:
                    # The nth occurrence in the line is the nth in the text.
                    start = searched[at] = spaced.index(pattern, searched.get(at, -1) + 1)
                    end = start + len(pattern)
            if not entry:
                repeated.append(start)
            elif entry.inside:
                found.append((start - 1, end - 1, entry))
            else:
                found.append((start, end - 2, entry))
        return found, repeated

    def _find_symbols(self, readable: str) -> list[EntryMatch]:
        """Literal matches of entries with symbols. A letter at the start or end has to be at the edge of a word."""
        literal = LITERAL.normalize(readable)
        origins: list[int] | None = None
        if NOTHING in literal or SEVERAL in literal:
            # Characters that join the parts of an emoji are dropped.
            literal, origins = expand(readable)
        if "  " in literal and any(" " in entry.normalized for entry in self._symbols):
            positions = [at for at, char in enumerate(literal) if char != " " or literal[at - 1 : at] != " "]
            origins = [*(origins[at] if origins else at for at in positions), len(readable)]
            literal = "".join([literal[at] for at in positions])
        found: list[EntryMatch] = []
        for at, start, end in self._search_symbols(literal, overlapping=True):
            entry = self._symbols[at]
            starts = entry.inside or not (is_word(literal[start]) and start and is_word(literal[start - 1]))
            ends = entry.inside or not (is_word(literal[end - 1]) and end < len(literal) and is_word(literal[end]))
            if starts and ends:
                while literal[end : end + 1] in SKIN_TONES:
                    end += 1
                found.append((*_original(start, end, origins), entry) if origins else (start, end, entry))
        return found


def _position_mapper(line: str, spaced: str) -> Callable[[int], int]:
    """A function from positions of letters in the line to positions in the text."""
    line_starts: list[int] = []
    text_starts: list[int] = []
    line_position, text_position = 1, 0
    for token in line.split():
        text_position = spaced.index(token, text_position)
        line_starts.append(line_position)
        text_starts.append(text_position)
        line_position += len(token) + 1
        text_position += len(token)

    def original(letter: int) -> int:
        token = bisect_right(line_starts, letter) - 1
        return text_starts[token] + letter - line_starts[token]

    return original


def _matches(found: list[EntryMatch], origins: list[int] | None) -> list[Match]:
    """Leftmost, then longest, then most severe; without those that an allowed word covers."""
    if len(found) > 1:
        found.sort(key=_order)
    matches: list[Match] = []
    free = allowed_until = 0
    for start, end, entry in found:
        if not entry.rank:
            # Later matches start later, so only the end of the allowed word matters.
            allowed_until = max(allowed_until, end)
        elif start >= free and end > allowed_until:
            free = end
            if origins:
                start, end = _original(start, end, origins)
            matches.append(Match(start, end, entry.word, entry.severity))
    return matches


def _order(found: EntryMatch) -> tuple[int, int, int]:
    return found[0], -found[1], found[2].rank


def _original(start: int, end: int, origins: list[int]) -> tuple[int, int]:
    """The position before expansion, including combining characters after the last letter."""
    last = origins[end - 1]
    while origins[end] == last:
        end += 1
    return origins[start], origins[end]
