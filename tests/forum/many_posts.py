"""Thousands of raw posts and comments, built without the services."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from dashboard.table.items import Raw
from dashboard.table.timestamps import from_wire
from forum.items import Comment, Post

START = from_wire("2025-01-01T00:00:00Z")
TEXT = "Qué puta espera en la fila del escenario norte, y nadie dice nada. " * 3
STATUSES = ("active", "active", "active", "banned", "deleted")


def raw_posts(numbers: range) -> Iterator[Raw]:
    for number in numbers:
        post = Post.new(post=f"many-{number:07}")
        post.likes, post.comments_count = number % 97, number % 13
        yield _fill(post, number)
        comment = Comment.new(post=f"many-{number:07}", comment=f"below-{number:07}")
        yield _fill(comment, number)


def _fill(item: Post | Comment, number: int) -> Raw:
    item.user_id, item.author_name, item.content = f"p{number % 10}@example.com", f"Person {number % 10}", TEXT
    item.status = STATUSES[number % len(STATUSES)]
    item.created_at = _at(number)
    item.profanity_score = 0.5
    item.set_index_keys()
    raw: Raw = item.serialize()
    return {name: value for name, value in raw.items() if value is not None}


def _at(number: int) -> datetime:
    return START + timedelta(seconds=number * 20)
