"""What may stand in the filter's lists, and what is the same word written differently."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from django.utils.translation import gettext as _

from dashboard.core.names import folded
from forum.profanity import fold_word

MAX_LENGTH = 80
# A letter alone is in almost every text.
MIN_LETTERS = 2

# Of thousands of words, for every page that lists them: each is folded once.
sorted_as = lru_cache(maxsize=50_000)(folded)
same_as = lru_cache(maxsize=50_000)(fold_word)


class BadWord(ValueError):
    """A text that cannot stand in the list; the message says why."""


def tidy(text: str) -> str:
    """A word as it stands in the list: no white space around it, one space within."""
    text = " ".join(text.split())
    if not text:
        raise BadWord(_("There is no word."))
    if len(text) > MAX_LENGTH:
        raise BadWord(_("“%(text)s…” is longer than %(most)s characters.") % {"text": text[:30], "most": MAX_LENGTH})
    if not text.isprintable():
        raise BadWord(_("A character in it cannot be seen."))
    plain = same_as(text)
    # A sign of another script or an emoji is a word by itself.
    if not plain or (plain.isascii() and sum(map(str.isalnum, plain)) < MIN_LETTERS):
        raise BadWord(_("“%(text)s” is too short: it would be found in almost every text.") % {"text": text})
    return text


def twin(text: str, among: Iterable[str]) -> str | None:
    """The entry that is the same word to the filter, if there is one."""
    plain = same_as(text)
    return next((each for each in among if same_as(each) == plain), None)
