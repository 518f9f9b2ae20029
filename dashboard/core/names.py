"""Names of people and things: initials, forms for sorting and searching, safe output on a terminal."""

from __future__ import annotations

import unicodedata
from typing import Any


def initials(name: str) -> str:
    """The letters of an avatar, from the first two words of a name or parts of an e-mail address."""
    words = name.replace("@", " ").replace(".", " ").split()
    return "".join(word[0] for word in words[:2]).upper() or "?"


def folded(name: str) -> str:
    """A name for sorting and searching: without capitals, accents and characters that a key cannot contain."""
    return " ".join(unaccented(name).replace("#", " ").split())[:200]


def unaccented(text: str) -> str:
    """A text for searching: without capitals and accents."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return plain.casefold()


def printable(text: str) -> str:
    """A text as one safe line for a terminal: without escape sequences, line ends and marks of writing direction."""
    return "".join(each if each.isprintable() else "?" for each in text)


def printable_value(value: Any) -> str:
    """An unchecked value of the table or of a file as a short text for a terminal."""
    return printable(value[:200]) or "?" if isinstance(value, str) else "?"
