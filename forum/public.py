"""The public interface of the forum for other apps."""

from __future__ import annotations

from collections.abc import Iterable

from dashboard.platform.accounts.items import Person
from dashboard.web.pages import url_or_empty
from forum.items import Post
from forum.permissions import Permission
from forum.post_cards import Card
from forum.presenters import Piece, Trial, try_text
from forum.profanity import FilterConfig
from forum.queries.filter import current_filter
from forum.queries.posts import posts_of
from forum.reasons import ReasonChoices

__all__ = [
    "FilterConfig",
    "Piece",
    "Trial",
    "author_url",
    "can_read_forum",
    "cards_of",
    "load_filter",
    "posts_of",
    "try_text",
]


def cards_of(posts: Iterable[Post]) -> list[Card]:
    """Posts to show without the actions of moderators."""
    return [Card(post, ReasonChoices({})) for post in posts]


def author_url(user_id: str) -> str:
    """The page of a person's posts, or an empty text where their id cannot be part of an address."""
    return url_or_empty("forum_author", user_id)


def can_read_forum(person: Person) -> bool:
    return person.may(Permission.FORUM)


def load_filter() -> FilterConfig:
    """The profanity filter that applies now. `try_text` computes its verdict about a text."""
    return current_filter()[1]
