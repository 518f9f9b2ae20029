"""The words of the filter that were found in the latest posts and comments."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial

from dashboard.table import keys, read
from dashboard.table.registry import access_pattern
from forum.items import Comment, Post
from forum.queries.content_filters import words_in
from forum.statuses import STATUSES
from forum.targets import ForumTarget

# So many of the latest posts, and comments, of each status are read, and as many that wait for review.
READ_AT_ONCE = 150
_ATTRIBUTES = ("content", "status", "createdAt", "profanity", "profanityScore", "authorName", "userId")


@dataclass(frozen=True)
class MatchedTexts:
    """The latest texts in which the filter found something, newest first."""

    texts: list[Post | Comment]
    searched: int
    # Whether a list has more texts than were read.
    is_limited: bool

    def counts(self) -> list[tuple[str, int]]:
        """The number of texts for each word, the most frequent first."""
        spelling: dict[str, str] = {}
        counted: Counter[str] = Counter()
        for text in self.texts:
            found = words_in(text)
            spelling |= found
            counted.update(found.keys())
        return sorted(((spelling[key], count) for key, count in counted.items()), key=lambda pair: (-pair[1], pair[0]))

    def with_word(self, key: str) -> list[Post | Comment]:
        return [text for text in self.texts if key in words_in(text)]


@access_pattern(
    "In which of the latest posts and comments did the filter find a word?",
    keys.POSTS_BY_STATUS,
    keys.COMMENTS_BY_STATUS,
    keys.POSTS_TO_REVIEW,
    keys.COMMENTS_TO_REVIEW,
)
def latest_matches() -> MatchedTexts:
    """One bounded query for each list, all in parallel: there is no index of words."""
    lists = [(keys.POSTS_BY_STATUS.collection(status=status), Post) for status in STATUSES]
    lists += [(keys.COMMENTS_BY_STATUS.collection(status=status), Comment) for status in STATUSES]  # type: ignore[misc]
    lists += [(keys.POSTS_TO_REVIEW.collection(), Post), (keys.COMMENTS_TO_REVIEW.collection(), Comment)]  # type: ignore[list-item]
    pages = read.gather_all(
        [
            partial(read.page, collection, cls, newest_first=True, limit=READ_AT_ONCE, attributes=_ATTRIBUTES)
            for collection, cls in lists
        ]
    )
    found = {ForumTarget.of(item).path: item for page in pages for item in page.items}
    texts = sorted(
        (item for item in found.values() if words_in(item)),
        key=lambda item: item.created_at.timestamp() if item.created_at else 0.0,
        reverse=True,
    )
    return MatchedTexts(texts, len(found), any(page.next_start_key for page in pages))
