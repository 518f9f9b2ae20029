"""What is no prose: web and e-mail addresses."""

from __future__ import annotations

import re

ADDRESS = re.compile(r"(?:https?://|www\.)\S+|@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)


def without_addresses(text: str) -> str:
    """The text with spaces where an address was, as long as before."""
    pieces: list[str] = []
    done = 0
    for found in ADDRESS.finditer(text):
        start = found.start()
        if text[start] == "@":
            # What stands before the @ is part of it.
            while start > done and not text[start - 1].isspace():
                start -= 1
            if start == found.start():
                continue
        pieces += (text[done:start], " " * (found.end() - start))
        done = found.end()
    if not done:
        return text
    pieces.append(text[done:])
    return "".join(pieces)
