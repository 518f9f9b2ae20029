"""Finds obfuscated words: put4, sh1t, f*ck, p.u.t.a, putaaa.

The text is converted: symbols become the letters they may stand for, a run of a letter becomes one letter, and l
becomes i (a 1 may be either). What the automaton finds in the result is a candidate; the pattern of the entry decides
on the original text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from ahocorasick_rs import AhoCorasick

from forum.profanity.entries import ALLOWED, EntryMatch, FilterEntry
from forum.profanity.normalization import LEET, MASKS, NOTHING
from forum.profanity.spelling import EDGES, GROUP, LOOKALIKES, NO_LEET, RUN, lookalike_key, read_symbols, spelling_of

# A symbol next to a letter, also a full-width one. Most texts have none.
LETTER_SYMBOLS = "013-9@$€£¢０１３-９＠＄"
ALTERED_HINT = re.compile(
    rf"[{LETTER_SYMBOLS}!|+(*#%！＊]"
    rf"(?:(?<=[{LETTER_SYMBOLS}])(?=[^\W\d_])|(?<=[^\W\d_][{LETTER_SYMBOLS}])|(?<=[^\W\d_].)(?=[^\W_]|[@$€*#%]))"
)
# Three separate letters in a row.
SPELLED_OUT_HINT = re.compile(r" [^ ] {1,3}[^ ] {1,3}[^ ] ")
SPELLED_OUT_RUN = re.compile(r"(?<= )[^ ](?: {1,3}[^ ]){2,}(?= )")
MIN_LETTERS = 3
# Longer words are not masked: their masked forms would take hundreds of megabytes.
MAX_MASKED_LENGTH = 30
# Words of one letter, which may be next to a spelled-out word.
ONE_LETTER_WORDS = frozenset("aeiouy")
MASKED = re.compile(rf"[^\W\d_]+([{re.escape(MASKS)}@$!+]{{1,2}})[^\W\d_]+")
# Sorts after every letter.
LAST = "\U0010ffff"


class ObfuscationMatcher:
    """Finds the entries of a list in texts that hint at obfuscation."""

    def __init__(self, entries: Iterable[FilterEntry]) -> None:
        self._entries = list(entries)
        self._by_lookalike_key: dict[str, list[FilterEntry]] = {}
        patterns: dict[str, list[FilterEntry]] = {}
        # One call for all entries is many times faster than one for each.
        forms = lookalike_key("\n".join(entry.normalized for entry in self._entries)).split("\n")
        for entry, form in zip(self._entries, forms, strict=bool(self._entries)):
            self._by_lookalike_key.setdefault(form, []).append(entry)
            patterns.setdefault(form if entry.inside else f" {form} ", []).append(entry)
        # A single word of a phrase is a candidate too: the words around it are then checked.
        phrases = [(form, entry) for form, alike in self._by_lookalike_key.items() for entry in alike if entry.phrase]
        for form, entry in phrases:
            for word in form.split():
                patterns.setdefault(word if entry.inside else f" {word} ", [])
        self._phrase_words = {word for form, _ in phrases for word in form.split()}
        self._max_phrase_gaps = max((form.count(" ") for form, _ in phrases), default=0)
        self._entries_by_pattern = list(patterns.values())
        self._search = AhoCorasick(patterns).find_matches_as_indexes

    def find_altered(self, readable: str | None, spaced: str, repeated: list[int]) -> list[EntryMatch]:
        """Words with letters repeated, replaced or hidden.

        `spaced` has the words of the text and `repeated` the positions of repeated letters in it. `readable` is None
        if no symbol is next to a letter.
        """
        symbols, hints = spaced, repeated
        if readable is not None:
            symbols = f" {LEET.normalize(readable).replace(NOTHING, ' ')} "
            hints = sorted([*repeated, *(match.start() + 1 for match in ALTERED_HINT.finditer(readable))])
        found: list[EntryMatch] = []
        tokens: list[tuple[int, str]] = []
        suspects: list[tuple[int, int]] = []
        for start, end in _tokens_at(hints, symbols):
            written = read_symbols(symbols[start:end])
            tokens.append((start, written))
            if self._search(lookalike_key(f" {written} ")):
                suspects.append((start, end))
            if readable is not None:
                found += self._find_masked(symbols[start:end], start - 1)
        if suspects:
            text = _replace_tokens(spaced.translate(NO_LEET), tokens)
            for start, end in suspects:
                if not self._phrase_words.isdisjoint(lookalike_key(text[start:end]).split()):
                    start, end = _widen(text, start, end, self._max_phrase_gaps)
                found += self._find_repeated(text[start:end], start - 1)
        return found

    def find_spelled_out(self, readable: str, spaced: str) -> list[EntryMatch]:
        """Words with separators between all their letters."""
        runs = SPELLED_OUT_RUN.finditer(spaced)
        return [found for run in runs for found in self._find_in_run(run.group(), readable, run.start() - 1)]

    def _find_repeated(self, written: str, at: int) -> Iterator[EntryMatch]:
        """Entries whose letters are repeated or replaced, but not hidden."""
        guessed = f" {written} ".translate(LOOKALIKES)
        hits = self._search(RUN.sub(r"\1", guessed), overlapping=True)
        if not hits:
            return
        starts = [group.start() - 1 for group in GROUP.finditer(guessed)]
        starts.append(len(guessed) - 1)
        for index, start, end in hits:
            for entry in self._entries_by_pattern[index]:
                first, last = (starts[start], starts[end]) if entry.inside else (starts[start + 1], starts[end - 1])
                if spelling_of(entry.normalized).allows(written[first:last]):
                    yield at + first, at + last, entry

    @cached_property
    def _masked(self) -> dict[str, FilterEntry]:
        """Entries by their forms with one or two hidden letters.

        Of several entries with the same form the most severe counts, then the one that most others begin with: f*ck is
        not feck.
        """
        forms = sorted(entry.normalized for entry in self._entries)

        def order(entry: FilterEntry) -> tuple[int, int]:
            family = bisect_left(forms, entry.normalized + LAST) - bisect_left(forms, entry.normalized)
            return entry.rank, -family

        masked: dict[str, FilterEntry] = {}
        for entry in sorted(self._entries, key=order):
            normalized = entry.normalized
            if not 4 <= len(normalized) <= MAX_MASKED_LENGTH or " " in normalized or entry.rank == ALLOWED:
                continue
            for hidden in (1, 2):
                for at in range(1, len(normalized) - hidden):
                    masked.setdefault(normalized[:at] + "*" * hidden + normalized[at + hidden :], entry)
        return masked

    def _find_masked(self, token: str, at: int) -> Iterator[EntryMatch]:
        """An entry with one or two letters hidden behind symbols."""
        core = token.strip(EDGES)
        if found := MASKED.fullmatch(core):
            masks = found.group(1)
            if entry := self._masked.get(core.replace(masks, "*" * len(masks))):
                at += token.index(core)
                yield at, at + len(core), entry

    def _find_in_run(self, run: str, readable: str, at: int) -> Iterator[EntryMatch]:
        """A spelled-out word: the whole run, or the run without words of one letter around it."""
        places = [place for place, letter in enumerate(run) if letter != " "]
        for first, last in _run_parts(places, readable[at : at + len(run)]):
            for start, end in _without_single_letters("".join(run[place] for place in places[first:last])):
                start, end = first + start, first + end
                letters = read_symbols("".join(run[place] for place in places[start:end]))
                for entry in self._by_lookalike_key.get(lookalike_key(letters), ()):
                    if spelling_of(entry.normalized).allows(letters):
                        yield at + places[start], at + places[end - 1] + 1, entry


def _tokens_at(positions: Iterable[int], text: str) -> Iterator[tuple[int, int]]:
    """Start and end of the token at each position, without duplicates."""
    end = 0
    for position in positions:
        if position >= end:
            start, end = text.rfind(" ", 0, position) + 1, text.find(" ", position)
            yield start, end


def _replace_tokens(text: str, tokens: list[tuple[int, str]]) -> str:
    """Replace tokens in the text by others of the same length."""
    pieces: list[str] = []
    done = 0
    for start, token in tokens:
        pieces += (text[done:start], token)
        done = start + len(token)
    return "".join([*pieces, text[done:]])


def _widen(text: str, start: int, end: int, words: int) -> tuple[int, int]:
    """The range extended by a number of words on both sides."""
    for _ in range(words):
        while start and text[start - 1] == " ":
            start -= 1
        start = text.rfind(" ", 0, start) + 1
        while end < len(text) and text[end] == " ":
            end += 1
        end = text.find(" ", end) if end < len(text) else end
    return start, end


def _run_parts(places: list[int], written: str) -> Iterator[tuple[int, int]]:
    """The whole run, and its parts if the separators differ (p.u.t.a y; f u c k  y o u)."""
    yield 0, len(places)
    between = [written[one + 1 : two] for one, two in pairwise(places)]
    if len(set(between)) == 1:
        return
    if not all(map(str.isspace, between)):
        ends = [at for at, space in enumerate(between, 1) if any(map(str.isspace, space))]
    else:
        least = min(map(len, between))
        ends = [at for at, space in enumerate(between, 1) if len(space) > least]
    for first, last in pairwise([0, *ends, len(places)]):
        if last - first >= MIN_LETTERS and last - first < len(places):
            yield first, last


def _without_single_letters(letters: str) -> Iterator[tuple[int, int]]:
    """The whole run, then the run without one or two words of one letter at each end."""
    heads = [0, *(n for n in (1, 2) if set(letters[:n]) <= ONE_LETTER_WORDS)]
    tails = [0, *(n for n in (1, 2) if set(letters[-n:]) <= ONE_LETTER_WORDS)]
    pairs = sorted(((head, tail) for head in heads for tail in tails), key=sum)
    for head, tail in pairs:
        if len(letters) - head - tail >= MIN_LETTERS:
            yield head, len(letters) - tail
