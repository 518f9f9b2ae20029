"""What is known about someone who writes, in a few numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern
from forum.actions import Action
from forum.items import ModerationEntry
from forum.queries import log
from forum.queries.posts import Counted

# So many decisions are counted; beyond them only that there are more.
COUNTED = 100
LATEST = 5


@dataclass(frozen=True)
class Record:
    """What someone wrote, and what was decided about it."""

    posts: Counted
    comments: Counted
    decided: Counter[str]
    latest: list[ModerationEntry]
    # There are more decisions than were counted.
    more: bool

    @property
    def bans(self) -> str:
        return self._count(Action.BAN)

    @property
    def restores(self) -> str:
        return self._count(Action.RESTORE)

    @property
    def deletions(self) -> str:
        return self._count(Action.DELETE)

    def _count(self, action: Action) -> str:
        return f"{self.decided[action]}+" if self.more else str(self.decided[action])


@access_pattern("How much has this person posted?", keys.POSTS_OF_AUTHOR)
def count_posts(user: str) -> Counted:
    try:
        return Counted(read.count(keys.POSTS_OF_AUTHOR.under(user=user)))
    except BadKey:
        return Counted(0)


@access_pattern("How much has this person commented?", keys.COMMENTS_OF_AUTHOR)
def count_comments(user: str) -> Counted:
    try:
        return Counted(read.count(keys.COMMENTS_OF_AUTHOR.under(user=user)))
    except BadKey:
        return Counted(0)


def record_reads(user: str) -> list[Any]:
    """The reads behind a record, to go out side by side with whatever else a page needs."""
    return [partial(count_posts, user), partial(count_comments, user), partial(log.of_author, user, None, COUNTED)]


def record_of(found: list[Any]) -> Record:
    posts, comments, entries = found
    decided = Counter(str(each.action) for each in entries.items)
    return Record(posts, comments, decided, entries.items[:LATEST], entries.next is not None)
