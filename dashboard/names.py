"""What to make of a name."""

from __future__ import annotations


def initials(name: str) -> str:
    """The letters an avatar shows: of the first two words, or of an address's first two parts."""
    words = name.replace("@", " ").replace(".", " ").split()
    return "".join(word[0] for word in words[:2]).upper() or "?"
