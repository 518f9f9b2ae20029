"""What to make of a name, and of a text that may be anything."""

from __future__ import annotations

import unicodedata
from typing import Any


def initials(name: str) -> str:
    """The letters an avatar shows: of the first two words, or of an address's first two parts."""
    words = name.replace("@", " ").replace(".", " ").split()
    return "".join(word[0] for word in words[:2]).upper() or "?"


def folded(name: str) -> str:
    """A name as it is sorted and found: no capitals, no accents, nothing that a key cannot hold."""
    return " ".join(unaccented(name).replace("#", " ").split())[:200]


def unaccented(text: str) -> str:
    """A text as people look for it: without capitals and accents."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return plain.casefold()


def printable(text: str) -> str:
    """A text as one line that a terminal only shows: no escapes, no line ends, nothing that turns the writing round."""
    return "".join(each if each.isprintable() else "?" for each in text)


def found(value: Any) -> str:
    """A text of the table or of a file that may be anything, short enough to stand in a line on a terminal."""
    return printable(value[:200]) or "?" if isinstance(value, str) else "?"
