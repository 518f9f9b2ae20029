"""Finds a list's words in a text: one pass for what is written plainly, a second one where something is disguised.

All that is no word is read as spaces, so that " puta " is a whole word and "puta" one inside others, and one automaton
finds all words of the list at once, where they stand. It also finds what hints at more: a word of a phrase, and letters
repeated as no word has them. Most texts have neither, and are done.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from ahocorasick_rs import AhoCorasick

from forum.profanity.disguises import MAY_HIDE, SPELLED, Disguises
from forum.profanity.entries import ALLOWED, Entry, Found, entries_of
from forum.profanity.folding import LITERAL, NOTHING, SEVERAL, has_symbols, is_word, unravel, words
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
        phrases = [entry for entry in self._plain if " " in entry.folded]
        patterns: dict[str, Entry | None] = dict.fromkeys(STRETCHED)
        patterns |= _patterns(entry for entry in self._plain if " " not in entry.folded)
        # A phrase's words may stand apart. It is looked for where the longest of them is.
        keys = {_key(phrase) for phrase in phrases}
        for key in keys:
            patterns.setdefault(key, None)
        self._meanings = [(entry, pattern in keys, pattern in STRETCHED) for pattern, entry in patterns.items()]
        self._search = AhoCorasick(patterns).find_matches_as_indexes
        self._phrases = Phrases(phrases)
        self._search_symbols = AhoCorasick([entry.folded for entry in self._symbols]).find_matches_as_indexes

    @cached_property
    def _disguises(self) -> Disguises:
        return Disguises(self._plain)

    def find(self, text: str) -> list[Match]:
        """What of the list is in the text: leftmost first, the longest of what overlaps, nothing allowed."""
        readable = text
        if "@" in text or "://" in text or "www." in text:
            readable = without_addresses(text, self._words)
        spaced = words(readable)
        where: list[int] | None = None
        if SEVERAL in spaced or (NOTHING in spaced and TOUCHES.search(spaced)):
            readable, where = unravel(readable)
            spaced = words(readable)
        elif NOTHING in spaced:
            spaced = spaced.replace(NOTHING, " ")

        spaced = f" {spaced} "
        found: list[Found] = []
        stretched: list[int] = []
        phrases = False
        hits = self._search(spaced, overlapping=True)
        if hits:
            meanings = self._meanings
            for at, start, end in hits:
                entry, is_key, is_stretched = meanings[at]
                if entry:
                    found.append((start - 1, end - 1, entry) if entry.inside else (start, end - 2, entry))
                if is_key:
                    phrases = True
                elif is_stretched:
                    stretched.append(start)
            if phrases:
                found += self._phrases.find(spaced)
        if stretched or MAY_HIDE.search(readable) or SPELLED.search(spaced):
            found += self._disguises.find(readable, spaced, stretched)
        if self._symbols:
            found += self._find_symbols(readable)
        return _matches(found, where) if found else []

    def _find_symbols(self, readable: str) -> list[Found]:
        """Entries with symbols, each as it is; where one starts or ends with a letter, a word does."""
        literal = readable.translate(LITERAL)
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


class Phrases:
    """Entries of several words, with anything between them that is no word."""

    def __init__(self, entries: list[Entry]) -> None:
        patterns = _patterns(entries)
        self._meanings = list(patterns.values())
        self._search = AhoCorasick(patterns).find_matches_as_indexes

    def find(self, spaced: str) -> list[Found]:
        tokens = spaced.split()
        hits = self._search(f" {' '.join(tokens)} ", overlapping=True)
        if not hits:
            return []
        # Where each word starts in the text, and where with single spaces only.
        there: list[int] = []
        here: list[int] = []
        at, place = 0, 1
        for token in tokens:
            at = spaced.index(token, at)
            there.append(at - 1)
            here.append(place)
            at += len(token)
            place += len(token) + 1
        found: list[Found] = []
        for index, start, end in hits:
            entry = self._meanings[index]
            if not entry.inside:
                start, end = start + 1, end - 1
            first = bisect_right(here, start) - 1
            last = bisect_right(here, end - 1) - 1
            found.append((there[first] + start - here[first], there[last] + end - here[last], entry))
        return found


def _patterns(entries: Iterable[Entry]) -> dict[str, Entry]:
    """What to look for, and what it means."""
    entries = list(entries)
    patterns = {entry.pattern: entry for entry in entries}
    for entry in entries:
        for pattern in doubled_endings(entry):
            patterns.setdefault(pattern, entry)
    return patterns


def _key(phrase: Entry) -> str:
    word = max(phrase.folded.split(), key=len)
    return word if phrase.inside else f" {word} "


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
