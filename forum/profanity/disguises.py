"""What is written so that a list does not find it: put4, sh1t, f*ck, p.u.t.a, putaaa.

The text is read once more with symbols as the letters they may stand for, each run of a letter as one and l as i (a 1
may be either). What the automaton then finds is only a guess; the entry's own pattern decides, on what is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from ahocorasick_rs import AhoCorasick

from forum.profanity.entries import ALLOWED, Entry, Found
from forum.profanity.folding import LEET, LEET_SYMBOLS, MASKS, NOTHING
from forum.profanity.stretching import may_double

# Which letters a symbol may stand for.
READINGS = {
    "0": "o", "1": "il", "3": "e", "4": "a", "5": "s", "6": "g", "7": "t", "8": "b", "9": "g",
    "@": "a", "$": "s", "€": "e", "!": "il", "|": "il", "+": "t", "(": "c", "£": "l", "¢": "c",
}  # fmt: skip
STANDS_FOR: dict[str, str] = {}
for _symbol, _letters in READINGS.items():
    for _letter in _letters:
        STANDS_FOR[_letter] = STANDS_FOR.get(_letter, "") + _symbol
# i and l are one, and so is all that may be either.
GUESS = str.maketrans({**{symbol: letters[0] for symbol, letters in READINGS.items()}, "l": "i", "£": "i"})

# A symbol beside a letter. Whether it is one of a word is decided later; most texts have none.
MAY_HIDE = re.compile(
    r"[013-9@$€!|+(£¢*#%]"
    r"(?:(?<=[013-9@$€£¢])(?=[^\W\d_])|(?<=[^\W\d_][013-9@$€£¢])|(?<=[^\W\d_].)(?=[^\W_]|[@$€]))"
)
# Three letters on their own, one after the other.
SPELLED = re.compile(r" [^ ] {1,3}[^ ] {1,3}[^ ] ")
SPELLED_RUN = re.compile(r"(?<= )[^ ](?: {1,3}[^ ]){2,}(?= )")
# Words of one letter, which may stand beside a spelled one.
ONE_LETTER_WORDS = frozenset("aeiouy")

TOKEN = re.compile(r"[^ ]+")
RUN = re.compile(r"(.)\1+", re.DOTALL)
GROUP = re.compile(r"(.)\1*", re.DOTALL)
EDGES = "!|+(" + MASKS
MASKED = re.compile(rf"[^\W\d_]+([{re.escape(MASKS)}@$!+]{{1,2}})[^\W\d_]+")
# A digit that stands for no letter still belongs to its word.
OTHER_DIGIT = "2"
NO_LEET = str.maketrans({**dict.fromkeys(LEET_SYMBOLS + MASKS, " "), **dict.fromkeys("0123456789", OTHER_DIGIT)})
NO_MASKS = str.maketrans(dict.fromkeys(MASKS, " "))
# Longer than any stretch needs to be told apart; keeps the decision quick.
ENOUGH = 6


def guess(text: str) -> str:
    """How two texts look alike that may be the same word."""
    return RUN.sub(r"\1", text.translate(GUESS))


def read(token: str) -> str:
    """The token with only those symbols that may be letters in it, as long as before."""
    core = token.strip(EDGES)
    start = token.index(core)
    letters = sum(map(str.isalpha, core))
    digits = sum(map(str.isdigit, core))
    # 45s, 1st and a55 are no words; a$$ and sh1t are.
    written = letters >= max(digits, 2) or (letters and not digits)
    core = core.translate(NO_MASKS if written else NO_LEET)
    return " " * start + core + " " * (len(token) - start - len(core))


@lru_cache(maxsize=4096)
def spelling(folded: str) -> re.Pattern[str]:
    """What of a text is the entry, however often its letters are repeated and whatever stands for them."""
    single, double = [], []
    groups = [found.group() for found in GROUP.finditer(folded)]
    length, done = len(folded.rsplit(" ", 1)[-1]), 0
    for group in groups:
        letter, count = group[0], len(group)
        done += count
        if letter == " ":
            single.append(" +")
            double.append(" +")
            continue
        one = f"[{re.escape(letter + STANDS_FOR.get(letter, ''))}]"
        if count > 1:
            single.append(f"{one}{{{count},}}")
        elif may_double(letter, done == len(folded), length):
            single.append(f"{one}+")
        else:
            single.append(f"(?:{one}{{3,}}|{one})")
        double.append(f"{one}{{{count * 2}}}")
    return re.compile(f"{''.join(single)}|{''.join(double)}")


def is_spelling(written: str, entry: Entry) -> bool:
    shortened = GROUP.sub(lambda run: run.group()[: max(ENOUGH, 2)], written) if len(written) > 40 else written
    return spelling(entry.folded).fullmatch(shortened) is not None


class Disguises:
    """The entries of a list, for texts that need a closer look."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = list(entries)
        self._by_guess: dict[str, list[Entry]] = {}
        patterns: dict[str, list[Entry]] = {}
        for entry in self._entries:
            form = guess(entry.folded)
            self._by_guess.setdefault(form, []).append(entry)
            patterns.setdefault(form if entry.inside else f" {form} ", []).append(entry)
            if " " in form:
                # So that one disguised word of a phrase is reason enough to look at the text.
                for word in form.split():
                    patterns.setdefault(word if entry.inside else f" {word} ", [])
        self._meanings = list(patterns.values())
        self._search = AhoCorasick(patterns).find_matches_as_indexes

    def find(self, readable: str, spaced: str, stretched: list[int]) -> Iterator[Found]:
        """What is disguised in the text; `spaced` has its words, and `stretched` says where in it letters repeat."""
        symbols = f" {readable.translate(LEET).replace(NOTHING, ' ')} "
        spots = [match.start() + 1 for match in MAY_HIDE.finditer(readable)]
        if spots or stretched:
            tokens = list(_around(sorted(spots + stretched), symbols))
            if self._search(guess(f" {' '.join(read(symbols[start:end]) for start, end in tokens)} ")):
                yield from self._find_repeated(TOKEN.sub(lambda token: read(token.group()), symbols[1:-1]))
        if spots:
            for start, end in tokens:
                yield from self._find_masked(symbols[start:end], start - 1)
        for run in SPELLED_RUN.finditer(spaced):
            yield from self._find_spelled(run.group(), run.start() - 1)

    def _find_repeated(self, written: str) -> Iterator[Found]:
        """Entries in a text with all their letters in place, repeated or replaced."""
        guessed = f" {written} ".translate(GUESS)
        hits = self._search(RUN.sub(r"\1", guessed), overlapping=True)
        if not hits:
            return
        starts = [group.start() - 1 for group in GROUP.finditer(guessed)]
        starts.append(len(guessed) - 1)
        for at, start, end in hits:
            for entry in self._meanings[at]:
                first, last = (start, end) if entry.inside else (start + 1, end - 1)
                if is_spelling(written[starts[first] : starts[last]], entry):
                    yield starts[first], starts[last], entry

    @cached_property
    def _masked(self) -> dict[str, Entry]:
        """Entries with one or two letters inside them hidden; the worst where several could be meant."""
        masked: dict[str, Entry] = {}
        for entry in sorted(self._entries, key=lambda entry: entry.rank):
            folded = entry.folded
            if len(folded) < 4 or " " in folded or entry.rank == ALLOWED:
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

    def _find_spelled(self, run: str, at: int) -> Iterator[Found]:
        """A word letter by letter: the whole run, or all but words of one letter around it."""
        places = [place for place, letter in enumerate(run) if letter != " "]
        letters = "".join(run.split())
        for start, end in _inner(letters):
            word = letters[start:end]
            for entry in self._by_guess.get(guess(word), ()):
                if is_spelling(word, entry):
                    yield at + places[start], at + places[end - 1] + 1, entry
                    return


def _around(spots: Iterable[int], text: str) -> Iterator[tuple[int, int]]:
    """What stands between spaces around each spot, once."""
    end = 0
    for spot in spots:
        if spot >= end:
            start, end = text.rfind(" ", 0, spot) + 1, text.find(" ", spot)
            yield start, end


def _inner(letters: str) -> Iterator[tuple[int, int]]:
    """The run as a whole first, then without one or two words of one letter at either end."""
    heads = [0, *(n for n in (1, 2) if set(letters[:n]) <= ONE_LETTER_WORDS)]
    tails = [0, *(n for n in (1, 2) if set(letters[-n:]) <= ONE_LETTER_WORDS)]
    pairs = sorted(((head, tail) for head in heads for tail in tails), key=sum)
    for head, tail in pairs:
        if len(letters) - head - tail >= 3:
            yield head, len(letters) - tail
