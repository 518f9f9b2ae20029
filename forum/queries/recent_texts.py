"""What was written last, whatever became of it: for a filter that is tried on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from dashboard.table import keys, read, schema
from dashboard.table.keypattern import Collection
from dashboard.table.registry import access_pattern
from forum.impact import Text
from forum.items import Comment, Post
from forum.services.posts import MAX_CONTENT
from forum.statuses import ACTIVE, STATUSES
from forum.targets import Kind, Target

# What is held at saving is judged by so many of those that people see.
SAMPLE_POSTS, SAMPLE_COMMENTS = 500, 250
_ONLY = ("content", "status", "createdAt")
_LISTS = {Kind.POST: (keys.POSTS_BY_STATUS, Post), Kind.COMMENT: (keys.COMMENTS_BY_STATUS, Comment)}


@dataclass(frozen=True)
class Newest:
    """Texts, the newest first, and where each list goes on: a place in it, none for its beginning, or its end."""

    texts: list[Text]
    places: dict[str, Any]

    @property
    def is_last(self) -> bool:
        return all(place == END for place in self.places.values())


END = "end"


@access_pattern("What was written last, whatever became of it?", keys.POSTS_BY_STATUS, keys.COMMENTS_BY_STATUS)
def newest(kind: Kind, until: str, places: dict[str, Any], limit: int) -> Newest:
    """The next so many of all statuses, side by side: each list gives as many, and the newest of all count."""
    index, cls = _LISTS[kind]
    open_lists = [status for status in STATUSES if places.get(status) != END]
    pages = read.gather_all(
        [
            partial(
                read.page,
                index.under(status=status),
                cls,
                newest_first=True,
                until=until,
                start=places.get(status),
                limit=limit,
                only=_ONLY,
            )
            for status in open_lists
        ]
    )
    found = [(_when(item), status, item) for status, page in zip(open_lists, pages, strict=True) for item in page.items]
    found.sort(key=lambda each: each[0], reverse=True)
    taken = found[:limit]
    after = dict.fromkeys(STATUSES, END) | {status: places.get(status) for status in open_lists}
    for status, page in zip(open_lists, pages, strict=True):
        own = [item for _, of, item in taken if of == status]
        if len(own) < len(page.items):
            after[status] = _place(index.under(status=status), own[-1]) if own else places.get(status)
        else:
            after[status] = page.next or END
    return Newest([_text(item) for _, _, item in taken if item.key_parts], after)


def _when(item: Post | Comment) -> str:
    return str(item.gsi2sk)


def _place(where: Collection, item: Post | Comment) -> dict[str, Any]:
    """Where a page that follows this item starts."""
    key = item.key
    by, of = (str(name) for name in schema.BY_NAME[str(where.index)][1:3])
    return {schema.PK: {"S": key.pk}, schema.SK: {"S": key.sk}, by: {"S": item.gsi2pk}, of: {"S": item.gsi2sk}}


@access_pattern(
    "Which posts and comments that people see are the newest?", keys.POSTS_BY_STATUS, keys.COMMENTS_BY_STATUS
)
def sample() -> list[Text]:
    """So much of it as one question each gives, side by side."""
    posts, comments = keys.POSTS_BY_STATUS.under(status=ACTIVE), keys.COMMENTS_BY_STATUS.under(status=ACTIVE)
    recent_posts, recent_comments = read.gather(
        lambda: read.page(posts, Post, newest_first=True, limit=SAMPLE_POSTS, only=_ONLY),
        lambda: read.page(comments, Comment, newest_first=True, limit=SAMPLE_COMMENTS, only=_ONLY),
    )
    recent: list[Post | Comment] = [*recent_posts.items, *recent_comments.items]
    return [_text(item) for item in recent if item.key_parts]


def _text(item: Post | Comment) -> Text:
    target = Target.of(item)
    # As much as people can write: other services let more in, and one of 400 KB takes seconds.
    content = (item.content or "")[:MAX_CONTENT]
    return Text(target.post, target.comment, content, item.status or ACTIVE)
