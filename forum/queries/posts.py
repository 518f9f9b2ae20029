"""Queries for posts and comments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from pynamodb.expressions.condition import Condition

from dashboard.core.errors import NotFound
from dashboard.table import keys, read, schema
from dashboard.table.keypattern import BadKey, Collection, Key
from dashboard.table.registry import access_pattern
from dashboard.table.search import SearchPage, has_words
from dashboard.table.timestamps import from_wire, to_wire
from forum.items import Comment, Post, non_negative
from forum.statuses import ACTIVE
from forum.targets import ForumTarget

PAGE = 25
SEARCHED_AT_ONCE = 300


class Order(StrEnum):
    """The order of a list."""

    NEWEST = "newest"
    OLDEST = "oldest"
    LIKES = "likes"
    COMMENTS = "comments"


_COUNTERS = {Order.LIKES: "likes", Order.COMMENTS: "comments_count"}
# The digits of a number in an index key (`n10`).
COUNTER_DIGITS = 10
# The position in a list that is sorted here.
_OFFSET = "offset"


@access_pattern("Which posts wait for review, the worst first?", keys.POSTS_TO_REVIEW)
def posts_to_review(start_key: Any = None, limit: int = PAGE) -> read.Page[Post]:
    return read.page(keys.POSTS_TO_REVIEW.collection(), Post, newest_first=True, start_key=start_key, limit=limit)


@access_pattern("Which comments wait for review, the worst first?", keys.COMMENTS_TO_REVIEW)
def comments_to_review(start_key: Any = None, limit: int = PAGE) -> read.Page[Comment]:
    return read.page(keys.COMMENTS_TO_REVIEW.collection(), Comment, newest_first=True, start_key=start_key, limit=limit)


@access_pattern(
    "Which posts have this status, by date, likes or comments?",
    keys.POSTS_BY_STATUS,
    keys.POSTS_BY_LIKES,
    keys.POSTS_BY_COMMENTS,
)
def posts_by_status(
    status: str, order: Order = Order.NEWEST, start_key: Any = None, limit: int = PAGE
) -> read.Page[Post]:
    feed = "" if status == ACTIVE else status
    collection = {
        Order.LIKES: lambda: keys.POSTS_BY_LIKES.collection(status=feed),
        Order.COMMENTS: lambda: keys.POSTS_BY_COMMENTS.collection(status=feed),
    }.get(order, lambda: keys.POSTS_BY_STATUS.collection(status=status))()
    if start_key is not None and _OFFSET in start_key:
        return _sorted_here(collection, order, int(start_key[_OFFSET]["n"]), limit)
    found = read.page(collection, Post, newest_first=order is not Order.OLDEST, start_key=start_key, limit=limit)
    if order not in _COUNTERS:
        return found
    # Keys without leading zeros sort above all others, so they are on the first page.
    if start_key is None and any(_has_unpadded_key(post, collection) for post in found.items):
        return _sorted_here(collection, order, 0, limit)
    return read.Page(_by_counter(found.items, order), found.next_start_key)


@dataclass(frozen=True)
class SortedPage(read.Page[Post]):
    """A page of posts that were sorted here. `is_limited`: only the first `sorted_count` posts of the index were."""

    sorted_count: int = 0
    is_limited: bool = False


def _has_unpadded_key(post: Post, collection: Collection) -> bool:
    name = schema.BY_NAME[collection.index or ""].sk or ""
    number, _, _created_at = str(post.raw.get(name, {}).get("S", "")).partition("#")
    return len(number) < COUNTER_DIGITS


@access_pattern(
    "Which posts have the most likes or comments, if their keys lack leading zeros?",
    keys.POSTS_BY_LIKES,
    keys.POSTS_BY_COMMENTS,
)
def _sorted_here(collection: Collection, order: Order, offset: int, limit: int) -> SortedPage:
    """Outside writers do not pad the numbers in the index keys: a few hundred posts are read and sorted."""
    found = read.page(collection, Post, newest_first=True, limit=SEARCHED_AT_ONCE)
    ordered, end = _by_counter(found.items, order), offset + limit
    next_start_key = {_OFFSET: {"n": str(end)}} if end < len(ordered) else None
    return SortedPage(ordered[offset:end], next_start_key, len(ordered), found.next_start_key is not None)


def _by_counter(found: list[Post], order: Order) -> list[Post]:
    """The posts in the order of their counters."""
    name = _COUNTERS[order]
    return sorted(found, key=lambda post: (non_negative(getattr(post, name)), _created(post)), reverse=True)


def _created(item: Post | Comment) -> str:
    """Sort key: without a date it comes first."""
    return to_wire(item.created_at) if item.created_at else ""


@access_pattern("Which comments have this status, by date?", keys.COMMENTS_BY_STATUS)
def comments_by_status(
    status: str, order: Order = Order.NEWEST, start_key: Any = None, limit: int = PAGE
) -> read.Page[Comment]:
    collection = keys.COMMENTS_BY_STATUS.collection(status=status)
    return read.page(collection, Comment, newest_first=order is not Order.OLDEST, start_key=start_key, limit=limit)


@access_pattern("Which comments of this status has this post, the oldest first?", keys.COMMENTS_OF_POST)
def comments_of(post: str, status: str = ACTIVE, start_key: Any = None, limit: int = PAGE) -> read.Page[Comment]:
    return read.page(
        keys.COMMENTS_OF_POST.collection(post=post, status=status), Comment, start_key=start_key, limit=limit
    )


@access_pattern("Which comments has this post?", keys.COMMENT, partition=True)
def all_comments_of(post: str, start_key: Any = None, limit: int = PAGE) -> read.Page[Comment]:
    """Of every status, from the post's own partition: also comments without index keys.

    The pages are in the order of the ids; a page is in the order of the dates.
    """
    found = read.page(keys.COMMENT.collection(post=post), Comment, start_key=start_key, limit=limit)
    return read.Page(sorted(found.items, key=_created), found.next_start_key)


@access_pattern("What has this person posted, newest first?", keys.POSTS_OF_AUTHOR)
def posts_of(author: str, start_key: Any = None, limit: int = PAGE) -> read.Page[Post]:
    try:
        collection = keys.POSTS_OF_AUTHOR.collection(user=author)
    except BadKey:
        return read.Page([])
    return read.page(collection, Post, newest_first=True, start_key=start_key, limit=limit)


@access_pattern("What has this person announced, newest first?", keys.POSTS_OF_AUTHOR)
def announcements_of(author: str, start_key: Any = None, limit: int = PAGE) -> read.Page[Post]:
    collection = keys.POSTS_OF_AUTHOR.collection(user=author)
    keep = cast(Condition, Post.announcement == True)  # noqa: E712
    return read.filter_page(collection, Post, keep, newest_first=True, start_key=start_key, limit=limit)


@access_pattern("What has this person commented, newest first?", keys.COMMENTS_OF_AUTHOR)
def comments_by(author: str, start_key: Any = None, limit: int = PAGE) -> read.Page[Comment]:
    try:
        collection = keys.COMMENTS_OF_AUTHOR.collection(user=author)
    except BadKey:
        return read.Page([])
    return read.page(collection, Comment, newest_first=True, start_key=start_key, limit=limit)


@access_pattern("Which post or comment is this?", keys.POST, keys.COMMENT)
def load_item(target: ForumTarget) -> Post | Comment:
    found = read.get_many([target.key])[0]
    if not isinstance(found, Post | Comment):
        raise NotFound
    return found


@access_pattern("Which post is this comment on, and which comment does it reply to?", keys.POST, keys.COMMENT)
def load_context(target: ForumTarget, reply_to: str) -> tuple[Post | None, Comment | None]:
    """None where it does not exist."""
    targets = [ForumTarget(target.post), *([ForumTarget(target.post, reply_to)] if reply_to else [])]
    post, *parents = read.get_many([each.key for each in targets])
    parent = parents[0] if parents else None
    return (post if isinstance(post, Post) else None), (parent if isinstance(parent, Comment) else None)


@access_pattern("Which post has this key?", keys.POST)
def find_post(key: Key) -> Post | None:
    return read.get(Post, key)


@dataclass(frozen=True)
class LimitedCount:
    """A count up to a hundred; from there on "100+"."""

    number: int

    def __str__(self) -> str:
        return f"{read.COUNT_LIMIT}+" if self.number >= read.COUNT_LIMIT else str(self.number)


@access_pattern("How many posts wait for review?", keys.POSTS_TO_REVIEW)
def posts_waiting() -> LimitedCount:
    return LimitedCount(read.count(keys.POSTS_TO_REVIEW.collection()))


@access_pattern("How many comments wait for review?", keys.COMMENTS_TO_REVIEW)
def comments_waiting() -> LimitedCount:
    return LimitedCount(read.count(keys.COMMENTS_TO_REVIEW.collection()))


@access_pattern("How many active posts or comments were written since?", keys.POSTS_BY_STATUS, keys.COMMENTS_BY_STATUS)
def written_since(is_posts: bool, since: str, only_waiting: bool) -> int:
    """Up to a hundred. Nothing is new if `since` is not a timestamp."""
    try:
        from_wire(since)
    except (ValueError, OverflowError):
        return 0
    collection = (keys.POSTS_BY_STATUS if is_posts else keys.COMMENTS_BY_STATUS).collection(status=ACTIVE)
    cls: type[Post] | type[Comment] = Post if is_posts else Comment
    found = read.page(collection, cls, since=since, limit=read.COUNT_LIMIT, attributes=("GSIStatusPK",)).items
    return sum(not only_waiting or bool(each.gsistatuspk) for each in found)


def search(page: read.Page[Any], words: str) -> SearchPage:
    """The matching items of a page of a few hundred: there is no index of texts."""
    back_to = page.items[-1].created_at if page.items else None
    return SearchPage(find(page.items, words), page.next_start_key, len(page.items), back_to)


def find(items: Iterable[Any], words: str) -> list[Any]:
    """The posts and comments whose text or author contains all words."""
    return [
        each
        for each in items
        if has_words(f"{each.content or ''} {each.author_name or ''} {each.user_id or ''}", words)
    ]
