"""Normalization of a text for the matcher: no case, no accents, look-alike characters as the letters they stand for.

A table maps each character to exactly one, so that positions in the normalized text are positions in the original.
This is not possible for characters that become nothing (combining accents, zero-width) or several (ligatures). A text
with such characters is expanded first, which is slower and records the original position of each character.
"""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Callable

# Placeholders in a table's output for characters that become nothing or several. No character becomes one of these.
NOTHING, SEVERAL = "\x00", "\x01"
# Symbols that stand for a letter inside a word (LEET_SYMBOLS) or hide one (MASKS). Elsewhere they end a word.
LEET_SYMBOLS = "@$€!|+(£¢"
MASKS = "*#%"
TILDE = "\u0303"
MAX_CACHED = 20_000


def _alphabet(letters: str, start: int) -> dict[str, str]:
    return {chr(start + at): letter for at, letter in enumerate(letters)}


_LATIN = "abcdefghijklmnopqrstuvwxyz"
# Letters that Unicode does not decompose, after case folding. Of Cyrillic and Greek only those that look the same.
LOOK_ALIKES = {
    **dict(zip("авекмнорстухіјѕһԁԛԝѵӏьгп", "abekmhopctyxijshdqwvlbrn", strict=True)),
    **dict(zip("αβγεηικμνορτυχω", "abyenikuvoptuxw", strict=True)),
    **dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz", strict=True)),
    **dict(zip("øłđħıŧƀɓɗɡɑɩɐəɯʇ", "oldhitbbdgaiaemt", strict=True)),
    **_alphabet(_LATIN, 0x1F150),  # 🅐
    **_alphabet(_LATIN, 0x1F170),  # 🅰
}


def is_word(char: str) -> bool:
    """Whether the character is part of a word: a letter, mark or digit of any script."""
    return unicodedata.category(char)[0] in "LMN"


def _is_dropped(char: str) -> bool:
    """Whether the character becomes nothing: accents, overlays, zero-width. Vowel signs are letters."""
    category = unicodedata.category(char)
    if category in {"Cf", "Me"}:
        return True
    # Classes 7 to 9 are nukta, kana voicing and virama: they change the word.
    plain = unicodedata.combining(char) in {0, 7, 8, 9}
    return category == "Mn" and (not plain or char == "\u034f" or "\ufe00" <= char <= "\ufe0f" or char >= "\U000e0100")


def normalize_char(char: str) -> str:
    """The normalized form of a character: one character, none or several. Symbols stay."""
    if char in "ñÑ":
        return "ñ"
    category = unicodedata.category(char)
    if category[0] in "ZC" and category != "Cf":
        return " "
    if _is_dropped(char):
        return ""
    if char in LOOK_ALIKES:
        return LOOK_ALIKES[char]
    # Twice: a decomposed character may have case (ᴬ), and case folding may give one to decompose (ΐ).
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    normalized = "".join(LOOK_ALIKES.get(part, part) for part in decomposed if not _is_dropped(part))
    if category[0] in "LM" or len(normalized) == 1:
        return normalized if normalized.strip() else " "
    letters = "".join(part for part in normalized if is_word(part))
    # ⒜ is a letter; ™, ½ and … are not and stay one character.
    return letters if category == "So" and len(letters) == 1 else "0" if category[0] == "N" else char


class CharTable(dict[int, str]):
    """Maps each character to its normalized form, computed on first use."""

    def __init__(self, name: str, read: Callable[[str], str]) -> None:
        self._read = read
        super().__init__((code, self._normal_form(code)) for code in range(0x250))
        # Python translates bytes many times faster than text, and nearly all texts are Latin-1 with emoji.
        self._bytes = bytes(ord(self[code]) for code in range(256))
        self._errors = f"trastienda-{name}"
        codecs.register_error(self._errors, self._beyond_latin)

    def normalize(self, text: str) -> str:
        """The normalized text, with the same length."""
        try:
            return text.encode("latin-1", self._errors).translate(self._bytes).decode("latin-1")
        except UnicodeEncodeError:
            return text.translate(self)

    def _beyond_latin(self, error: UnicodeError) -> tuple[str, int]:
        """Normalize characters outside Latin-1; encoding fails if the result is outside too."""
        assert isinstance(error, UnicodeEncodeError)
        return error.object[error.start : error.end].translate(self).translate(_AS_LATIN), error.end

    def _normal_form(self, code: int) -> str:
        normalized = normalize_char(chr(code))
        return self._read(normalized) if len(normalized) == 1 else SEVERAL if normalized else NOTHING

    def __missing__(self, code: int) -> str:
        form = self._normal_form(code)
        if len(self) < MAX_CACHED:
            self[code] = form
        return form


# Latin-1 characters that the tables map to NOTHING and SEVERAL.
_AS_LATIN = {ord(NOTHING): "\xad", ord(SEVERAL): "ß"}
# LITERAL keeps all symbols, for entries that have some; LEET keeps those that may stand for letters; WORDS keeps none.
LITERAL = CharTable("literal", lambda normalized: normalized)
LEET = CharTable(
    "leet", lambda normalized: normalized if is_word(normalized) or normalized in LEET_SYMBOLS + MASKS else " "
)
WORDS = CharTable("words", lambda normalized: normalized if is_word(normalized) else " ")


def expand(text: str) -> tuple[str, list[int]]:
    """The normalized text, and the original position of each character; the last position is the end."""
    pieces: list[str] = []
    origins: list[int] = []
    for at, char in enumerate(text):
        if char == TILDE and pieces and pieces[-1] == "n" and at - origins[-1] == 1:
            # n with a combining tilde is ñ, which is a letter of its own.
            pieces[-1] = "ñ"
            continue
        normalized = normalize_char(char) if ord(char) > 127 else LITERAL[ord(char)]
        pieces.extend(normalized)
        origins.extend([at] * len(normalized))
    origins.append(len(text))
    return "".join(pieces), origins


def normalize_with_symbols(text: str) -> str:
    normalized = LITERAL.normalize(text)
    return expand(text)[0] if NOTHING in normalized or SEVERAL in normalized else normalized


# Punctuation between or after words, which is not part of an entry.
DIVIDERS = {ord(char): " " for char in "-–—_'’´`\".,;:¿?¡/…"}


def normalize_word(text: str) -> str:
    """The normalized word: equal for words that are the same to the matcher, empty where nothing is left to match."""
    normalized = " ".join(normalize_with_symbols(text).split())
    parts = " ".join(normalized.translate(DIVIDERS).strip("! ").split())
    # A word with symbols, or of punctuation only, is matched literally.
    return normalized if not parts or has_symbols(parts) else parts


def has_symbols(normalized: str) -> bool:
    """Whether a normalized entry has symbols (a$$, 🖕), so that only the same symbols match it."""
    return not normalized.replace(" ", "").isalnum() and not all(char == " " or is_word(char) for char in normalized)
