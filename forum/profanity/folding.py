"""Text as the matcher reads it: no case, no accents, look-alikes as the letters they stand for.

A table maps each character to exactly one, so that a place in the folded text is the place in the text. Characters that
fold to nothing (accents on their own, zero-width) or to several (ligatures) cannot; a text with such is unravelled
first, which takes longer and remembers where each character came from.
"""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Callable

# Stand in a table's output for what folds to nothing and to several; no text folds to these, they are no letters.
NOTHING, SEVERAL = "\x00", "\x01"
# Symbols that may stand for a letter inside a word, or hide one; elsewhere they end a word.
LEET_SYMBOLS = "@$€!|+(£¢"
MASKS = "*#%"
TILDE = "\u0303"
KEPT = 20_000


def _alphabet(letters: str, start: int) -> dict[str, str]:
    return {chr(start + at): letter for at, letter in enumerate(letters)}


_LATIN = "abcdefghijklmnopqrstuvwxyz"
# What Unicode does not take apart by itself, after case folding. Cyrillic and Greek: only what looks the same.
LOOK_ALIKES = {
    **dict(zip("авекмнорстухіјѕһԁԛԝѵӏьгп", "abekmhopctyxijshdqwvlbrn", strict=True)),
    **dict(zip("αβγεηικμνορτυχω", "abyenikuvoptuxw", strict=True)),
    **dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz", strict=True)),
    **dict(zip("øłđħıŧƀɓɗɡɑɩɐəɯʇ", "oldhitbbdgaiaemt", strict=True)),
    **_alphabet(_LATIN, 0x1F150),  # 🅐
    **_alphabet(_LATIN, 0x1F170),  # 🅰
}


def is_word(char: str) -> bool:
    """Whether it continues a word: letters, marks and digits of any script."""
    return unicodedata.category(char)[0] in "LMN"


def _drops(char: str) -> bool:
    """Whether nothing is left of it: accents, overlays, zero-width. Vowel signs of other scripts are letters."""
    category = unicodedata.category(char)
    if category in {"Cf", "Me"}:
        return True
    # Classes 7 to 9 are nukta, kana voicing and virama: without them it is another word.
    plain = unicodedata.combining(char) in {0, 7, 8, 9}
    return category == "Mn" and (not plain or char == "\u034f" or "\ufe00" <= char <= "\ufe0f" or char >= "\U000e0100")


def fold_char(char: str) -> str:
    """What a character stands for: one character, none or several. Symbols stand for themselves."""
    if char in "ñÑ":
        return "ñ"
    category = unicodedata.category(char)
    if category[0] in "ZC" and category != "Cf":
        return " "
    if _drops(char):
        return ""
    if char in LOOK_ALIKES:
        return LOOK_ALIKES[char]
    # Twice: what is taken apart may have case (ᴬ), and folding case may leave something to take apart (ΐ).
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    folded = "".join(LOOK_ALIKES.get(part, part) for part in apart if not _drops(part))
    if category[0] in "LM" or len(folded) == 1:
        return folded if folded.strip() else " "
    letters = "".join(part for part in folded if is_word(part))
    # ⒜ is a letter; ™, ½ and … are none, and one character as before.
    return letters if category == "So" and len(letters) == 1 else "0" if category[0] == "N" else char


class Table(dict[int, str]):
    """Each character's reading, worked out when it is first met."""

    def __init__(self, name: str, read: Callable[[str], str]) -> None:
        self._read = read
        super().__init__((code, self._reading(code)) for code in range(0x250))
        # Python folds bytes many times faster than text, and nearly all that people here write is Latin-1 with emoji.
        self._bytes = bytes(ord(self[code]) for code in range(256))
        self._errors = f"trastienda-{name}"
        codecs.register_error(self._errors, self._beyond_latin)

    def fold(self, text: str) -> str:
        """The text as the table reads it, as long as it was."""
        try:
            return text.encode("latin-1", self._errors).translate(self._bytes).decode("latin-1")
        except UnicodeEncodeError:
            return text.translate(self)

    def _beyond_latin(self, error: UnicodeError) -> tuple[str, int]:
        """Folds what is no Latin-1; if that gives none either, encoding fails."""
        assert isinstance(error, UnicodeEncodeError)
        return error.object[error.start : error.end].translate(self).translate(_AS_LATIN), error.end

    def _reading(self, code: int) -> str:
        folded = fold_char(chr(code))
        return self._read(folded) if len(folded) == 1 else SEVERAL if folded else NOTHING

    def __missing__(self, code: int) -> str:
        reading = self._reading(code)
        # Nobody needs all of Unicode at hand.
        if len(self) < KEPT:
            self[code] = reading
        return reading


# What the bytes of a table read as nothing and several.
_AS_LATIN = {ord(NOTHING): "\xad", ord(SEVERAL): "ß"}
# Symbols as they are, for list entries that have some; those a letter may hide behind; none.
LITERAL = Table("literal", lambda folded: folded)
LEET = Table("leet", lambda folded: folded if is_word(folded) or folded in LEET_SYMBOLS + MASKS else " ")
WORDS = Table("words", lambda folded: folded if is_word(folded) else " ")


def unravel(text: str) -> tuple[str, list[int]]:
    """The text with one character for each reading, and where each came from; the end comes last."""
    pieces: list[str] = []
    where: list[int] = []
    for at, char in enumerate(text):
        if char == TILDE and pieces and pieces[-1] == "n" and at - where[-1] == 1:
            # ñ is a letter of its own also when written as n and a tilde.
            pieces[-1] = "ñ"
            continue
        folded = fold_char(char) if ord(char) > 127 else LITERAL[ord(char)]
        pieces.extend(folded)
        where.extend([at] * len(folded))
    where.append(len(text))
    return "".join(pieces), where


def literal(text: str) -> str:
    """Folded, with its symbols."""
    folded = LITERAL.fold(text)
    return unravel(text)[0] if NOTHING in folded or SEVERAL in folded else folded


# What stands between words or after them and is no part of an entry.
DIVIDERS = {ord(char): " " for char in "-–—_'’´`\".,;:¿?¡/…"}


def fold_word(text: str) -> str:
    """What list entries share that are the same to the matcher; empty where nothing is left to match."""
    folded = " ".join(literal(text).split())
    parts = " ".join(folded.translate(DIVIDERS).strip("! ").split())
    # With symbols that count, or nothing but punctuation, it means just that.
    return folded if not parts or has_symbols(parts) else parts


def has_symbols(folded: str) -> bool:
    """Whether a folded entry has symbols that count (a$$, 🖕), so that only the same symbols match it."""
    return not folded.replace(" ", "").isalnum() and not all(char == " " or is_word(char) for char in folded)
