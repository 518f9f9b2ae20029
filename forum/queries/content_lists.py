"""The lists of the desk: posts and comments together or one kind, in an order, filtered. Each page is bounded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from dashboard.table import keys
from dashboard.table.merge import Positions, merge
from dashboard.table.read import Page
from dashboard.table.search import SearchPage
from dashboard.table.timestamps import to_wire
from forum.items import Comment, Post, score_in_key
from forum.queries import posts
from forum.queries.content_filters import ContentFilter, matching, read_candidates, reads_by_score
from forum.queries.posts import Order
from forum.statuses import BOTH_KINDS, KINDS, POSTS, REVIEW_QUEUE
from forum.targets import ForumTarget

BY_DATE = (Order.NEWEST, Order.OLDEST)
# The position in a list that is sorted here: the last item that was shown.
_AFTER = "after"


@dataclass(frozen=True)
class ContentList:
    """Which list, of what, in which order, with which filters."""

    show: str = REVIEW_QUEUE
    kind: str = BOTH_KINDS
    order: Order = Order.NEWEST
    filters: ContentFilter = field(default_factory=ContentFilter)

    @property
    def kinds(self) -> list[str]:
        return list(KINDS) if self.kind == BOTH_KINDS else [self.kind]

    @property
    def scope(self) -> tuple[str, ...]:
        return self.show, self.kind, self.order, *self.filters.scope

    @property
    def noun(self) -> str:
        return "posts and comments" if self.kind == BOTH_KINDS else self.kind

    @property
    def is_sorted_here(self) -> bool:
        """The queue has no index by date: the items with the highest scores are read and sorted on each page."""
        return reads_by_score(self.show, self.filters) and self.order is Order.OLDEST

    def reads(self, start: Positions | None) -> dict[str, Callable[[], Page[Any]]]:
        """One read for each kind that has not ended, for a page that runs them in parallel."""
        positions = dict.fromkeys(self.kinds) if start is None or self.is_sorted_here else start
        # A search examines as many items of two kinds as of one.
        limit = posts.SEARCHED_AT_ONCE // len(self.kinds) if self._is_search else posts.PAGE
        return {kind: partial(self._read, kind, positions[kind], limit) for kind in self.kinds if kind in positions}

    def merge(self, pages: dict[str, Page[Any]], start: Positions | None) -> Page[Any]:
        """The pages of both kinds as one, in the order of the list, with the items that match."""
        if self.is_sorted_here:
            return self._oldest_first(pages, start)
        limit = posts.SEARCHED_AT_ONCE if self._is_search else posts.PAGE
        found = self._merge(pages, start or {}, limit)
        if self.filters.is_set:
            return self._filtered(found)
        return posts.search(found, self.filters.q) if self.filters.q else found

    @property
    def _is_search(self) -> bool:
        return bool(self.filters.is_set or self.filters.q or self.is_sorted_here)

    def _read(self, kind: str, start_key: Any, limit: int) -> Page[Any]:
        if self.filters.is_set or self.is_sorted_here:
            return read_candidates(self.show, kind, self.order, self.filters, start_key, limit)
        if self.show == REVIEW_QUEUE:
            return (posts.posts_to_review if kind == POSTS else posts.comments_to_review)(start_key, limit)
        by_status: Any = posts.posts_by_status if kind == POSTS else posts.comments_by_status
        found: Page[Post] | Page[Comment] = by_status(self.show, self.order, start_key, limit)
        return found

    def _merge(self, pages: dict[str, Page[Any]], start: Positions, limit: int) -> Page[Any]:
        if self.order not in BY_DATE:
            (page,) = pages.values()
            position = page.next_start_key
            return replace(page, next_start_key={POSTS: position} if position is not None else None)
        by_score = reads_by_score(self.show, self.filters)
        if self.filters.has_author_id:
            # The sort key of this index begins with the kind.
            index, sort_key = keys.POSTS_OF_AUTHOR.index, _created
        else:
            index, sort_key = (keys.POSTS_TO_REVIEW if by_score else keys.POSTS_BY_STATUS).index, None
        newest_first = by_score or self.order is not Order.OLDEST
        return merge(pages, start, index=index, limit=limit, newest_first=newest_first, sort_key=sort_key)

    def _filtered(self, page: Page[Any]) -> SearchPage:
        found = matching(self.show, self.filters, page.items)
        if self.show == REVIEW_QUEUE and self.order is not Order.OLDEST:
            found.sort(key=lambda each: score_in_key(each) or 0, reverse=True)
        is_by_date = not reads_by_score(self.show, self.filters)
        back_to = page.items[-1].created_at if page.items and is_by_date else None
        return SearchPage(found, page.next_start_key, len(page.items), back_to)

    def _oldest_first(self, pages: dict[str, Page[Any]], start: Positions | None) -> SearchPage:
        read = [item for page in pages.values() for item in page.items]
        after = (start[_AFTER]["date"], start[_AFTER]["path"]) if start else ("", "")
        ordered = sorted(((_position(each), each) for each in matching(self.show, self.filters, read)), key=_first)
        left = [(position, each) for position, each in ordered if position > after]
        shown = left[: posts.PAGE]
        date, path = shown[-1][0] if shown else after
        next_key = {_AFTER: {"date": date, "path": path}} if len(left) > posts.PAGE else None
        is_limited = any(page.next_start_key is not None for page in pages.values())
        return SearchPage([each for _, each in shown], next_key, len(read), None, is_limited)


def _first(pair: tuple[tuple[str, str], Any]) -> tuple[str, str]:
    return pair[0]


def _position(item: Post | Comment) -> tuple[str, str]:
    return _created(item), ForumTarget.of(item).path


def _created(item: Any) -> str:
    return to_wire(item.created_at) if item.created_at else ""
