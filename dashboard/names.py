"""What to make of a name."""

from __future__ import annotations

import unicodedata


def initials(name: str) -> str:
    """The letters an avatar shows: of the first two words, or of an address's first two parts."""
    words = name.replace("@", " ").replace(".", " ").split()
    return "".join(word[0] for word in words[:2]).upper() or "?"


def folded(name: str) -> str:
    """A name as it is sorted and found: no capitals, no accents, nothing that a key cannot hold."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))
    return " ".join(plain.casefold().replace("#", " ").split())[:200]
