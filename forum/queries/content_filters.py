"""Filters of the review queue and of the lists of posts and comments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, astuple, dataclass
from typing import Any

from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Collection
from dashboard.table.nested import maps_in
from dashboard.table.query_params import HIGHEST_CHARACTER, is_empty_range
from dashboard.table.registry import access_pattern
from dashboard.table.search import has_words
from dashboard.table.timestamps import to_wire
from forum.items import SCORE_STEPS, Comment, Post, score_in_key
from forum.queries.posts import SEARCHED_AT_ONCE, Order
from forum.statuses import ACTIVE, POSTS, REVIEW_QUEUE
from forum.word_rules import match_key


@dataclass(frozen=True)
class ContentFilter:
    """The filters of a list. The bounds are prefixes of a timestamp, both included."""

    author: str = ""
    # A word of the filter that was found in the text.
    word: str = ""
    score: float = 0.0
    since: str | None = None
    until: str | None = None
    # Words in the text or in the name of its author.
    q: str = ""

    @property
    def is_set(self) -> bool:
        """Whether anything but the search is set."""
        return bool(self.author or self.word or self.score or self.since or self.until)

    @property
    def has_author_id(self) -> bool:
        """Whether the author is an id, which an index finds, and not a part of a name."""
        return "@" in self.author

    @property
    def scope(self) -> tuple[str, ...]:
        return tuple(str(each or "") for each in astuple(self))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ContentFilter:
        """From what `to_dict` returned, which is stored with a bulk action."""
        return cls(**{**values, "score": float(values.get("score") or 0)})

    def to_dict(self) -> dict[str, Any]:
        values = {**asdict(self), "score": f"{self.score:.3f}" if self.score else ""}
        return {name: value for name, value in values.items() if value}

    def matches(self, item: Post | Comment) -> bool:
        created = to_wire(item.created_at) if item.created_at else ""
        return (
            has_words(f"{item.content or ''} {item.author_name or ''} {item.user_id or ''}", self.q)
            and (
                item.user_id == self.author or has_words(f"{item.author_name or ''} {item.user_id or ''}", self.author)
            )
            and (not self.word or match_key(self.word) in words_in(item))
            and (item.profanity_score or 0) >= self.score
            and (self.since is None or created >= self.since)
            and (self.until is None or created <= self.until + HIGHEST_CHARACTER)
        )


def words_in(item: Post | Comment) -> dict[str, str]:
    """The words that the filter found when the text was written, by the key that compares them."""
    matches = maps_in(item.filter_result.get("matches"))
    return {match_key(word): word for match in matches if (word := match.text("word"))}


@access_pattern(
    "Which posts or comments of this list can match these filters?",
    keys.POSTS_OF_AUTHOR,
    keys.COMMENTS_OF_AUTHOR,
    keys.POSTS_TO_REVIEW,
    keys.COMMENTS_TO_REVIEW,
    keys.POSTS_BY_STATUS,
    keys.COMMENTS_BY_STATUS,
)
def read_candidates(
    show: str, kind: str, order: Order, filters: ContentFilter, start_key: Any = None, limit: int = SEARCHED_AT_ONCE
) -> read.Page[Any]:
    """A page of the index that fits best. `matching` checks the filters that the index does not answer."""
    if is_empty_range(filters.since, filters.until):
        return read.Page([])
    try:
        collection, bounds = _source(show, kind, filters)
    except BadKey:
        return read.Page([])
    cls: type[Post] | type[Comment] = Post if kind == POSTS else Comment
    newest_first = reads_by_score(show, filters) or order is not Order.OLDEST
    return read.page(collection, cls, newest_first=newest_first, limit=limit, start_key=start_key, **bounds)


def reads_by_score(show: str, filters: ContentFilter) -> bool:
    """Whether the candidates are in the order of their scores; otherwise they are in the order of their dates."""
    return show == REVIEW_QUEUE and not filters.has_author_id


def _source(show: str, kind: str, filters: ContentFilter) -> tuple[Collection, dict[str, str | None]]:
    """The index to read, and the range of its sort key."""
    is_posts = kind == POSTS
    dates = {"since": filters.since, "until": filters.until}
    if filters.has_author_id:
        return (keys.POSTS_OF_AUTHOR if is_posts else keys.COMMENTS_OF_AUTHOR).collection(user=filters.author), dates
    if show == REVIEW_QUEUE:
        lowest = f"{round(filters.score * SCORE_STEPS):010d}" if filters.score else None
        return (keys.POSTS_TO_REVIEW if is_posts else keys.COMMENTS_TO_REVIEW).collection(), {"since": lowest}
    return (keys.POSTS_BY_STATUS if is_posts else keys.COMMENTS_BY_STATUS).collection(status=show), dates


def matching(show: str, filters: ContentFilter, items: Iterable[Any]) -> list[Any]:
    return [each for each in items if _is_in_list(show, each) and filters.matches(each)]


def _is_in_list(show: str, item: Post | Comment) -> bool:
    """The index of an author has items of every status, and any index may be behind."""
    return score_in_key(item) is not None if show == REVIEW_QUEUE else (item.status or ACTIVE) == show
