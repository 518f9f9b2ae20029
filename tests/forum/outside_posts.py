"""Posts and comments as the event's apps write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dashboard.table import keys
from dashboard.table.items import Raw
from forum.items import Comment, Post
from forum.targets import ForumTarget
from tests.forum.factories import TEXT_TO_REVIEW

# Milliseconds, as the event's services write times.
AT = "2026-03-01T10:00:00.318Z"


def raw_post(post: str = "p1", content: str = TEXT_TO_REVIEW, **more: Any) -> Raw:
    """A post as the apps write it: without our index keys, revision and score."""
    key = keys.POST.key(post=post)
    attributes = {"userId": "u@example.com", "content": content, "status": "active", "createdAt": AT}
    return {
        **{name: {"S": value} for name, value in ({"PK": key.pk, "SK": key.sk} | attributes).items()},
        "likes": {"N": "3"},
        "commentsCount": {"N": "1"},
        **more,
    }


def raw_comment(comment: str = "c1", content: str = TEXT_TO_REVIEW, post: str = "p1") -> Raw:
    key = keys.COMMENT.key(post=post, comment=comment)
    attributes = {"userId": "u@example.com", "content": content, "status": "active", "createdAt": AT}
    return {name: {"S": value} for name, value in ({"PK": key.pk, "SK": key.sk} | attributes).items()}


def ids(found: Sequence[Post | Comment]) -> list[str]:
    return [ForumTarget.of(each).id for each in found]
