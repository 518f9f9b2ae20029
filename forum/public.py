"""The public interface of the forum for other apps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from functools import partial
from urllib.parse import urlencode

from django.urls import reverse

from dashboard.platform.accounts.items import Person
from dashboard.web.pages import url_or_empty
from forum.actions import Action
from forum.items import Post
from forum.permissions import Permission
from forum.post_cards import Card
from forum.presenters import Piece, Trial, try_text
from forum.profanity import FilterConfig
from forum.queries.days import bans_of_day
from forum.queries.filter import current_filter
from forum.queries.posts import posts_of
from forum.reasons import ReasonChoices

__all__ = [
    "MAX_BANS",
    "FilterConfig",
    "Piece",
    "Trial",
    "announce_url",
    "author_url",
    "ban_reads",
    "bans_url",
    "can_read_forum",
    "cards_of",
    "load_filter",
    "posts_of",
    "try_text",
]

MAX_BANS = 500


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


def ban_reads(start: datetime, end: datetime) -> list[Callable[[], list[datetime]]]:
    """Reads of the times of the bans between two moments, one for each day of the log, to run in parallel.

    Each returns at most `MAX_BANS`, with the newest first.
    """
    last = (end - timedelta(seconds=1)).date()
    days = [start.date() + timedelta(days=each) for each in range((last - start.date()).days + 1)]
    return [partial(bans_of_day, day, start, end, MAX_BANS) for day in days]


def bans_url(person: Person, day: date) -> str:
    """The bans of a day in the log; empty for people who may not open it."""
    if not person.may(Permission.MODERATE):
        return ""
    return f"{reverse('forum_log')}?{urlencode({'action': Action.BAN, 'since': day, 'until': day})}"


def announce_url(person: Person) -> str:
    """Where event staff announce something in the forum; empty for people who may not."""
    return reverse("forum_announce") if person.may(Permission.ANNOUNCE) else ""
