"""Queries for the summary of an author."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.read import Page
from dashboard.table.registry import access_pattern
from forum.actions import Action
from forum.items import ModerationEntry
from forum.queries import log
from forum.queries.posts import LimitedCount
from forum.reversals import count_actions

# So many log entries are counted at most.
MAX_COUNTED = 100
LATEST = 5


@dataclass(frozen=True)
class Record:
    """How much someone has written, and how often moderators have acted on it; mistaken decisions do not count."""

    posts: LimitedCount
    comments: LimitedCount
    actions: Counter[str]
    latest: list[ModerationEntry]
    # Whether there are more than were counted.
    has_more: bool

    @property
    def bans(self) -> str:
        return self._count(Action.BAN)

    @property
    def restores(self) -> str:
        return self._count(Action.RESTORE)

    def _count(self, action: Action) -> str:
        return f"{self.actions[action]}+" if self.has_more else str(self.actions[action])


@access_pattern("How much has this person posted?", keys.POSTS_OF_AUTHOR)
def count_posts(author: str) -> LimitedCount:
    try:
        return LimitedCount(read.count(keys.POSTS_OF_AUTHOR.collection(user=author)))
    except BadKey:
        return LimitedCount(0)


@access_pattern("How much has this person commented?", keys.COMMENTS_OF_AUTHOR)
def count_comments(author: str) -> LimitedCount:
    try:
        return LimitedCount(read.count(keys.COMMENTS_OF_AUTHOR.collection(user=author)))
    except BadKey:
        return LimitedCount(0)


RecordReads = tuple[Callable[[], LimitedCount], Callable[[], LimitedCount], Callable[[], Page[ModerationEntry]]]


def record_reads(author: str) -> RecordReads:
    """The reads of a record, for a page that runs them in parallel with its own."""
    return (
        partial(count_posts, author),
        partial(count_comments, author),
        partial(log.of_author, author, None, MAX_COUNTED),
    )


def build_record(posts: LimitedCount, comments: LimitedCount, entries: Page[ModerationEntry]) -> Record:
    """From the results of `record_reads`."""
    counts = count_actions(entries.items)
    return Record(posts, comments, counts, entries.items[:LATEST], entries.next_start_key is not None)
