"""Searches that no index serves: a bounded number of items is read and compared, and the page says how many."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dashboard.core.names import unaccented
from dashboard.table.read import Page


@dataclass(frozen=True)
class SearchPage(Page[Any]):
    """The matching items of a list, how many were searched, and the date of the last one."""

    searched: int = 0
    back_to: datetime | None = None
    # Only the items with the highest scores were sorted by date.
    is_limited: bool = False


def has_words(text: str, words: str) -> bool:
    """Whether a text contains all words, whatever their letter case and accents."""
    plain = unaccented(text)
    return all(word in plain for word in unaccented(words).split())
