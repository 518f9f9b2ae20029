"""Which ways of writing are the same word: symbols for letters, and letters more often than the word has them."""

from __future__ import annotations

import re
from functools import lru_cache

from forum.profanity.folding import LEET_SYMBOLS, MASKS
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

# A 1 may be each of so many letters that trying all ways to divide a stretch of them would not end.
EITHER = re.compile(r"(?:i+l+){3}|(?:l+i+){3}")
# However often a digit is repeated, it is one letter.
DIGITS = re.compile(r"(\d)\1*")
RUN = re.compile(r"(.)\1+", re.DOTALL)
GROUP = re.compile(r"(.)\1*", re.DOTALL)
# At the ends of a word these are punctuation.
EDGES = "!|+(" + MASKS
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
        once = EITHER.search(folded) is not None
        for letter, count in ((group[1], len(group[0])) for group in GROUP.finditer(folded)):
            done += count
            if letter == " ":
                as_is.append(" +")
                all_doubled.append(" +")
                continue
            longest = max(longest, count)
            written = f"[{re.escape(letter + STANDS_FOR.get(letter, ''))}]"
            if once and letter in "il":
                as_is.append(f"{written}{{{count}}}")
            elif count > 1:
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
