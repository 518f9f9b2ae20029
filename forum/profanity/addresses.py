"""Removes web addresses, e-mail addresses and mentions from a text before matching."""

from __future__ import annotations

import re
from collections.abc import Container

ADDRESS = re.compile(r"://\S*|www\.\S+|@\w+(?:[-.]\w+)*")
# Characters before the @ of an e-mail address, in addition to letters and digits.
LOCAL_PART = frozenset(".+-_")


def without_addresses(text: str, words: Container[str]) -> str:
    """Replace addresses and mentions by spaces; the length stays the same.

    A mention stays if it is a word of the list (@puta), or is one with the @ read as its first letter (@ss).
    """
    pieces: list[str] = []
    done = 0
    for found in ADDRESS.finditer(text):
        start, end = found.span()
        before = text[start - 1 : start]
        if text[start] == "@" and not before.isalnum():
            # Only up to a dot: what follows may be the next sentence.
            name = found.group()[1:].split(".", 1)[0].split("-", 1)[0]
            lower = name.lower()
            if lower in words or f"a{lower}" in words:
                continue
            end = start + 1 + len(name)
        elif text[start] == "@":
            if "." not in found.group():
                # The @ replaces a letter: put@s.
                continue
            while start > done and (text[start - 1].isalnum() or text[start - 1] in LOCAL_PART):
                start -= 1
        elif text[start] == ":":
            while start > done and text[start - 1].isalnum():
                start -= 1
        pieces += (text[done:start], " " * (end - start))
        done = end
    if not done:
        return text
    pieces.append(text[done:])
    return "".join(pieces)
