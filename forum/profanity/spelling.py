"""The spellings of a word that count as the same: symbols for letters, and repeated letters."""

from __future__ import annotations

import re
from functools import lru_cache

from forum.profanity.normalization import LEET_SYMBOLS, MASKS
from forum.profanity.repeated_letters import may_double

# Which letters a symbol may stand for.
READINGS = {
    "0": "o", "1": "il", "3": "e", "4": "a", "5": "s", "6": "g", "7": "t", "8": "b", "9": "g",
    "@": "a", "$": "s", "€": "e", "!": "il", "|": "il", "+": "t", "(": "c", "£": "l", "¢": "c",
}  # fmt: skip
SYMBOLS_FOR: dict[str, str] = {}
for _symbol, _letters in READINGS.items():
    for _letter in _letters:
        SYMBOLS_FOR[_letter] = SYMBOLS_FOR.get(_letter, "") + _symbol
# Maps texts that may be the same word to the same text: i and l become one letter.
LOOKALIKES = str.maketrans({**{symbol: letters[0] for symbol, letters in READINGS.items()}, "l": "i", "£": "i"})

# Alternating i and l: a 1 may be either, and trying all ways to divide a run of them would take too long.
ALTERNATING_IL = re.compile(r"(?:i+l+){3}|(?:l+i+){3}")
# A repeated digit counts as one letter.
DIGITS = re.compile(r"(\d)\1*")
RUN = re.compile(r"(.)\1+", re.DOTALL)
GROUP = re.compile(r"(.)\1*", re.DOTALL)
# Punctuation at the start or end of a word.
EDGES = "!|+(" + MASKS
# A digit that replaces no letter is still part of its word.
OTHER_DIGIT = "2"
NO_LEET = str.maketrans({**dict.fromkeys(LEET_SYMBOLS + MASKS, " "), **dict.fromkeys("0123456789", OTHER_DIGIT)})
NO_MASKS = str.maketrans(dict.fromkeys(MASKS, " "))


def lookalike_key(text: str) -> str:
    """A key that is equal for texts that may be the same word."""
    return RUN.sub(r"\1", text.translate(LOOKALIKES))


def read_symbols(token: str) -> str:
    """Replace symbols that cannot be letters in this token by spaces; the length stays the same."""
    core = token.strip(EDGES)
    start = token.index(core)
    letters = sum(map(str.isalpha, core))
    digits = len(DIGITS.findall(core))
    # 45s, 1st and a55 are no words; a$$ and sh1t are.
    is_word = letters >= max(digits, 2) or (letters and not digits)
    core = core.translate(NO_MASKS if is_word else NO_LEET)
    return " " * start + core + " " * (len(token) - start - len(core))


class Spelling:
    """A pattern for the spellings of an entry: with repeated letters, and symbols for letters."""

    # Longer runs are cut to this length, or to twice the longest run of the entry.
    MAX_REPEATS = 6

    def __init__(self, normalized: str) -> None:
        as_is, all_doubled, longest, done = [], [], 1, 0
        last_word = len(normalized.rsplit(" ", 1)[-1])
        once = ALTERNATING_IL.search(normalized) is not None
        for letter, count in ((group[1], len(group[0])) for group in GROUP.finditer(normalized)):
            done += count
            if letter == " ":
                as_is.append(" +")
                all_doubled.append(" +")
                continue
            longest = max(longest, count)
            written = f"[{re.escape(letter + SYMBOLS_FOR.get(letter, ''))}]"
            if once and letter in "il":
                as_is.append(f"{written}{{{count}}}")
            elif count > 1:
                as_is.append(f"{written}{{{count},}}")
            elif may_double(letter, done == len(normalized), last_word):
                as_is.append(f"{written}+")
            else:
                as_is.append(f"(?:{written}{{3,}}|{written})")
            all_doubled.append(f"{written}{{{count * 2}}}")
        self._pattern = re.compile(f"{''.join(as_is)}|{''.join(all_doubled)}")
        self._repeats = max(self.MAX_REPEATS, longest * 2)
        self._length = len(normalized) * self._repeats

    def allows(self, written: str) -> bool:
        # Cut long runs: the pattern would try all ways to divide them.
        if len(written) > self._repeats:
            written = GROUP.sub(lambda run: run[0][: self._repeats], written)
        return len(written) <= self._length and self._pattern.fullmatch(written) is not None


spelling_of = lru_cache(maxsize=4096)(Spelling)
