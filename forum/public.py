"""What other apps may use of the forum."""

from __future__ import annotations

from collections.abc import Iterable

from dashboard.web.pages import url_or_empty
from forum.items import Post
from forum.post_cards import Card
from forum.queries.posts import posts_of
from forum.reasons import Choices

__all__ = ["author_url", "cards_of", "posts_of"]


def cards_of(posts: Iterable[Post]) -> list[Card]:
    """Posts to show without the actions of moderators."""
    return [Card(post, Choices({})) for post in posts]


def author_url(user_id: str) -> str:
    """The page of a person's posts, or an empty text where their id cannot be part of an address."""
    return url_or_empty("forum_author", user_id)
