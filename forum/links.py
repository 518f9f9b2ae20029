"""The links in a text, with the host that each leads to. Nothing is loaded from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

_LINK = re.compile(r"(?:https?://|www\.)[^\s<>\"'`]+", re.IGNORECASE)
# Punctuation that ends a sentence rather than a link.
_AFTER_LINK = ".,;:!?…)]}»”’*_"
MAX_LINKS = 10


@dataclass(frozen=True)
class TextLink:
    url: str
    # As DNS knows it: a host in another alphabet that looks like a known one is shown as xn--….
    host: str


def links_of(text: str) -> list[TextLink]:
    """The first links of a text, each once."""
    return list(dict.fromkeys(_links(text)))[:MAX_LINKS]


def _links(text: str) -> Iterator[TextLink]:
    for found in _LINK.finditer(text):
        written = found.group().rstrip(_AFTER_LINK)
        url = written if "://" in written else f"http://{written}"
        try:
            host = urlsplit(url).hostname or ""
            host = host.encode("idna").decode("ascii")
        except ValueError:
            continue
        if "." in host.strip("."):
            yield TextLink(url, host)
