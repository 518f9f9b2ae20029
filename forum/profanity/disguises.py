"""What is written so that a list does not find it: put4, sh1t, f*ck, p.u.t.a, putaaa.

The text is read once more with symbols as the letters they may stand for, each run of a letter as one and l as i (a 1
may be either). What the automaton then finds is only a guess; the entry's own pattern decides, on what is written.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from ahocorasick_rs import AhoCorasick

from forum.profanity.entries import ALLOWED, Entry, Found
from forum.profanity.folding import LEET, MASKS, NOTHING
from forum.profanity.spelling import EDGES, GROUP, GUESS, NO_LEET, RUN, guess, read, spelling

# A symbol beside a letter, also a full-width one. Whether it is one of a word is decided later; most texts have none.
ANYWHERE = "013-9@$€£¢０１３-９＠＄"
MAY_HIDE = re.compile(
    rf"[{ANYWHERE}!|+(*#%！＊]"
    rf"(?:(?<=[{ANYWHERE}])(?=[^\W\d_])|(?<=[^\W\d_][{ANYWHERE}])|(?<=[^\W\d_].)(?=[^\W_]|[@$€*#%]))"
)
# Three letters on their own, one after the other.
SPELLED = re.compile(r" [^ ] {1,3}[^ ] {1,3}[^ ] ")
SPELLED_RUN = re.compile(r"(?<= )[^ ](?: {1,3}[^ ]){2,}(?= )")
SHORTEST = 3
# Longer words are not masked, and of each there would be a form for every letter: hundreds of megabytes.
LONGEST_MASKED = 30
# Words of one letter, which may stand beside a spelled one.
ONE_LETTER_WORDS = frozenset("aeiouy")
MASKED = re.compile(rf"[^\W\d_]+([{re.escape(MASKS)}@$!+]{{1,2}})[^\W\d_]+")
# Sorts after every letter.
LAST = "\U0010ffff"


class Disguises:
    """The entries of a list, for texts that need a closer look."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = list(entries)
        self._by_guess: dict[str, list[Entry]] = {}
        patterns: dict[str, list[Entry]] = {}
        # All at once is many times faster than one by one.
        forms = guess("\n".join(entry.folded for entry in self._entries)).split("\n")
        for entry, form in zip(self._entries, forms, strict=bool(self._entries)):
            self._by_guess.setdefault(form, []).append(entry)
            patterns.setdefault(form if entry.inside else f" {form} ", []).append(entry)
        # So that one disguised word of a phrase is reason enough to look at those around it.
        phrases = [(form, entry) for form, alike in self._by_guess.items() for entry in alike if entry.phrase]
        for form, entry in phrases:
            for word in form.split():
                patterns.setdefault(word if entry.inside else f" {word} ", [])
        self._parts = {word for form, _ in phrases for word in form.split()}
        self._reach = max((form.count(" ") for form, _ in phrases), default=0)
        self._meanings = list(patterns.values())
        self._search = AhoCorasick(patterns).find_matches_as_indexes

    def find_written(self, readable: str | None, spaced: str, stretched: list[int]) -> list[Found]:
        """Words with letters repeated, replaced or hidden.

        `spaced` has the words of the text and `stretched` says where in it letters repeat; without `readable`, no
        symbol stands beside a letter.
        """
        symbols, spots = spaced, stretched
        if readable is not None:
            symbols = f" {LEET.fold(readable).replace(NOTHING, ' ')} "
            spots = sorted([*stretched, *(match.start() + 1 for match in MAY_HIDE.finditer(readable))])
        found: list[Found] = []
        tokens: list[tuple[int, str]] = []
        suspects: list[tuple[int, int]] = []
        for start, end in _around(spots, symbols):
            written = read(symbols[start:end])
            tokens.append((start, written))
            if self._search(guess(f" {written} ")):
                suspects.append((start, end))
            if readable is not None:
                found += self._find_masked(symbols[start:end], start - 1)
        if suspects:
            text = _replaced(spaced.translate(NO_LEET), tokens)
            for start, end in suspects:
                if not self._parts.isdisjoint(guess(text[start:end]).split()):
                    start, end = _widened(text, start, end, self._reach)
                found += self._find_repeated(text[start:end], start - 1)
        return found

    def find_spelled(self, readable: str, spaced: str) -> list[Found]:
        """Words with something between all of their letters."""
        runs = SPELLED_RUN.finditer(spaced)
        return [found for run in runs for found in self._find_spelled(run.group(), readable, run.start() - 1)]

    def _find_repeated(self, written: str, at: int) -> Iterator[Found]:
        """Entries with all their letters in place, repeated or replaced."""
        guessed = f" {written} ".translate(GUESS)
        hits = self._search(RUN.sub(r"\1", guessed), overlapping=True)
        if not hits:
            return
        starts = [group.start() - 1 for group in GROUP.finditer(guessed)]
        starts.append(len(guessed) - 1)
        for index, start, end in hits:
            for entry in self._meanings[index]:
                first, last = (starts[start], starts[end]) if entry.inside else (starts[start + 1], starts[end - 1])
                if spelling(entry.folded).allows(written[first:last]):
                    yield at + first, at + last, entry

    @cached_property
    def _masked(self) -> dict[str, Entry]:
        """Entries with one or two letters inside them hidden.

        Where several could be meant it is the worst, and of these the one most others begin with: f*ck is not feck.
        """
        forms = sorted(entry.folded for entry in self._entries)

        def order(entry: Entry) -> tuple[int, int]:
            family = bisect_left(forms, entry.folded + LAST) - bisect_left(forms, entry.folded)
            return entry.rank, -family

        masked: dict[str, Entry] = {}
        for entry in sorted(self._entries, key=order):
            folded = entry.folded
            if not 4 <= len(folded) <= LONGEST_MASKED or " " in folded or entry.rank == ALLOWED:
                continue
            for hidden in (1, 2):
                for at in range(1, len(folded) - hidden):
                    masked.setdefault(folded[:at] + "*" * hidden + folded[at + hidden :], entry)
        return masked

    def _find_masked(self, token: str, at: int) -> Iterator[Found]:
        """An entry with one or two letters hidden behind symbols."""
        core = token.strip(EDGES)
        if found := MASKED.fullmatch(core):
            masks = found.group(1)
            if entry := self._masked.get(core.replace(masks, "*" * len(masks))):
                at += token.index(core)
                yield at, at + len(core), entry

    def _find_spelled(self, run: str, readable: str, at: int) -> Iterator[Found]:
        """A word letter by letter: all of the run, or all but words of one letter around it."""
        places = [place for place, letter in enumerate(run) if letter != " "]
        for first, last in _pieces(places, readable[at : at + len(run)]):
            for start, end in _inner("".join(run[place] for place in places[first:last])):
                start, end = first + start, first + end
                letters = read("".join(run[place] for place in places[start:end]))
                for entry in self._by_guess.get(guess(letters), ()):
                    if spelling(entry.folded).allows(letters):
                        yield at + places[start], at + places[end - 1] + 1, entry


def _around(spots: Iterable[int], text: str) -> Iterator[tuple[int, int]]:
    """What stands between spaces around each spot, once."""
    end = 0
    for spot in spots:
        if spot >= end:
            start, end = text.rfind(" ", 0, spot) + 1, text.find(" ", spot)
            yield start, end


def _replaced(text: str, tokens: list[tuple[int, str]]) -> str:
    """The text with these in their places, which are as long."""
    pieces: list[str] = []
    done = 0
    for start, token in tokens:
        pieces += (text[done:start], token)
        done = start + len(token)
    return "".join([*pieces, text[done:]])


def _widened(text: str, start: int, end: int, words: int) -> tuple[int, int]:
    """With so many words on either side."""
    for _ in range(words):
        while start and text[start - 1] == " ":
            start -= 1
        start = text.rfind(" ", 0, start) + 1
        while end < len(text) and text[end] == " ":
            end += 1
        end = text.find(" ", end) if end < len(text) else end
    return start, end


def _pieces(places: list[int], written: str) -> Iterator[tuple[int, int]]:
    """All of a run of letters, and its parts where it is divided in more than one way (p.u.t.a y; f u c k  y o u)."""
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
        if last - first >= SHORTEST and last - first < len(places):
            yield first, last


def _inner(letters: str) -> Iterator[tuple[int, int]]:
    """The run as a whole first, then without one or two words of one letter at either end."""
    heads = [0, *(n for n in (1, 2) if set(letters[:n]) <= ONE_LETTER_WORDS)]
    tails = [0, *(n for n in (1, 2) if set(letters[-n:]) <= ONE_LETTER_WORDS)]
    pairs = sorted(((head, tail) for head in heads for tail in tails), key=sum)
    for head, tail in pairs:
        if len(letters) - head - tail >= SHORTEST:
            yield head, len(letters) - tail
