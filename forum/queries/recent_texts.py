"""The latest posts and comments, for testing a filter on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from dashboard.core.clock import now
from dashboard.table import keys, read, schema
from dashboard.table.keypattern import Collection
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire
from forum.impact import Text
from forum.items import Comment, Post
from forum.services.posts import MAX_CONTENT
from forum.statuses import ACTIVE, STATUSES
from forum.targets import ForumTarget, TargetKind

# The number of active posts and comments that a save is tested on.
SAMPLE_POSTS, SAMPLE_COMMENTS = 500, 250
_ATTRIBUTES = ("content", "status", "createdAt")
_LISTS = {TargetKind.POST: (keys.POSTS_BY_STATUS, Post), TargetKind.COMMENT: (keys.COMMENTS_BY_STATUS, Comment)}


@dataclass(frozen=True)
class TextPage:
    """Texts, newest first, and the position in the list of each status: a key, None for its start, or END."""

    texts: list[Text]
    positions: dict[str, Any]

    @property
    def is_last(self) -> bool:
        return all(position == END for position in self.positions.values())


END = "end"


@access_pattern("Which posts or comments of any status are the newest?", keys.POSTS_BY_STATUS, keys.COMMENTS_BY_STATUS)
def newest_texts(kind: TargetKind, until: str, positions: dict[str, Any], limit: int) -> TextPage:
    """The next `limit` texts of all statuses: the lists of the statuses are read in parallel and merged."""
    index, cls = _LISTS[kind]
    open_lists = [status for status in STATUSES if positions.get(status) != END]
    pages = read.gather_all(
        [
            partial(
                read.page,
                index.collection(status=status),
                cls,
                newest_first=True,
                until=until,
                start_key=positions.get(status),
                limit=limit,
                attributes=_ATTRIBUTES,
            )
            for status in open_lists
        ]
    )
    found = [
        (_sort_value(item), status, item) for status, page in zip(open_lists, pages, strict=True) for item in page.items
    ]
    found.sort(key=lambda each: each[0], reverse=True)
    taken = found[:limit]
    after = dict.fromkeys(STATUSES, END) | {status: positions.get(status) for status in open_lists}
    for status, page in zip(open_lists, pages, strict=True):
        own = [item for _, each, item in taken if each == status]
        if len(own) < len(page.items):
            after[status] = _position_after(index.collection(status=status), own[-1]) if own else positions.get(status)
        else:
            after[status] = page.next_start_key or END
    return TextPage([_text(item) for _, _, item in taken if item.key_parts], after)


def _sort_value(item: Post | Comment) -> str:
    return str(item.gsi2sk)


def _position_after(collection: Collection, item: Post | Comment) -> dict[str, Any]:
    """The start key of the page after this item."""
    key = item.key
    index_pk, index_sk = schema.BY_NAME[str(collection.index)].key_attributes
    return {
        schema.PK: {"S": key.pk},
        schema.SK: {"S": key.sk},
        index_pk: {"S": item.gsi2pk},
        index_sk: {"S": item.gsi2sk},
    }


@access_pattern("Which active posts and comments are the newest?", keys.POSTS_BY_STATUS, keys.COMMENTS_BY_STATUS)
def sample_texts() -> list[Text]:
    """The latest active posts and comments, read in parallel with one query each."""
    posts, comments = keys.POSTS_BY_STATUS.collection(status=ACTIVE), keys.COMMENTS_BY_STATUS.collection(status=ACTIVE)
    recent_posts, recent_comments = read.gather(
        lambda: read.page(posts, Post, newest_first=True, limit=SAMPLE_POSTS, attributes=_ATTRIBUTES),
        lambda: read.page(comments, Comment, newest_first=True, limit=SAMPLE_COMMENTS, attributes=_ATTRIBUTES),
    )
    recent: list[Post | Comment] = [*recent_posts.items, *recent_comments.items]
    return [_text(item) for item in recent if item.key_parts]


def sample_texts_of_all_statuses() -> list[Text]:
    """As many of the latest posts and comments, whatever their status."""
    until = to_wire(now())
    kinds = {TargetKind.POST: SAMPLE_POSTS, TargetKind.COMMENT: SAMPLE_COMMENTS}
    return [text for kind, limit in kinds.items() for text in newest_texts(kind, until, {}, limit).texts]


def _text(item: Post | Comment) -> Text:
    target = ForumTarget.of(item)
    # Outside writers may store longer texts, and matching 400 KB takes seconds.
    content = (item.content or "")[:MAX_CONTENT]
    return Text(target.post, target.comment, content, item.status or ACTIVE)
