"""Counters that the apps move, and the index keys that follow them."""

from __future__ import annotations

import logging
from functools import reduce
from operator import and_
from typing import Any, cast

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from dashboard.core.errors import NotFound, Unavailable
from dashboard.table import write
from dashboard.table.commands import Command
from dashboard.table.keypattern import Key
from dashboard.table.retries import Backoff
from dashboard.table.transactions import Transaction, idempotent
from forum.items import Post
from forum.queries.posts import find_post
from forum.targets import Target

logger = logging.getLogger("trastienda.forum")

_FOLLOWS = ("gsi3sk", "gsi4sk")
_DECIDES = ("likes", "comments_count", "status", "created_at")


def add(**counts: int) -> list[Action]:
    """The update that moves a post's counters: likes, comments_count."""
    attributes = Post.get_attributes()
    return [attributes[name].add(number) for name, number in counts.items()]


def counts_comments(post: Post) -> bool:
    """Whether they are counted there: to what another service keeps as a text nothing can be added."""
    return Post.comments_count.attr_name not in post.mistyped


@idempotent
def like(target: Target, number: int = 1, *, command: Command) -> None:
    """Somebody likes a post, or does not any more. No moderator's form grows old by it."""
    transaction = Transaction(command)
    # Where another service keeps a text there, nobody counts.
    a_number = Post.likes.does_not_exist() | Post.likes.is_type()  # type: ignore[no-untyped-call]
    transaction.update(target.post_key, add(likes=number), Post.pk.exists() & a_number, lambda _: NotFound())
    transaction.commit(None)
    settle(target.post_key)


def settle(key: Key) -> None:
    """Put a post where its counters say. What they count is done: where the table is silent, the next one mends it."""
    try:
        _settle(key)
    except Unavailable:
        logger.warning("a post is not where its counters say")


def _settle(key: Key) -> None:
    """On the condition that they still say so; the last of many to come is right."""
    backoff, attributes = Backoff(tries=24), Post.get_attributes()
    while (post := find_post(key)) is not None:
        stands = {name: getattr(post, name) for name in _FOLLOWS}
        decides = {name: getattr(post, name) for name in _DECIDES}
        if post.mistyped & {attributes[name].attr_name for name in _DECIDES}:
            return  # Of another type than ours: there is nothing to insist on.
        post.set_index_keys()
        wanted = {name: getattr(post, name) for name in _FOLLOWS}
        if stands == wanted or not all(wanted.values()):
            return
        actions = [attributes[name].set(value) for name, value in wanted.items()]
        still: list[Any] = [
            attributes[name].does_not_exist() if value is None else attributes[name] == value
            for name, value in decides.items()
        ]
        if write.touch(key, actions, cast(Condition, reduce(and_, still))) is not None or not backoff.wait():
            return
