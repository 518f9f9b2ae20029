"""Rules for the words of the filter's lists, and the keys that compare and sort them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from django.utils.translation import gettext as _

from dashboard.core.names import folded
from forum.profanity import normalize_word

MAX_LENGTH = 80
# A single letter is in almost every text.
MIN_LETTERS = 2

# Cached: a page that lists the words needs thousands of keys.
sort_key = lru_cache(maxsize=50_000)(folded)
# Words with the same key are the same word to the filter.
match_key = lru_cache(maxsize=50_000)(normalize_word)


class InvalidWord(ValueError):
    """A text that cannot be in the list; the message says why."""


def clean_word(text: str) -> str:
    """A word as it is stored: without surrounding white space, with single spaces inside."""
    text = " ".join(text.split())
    if not text:
        raise InvalidWord(_("Enter a word."))
    if len(text) > MAX_LENGTH:
        raise InvalidWord(
            _("“%(text)s…” is longer than %(most)s characters.") % {"text": text[:30], "most": MAX_LENGTH}
        )
    if not text.isprintable():
        raise InvalidWord(_("The word has an invisible character."))
    key = match_key(text)
    # A sign of another script or an emoji is a word by itself.
    if not key or (key.isascii() and sum(map(str.isalnum, key)) < MIN_LETTERS):
        raise InvalidWord(_("“%(text)s” is too short: it would match almost every text.") % {"text": text})
    return text


def find_duplicate(text: str, words: Iterable[str]) -> str | None:
    """The word that is the same as this text to the filter."""
    key = match_key(text)
    return next((each for each in words if match_key(each) == key), None)
