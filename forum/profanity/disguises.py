"""What is written so that a list does not find it: put4, sh1t, f*ck, p.u.t.a, putaaa.

The text is read once more with symbols as the letters they may stand for, each run of a letter as one and l as i (a 1
may be either). What the automaton then finds is only a guess; the entry's own pattern decides, on what is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import pairwise

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
    r"(?:(?<=[013-9@$€£¢])(?=[^\W\d_])|(?<=[^\W\d_][013-9@$€£¢])|(?<=[^\W\d_].)(?=[^\W_]|[@$€*#%]))"
)
# Three letters on their own, one after the other.
SPELLED = re.compile(r" [^ ] {1,3}[^ ] {1,3}[^ ] ")
SPELLED_RUN = re.compile(r"(?<= )[^ ](?: {1,3}[^ ]){2,}(?= )")
SHORTEST = 3
# Words of one letter, which may stand beside a spelled one.
ONE_LETTER_WORDS = frozenset("aeiouy")

# However often a digit is repeated, it is one letter.
DIGITS = re.compile(r"(\d)\1*")
TOKEN = re.compile(r"[^ ]+")
RUN = re.compile(r"(.)\1+", re.DOTALL)
GROUP = re.compile(r"(.)\1*", re.DOTALL)
EDGES = "!|+(" + MASKS
MASKED = re.compile(rf"[^\W\d_]+([{re.escape(MASKS)}@$!+]{{1,2}})[^\W\d_]+")
# A digit that stands for no letter still belongs to its word.
OTHER_DIGIT = "2"
NO_LEET = str.maketrans({**dict.fromkeys(LEET_SYMBOLS + MASKS, " "), **dict.fromkeys("0123456789", OTHER_DIGIT)})
NO_MASKS = str.maketrans(dict.fromkeys(MASKS, " "))


def guess(text: str) -> str:
    """How two texts look alike that may be the same word."""
    return RUN.sub(r"\1", text.translate(GUESS))


def read(token: str) -> str:
    """The token with only those symbols that may be letters in it, as long as before."""
    core = token.strip(EDGES)
    start = token.index(core)
    letters = sum(map(str.isalpha, core))
    digits = len(DIGITS.findall(core))
    # 45s, 1st and a55 are no words; a$$ and sh1t are.
    written = letters >= max(digits, 2) or (letters and not digits)
    core = core.translate(NO_MASKS if written else NO_LEET)
    return " " * start + core + " " * (len(token) - start - len(core))


class Spelling:
    """How an entry may be written, however often its letters are repeated and whatever stands for them."""

    # No longer than this, or twice what the entry has, are repeats worth counting.
    ENOUGH = 6

    def __init__(self, folded: str) -> None:
        as_is, all_doubled, longest, done = [], [], 1, 0
        last_word = len(folded.rsplit(" ", 1)[-1])
        for letter, count in ((group[1], len(group[0])) for group in GROUP.finditer(folded)):
            done += count
            if letter == " ":
                as_is.append(" +")
                all_doubled.append(" +")
                continue
            longest = max(longest, count)
            written = f"[{re.escape(letter + STANDS_FOR.get(letter, ''))}]"
            if count > 1:
                as_is.append(f"{written}{{{count},}}")
            elif may_double(letter, done == len(folded), last_word):
                as_is.append(f"{written}+")
            else:
                as_is.append(f"(?:{written}{{3,}}|{written})")
            all_doubled.append(f"{written}{{{count * 2}}}")
        self._pattern = re.compile(f"{''.join(as_is)}|{''.join(all_doubled)}")
        self._repeats = max(self.ENOUGH, longest * 2)
        self._length = len(folded) * self._repeats

    def allows(self, written: str) -> bool:
        # Where a 1 may be two letters, a pattern tries all ways to divide a thousand: cut what is too long.
        if len(written) > self._repeats:
            written = GROUP.sub(lambda run: run[0][: self._repeats], written)
        return len(written) <= self._length and self._pattern.fullmatch(written) is not None


spelling = lru_cache(maxsize=4096)(Spelling)


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
            yield from self._find_spelled(run.group(), readable, run.start() - 1)

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
                if spelling(entry.folded).allows(written[starts[first] : starts[last]]):
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
