"""The words of the filter with the posts and comments in which they were found."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.capacity import expensive
from dashboard.web.pages import page
from forum.permissions import Permission
from forum.post_cards import Card
from forum.queries.matched_words import READ_AT_ONCE, latest_matches
from forum.reasons import ReasonChoices
from forum.statuses import COMMENTS, POSTS, TABS, Text
from forum.word_rules import MAX_LENGTH, match_key

# So many texts of a word, and so many words, are shown.
MAX_TEXTS, MAX_WORDS = 50, 500


@dataclass(frozen=True)
class WordCount:
    word: str
    count: int


@requires(Permission.FORUM)
@require_safe
@expensive()
def matched_words(request: Request) -> HttpResponse:
    """The number of texts for each word; with `word`, the texts themselves."""
    word = request.GET.get("word", "")[:MAX_LENGTH].strip()
    found = latest_matches()
    counts = found.counts()
    texts = found.with_word(match_key(word)) if word else []
    context = {
        "word": word,
        "found": found,
        "read_at_once": READ_AT_ONCE,
        "counts": [WordCount(*each) for each in counts[:MAX_WORDS]],
        "more_words": max(0, len(counts) - MAX_WORDS),
        "count": len(texts),
        "cards": [Card(text, ReasonChoices.of(None)) for text in texts[:MAX_TEXTS]],
        "more_texts": max(0, len(texts) - MAX_TEXTS),
        "lists": _lists(),
    }
    return page(request, "forum/matched_words.html", context)


def _lists() -> list[tuple[str, str, Text]]:
    """The lists in which the person can search further: status, kind and label."""
    return [(show, kind, label) for show, label in TABS.items() for kind in (POSTS, COMMENTS)]
