"""Counters of posts, and the index keys that depend on them."""

from __future__ import annotations

import logging

from pynamodb.constants import NUMBER
from pynamodb.expressions.update import Action

from dashboard.core.errors import NotFound, Unavailable
from dashboard.table import write
from dashboard.table.commands import Command
from dashboard.table.keypattern import Key
from dashboard.table.retries import Backoff
from dashboard.table.transactions import Transaction, idempotent
from forum.items import Post
from forum.queries.posts import find_post
from forum.targets import ForumTarget

logger = logging.getLogger("trastienda.forum")

_INDEX_KEYS = ("gsi3sk", "gsi4sk")
_SOURCES = ("likes", "comments_count", "status", "created_at")


def add(**counts: int) -> list[Action]:
    """The update that moves a post's counters: likes, comments_count."""
    attributes = Post.get_attributes()
    return [attributes[name].add(number) for name, number in counts.items()]


def counts_comments(post: Post) -> bool:
    """False if an outside writer has stored a text: nothing can be added to it."""
    stored = post.raw.get(str(Post.comments_count.attr_name), {})
    return not stored or NUMBER in stored


@idempotent
def like(target: ForumTarget, number: int = 1, *, command: Command) -> None:
    """Add or remove likes. The revision does not change, so forms of moderators stay valid."""
    transaction = Transaction(command)
    # A text of an outside writer cannot be counted up.
    a_number = Post.likes.does_not_exist() | Post.likes.is_type()  # type: ignore[no-untyped-call]
    if number < 0:
        a_number = Post.likes >= -number
    transaction.update(target.post_key, add(likes=number), Post.pk.exists() & a_number, lambda _: NotFound())
    transaction.commit(None)
    settle(target.post_key)


def settle(key: Key) -> None:
    """Update the index keys from the counters. If the table does not answer, the next change repairs them."""
    try:
        _settle(key)
    except Unavailable:
        logger.warning("the index keys of a post do not match its counters")


def _settle(key: Key) -> None:
    """On the condition that the counters have not changed: of many parallel calls the last one is right."""
    backoff, attributes = Backoff(tries=24), Post.get_attributes()
    while (post := find_post(key)) is not None:
        current = {name: getattr(post, name) for name in _INDEX_KEYS}
        post.set_index_keys()
        correct = {name: getattr(post, name) for name in _INDEX_KEYS}
        if current == correct or not all(correct.values()):
            return
        actions = [attributes[name].set(value) for name, value in correct.items()]
        unchanged = post.unchanged(*(str(attributes[name].attr_name) for name in _SOURCES))
        if write.update(key, actions, unchanged) is not None or not backoff.wait():
            return
