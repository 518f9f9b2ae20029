"""What is no prose: web and e-mail addresses, and the names of people who are mentioned."""

from __future__ import annotations

import re
from collections.abc import Container

ADDRESS = re.compile(r"://\S*|www\.\S+|@\w+(?:[-.]\w+)*")
# What may stand before the @ of an e-mail address, beside letters and digits.
LOCAL_PART = frozenset(".+-_")


def without_addresses(text: str, words: Container[str]) -> str:
    """The text with spaces where an address or a name was, as long as before.

    A name stays if all of it is a word of the list (@puta), or with the @ as its first letter (@ss).
    """
    pieces: list[str] = []
    done = 0
    for found in ADDRESS.finditer(text):
        start, end = found.span()
        before = text[start - 1 : start]
        if text[start] == "@" and not before.isalnum():
            # Of somebody.who only what is before the dot: the rest may be the next sentence.
            name = found.group()[1:].split(".", 1)[0].split("-", 1)[0]
            folded = name.lower()
            if folded in words or f"a{folded}" in words:
                continue
            end = start + 1 + len(name)
        elif text[start] == "@":
            if "." not in found.group():
                # A letter in disguise: put@s.
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
