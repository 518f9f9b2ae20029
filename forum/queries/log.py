"""Queries for the moderation log."""

from __future__ import annotations

import functools
import operator
from dataclasses import astuple, dataclass
from typing import Any
from urllib.parse import unquote

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from dashboard.core.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Collection
from dashboard.table.registry import access_pattern
from forum.actions import Action
from forum.items import ADDRESS, ModerationEntry
from forum.queries.days import LogPage, by_day
from forum.targets import ForumTarget

PAGE = 50
# The filter as moderator, followed by its version. It only bans.
FILTER = "profanity@"


@dataclass(frozen=True)
class LogFilter:
    """The filters of the log. The bounds are prefixes of a sort key, both included."""

    moderator: str = ""
    action: str = ""
    author: str = ""
    target: str = ""
    operation: str = ""
    since: str | None = None
    until: str | None = None
    # A part of the statistics (forum/statistics/counted_entries.py).
    counted: str = ""

    @property
    def scope(self) -> tuple[str, ...]:
        """A cursor works only for the same filters."""
        return tuple(each or "" for each in astuple(self))


@access_pattern("Which log entry is this?", keys.MODERATION)
def load_entry(address: str) -> ModerationEntry:
    """By its address: time, moderator and id."""
    at, _, rest = address.partition(ADDRESS)
    admin, _, action = rest.rpartition(ADDRESS)
    action = unquote(action)
    try:
        found = read.get(ModerationEntry, keys.MODERATION.key(date=at[:10], at=at, admin=admin, action=action))
    except BadKey:
        found = None
    if found is None:
        raise NotFound
    return found


@access_pattern(
    "Which entries of the log match these filters, newest first?",
    keys.MODERATION_OF_TARGET,
    keys.MODERATION_OF_OPERATION,
    keys.MODERATION_OF_AUTHOR,
    keys.MODERATION_BY,
    keys.MODERATION_BY_ACTION,
)
def log(
    filters: LogFilter, start_key: Any = None, *, limit: int = PAGE, max_requests: int = read.MAX_FILTER_REQUESTS
) -> read.Page[ModerationEntry]:
    """Reads the index of one filter and checks the others; without a filter the log is read day by day."""
    if read.is_empty_range(filters.since, filters.until):
        return LogPage([])
    try:
        collection, covered = _where(filters)
    except BadKey:
        return LogPage([])
    if collection is None:
        return by_day(filters.since, filters.until, start_key, limit)
    options: dict[str, Any] = {"since": filters.since, "until": filters.until, "newest_first": True}
    options |= {"start_key": start_key, "limit": limit}
    keep = _remaining_condition(filters, covered)
    if keep is None:
        return read.page(collection, ModerationEntry, **options)
    found = read.filter_page(collection, ModerationEntry, keep, max_requests=max_requests, **options)
    reached = ModerationEntry.new_at_key(found.last_key_read).moment if found.last_key_read else None
    return LogPage(found.items, found.next_start_key, reached)


def _where(filters: LogFilter) -> tuple[Collection | None, str]:
    """The most selective index, and the filter that it covers."""
    if filters.target:
        return keys.MODERATION_OF_TARGET.collection(target=ForumTarget.from_path(filters.target).id), "target"
    if filters.operation:
        return keys.MODERATION_OF_OPERATION.collection(operation=filters.operation), "operation"
    if filters.author:
        return keys.MODERATION_OF_AUTHOR.collection(user=filters.author), "author"
    if filters.moderator not in {"", FILTER}:
        return keys.MODERATION_BY.collection(admin=filters.moderator), "moderator"
    if filters.action:
        return keys.MODERATION_BY_ACTION.collection(action=filters.action), "action"
    if filters.moderator:
        return keys.MODERATION_BY_ACTION.collection(action=Action.BAN), ""
    return None, ""


def _remaining_condition(filters: LogFilter, covered: str) -> Condition | None:
    """The filters that the index does not cover."""
    admin: Path = Path([ModerationEntry.admin_id.attr_name])
    checks: dict[str, Condition] = {
        "moderator": admin.startswith(FILTER) if filters.moderator == FILTER else admin == filters.moderator,
        "action": Path([ModerationEntry.action.attr_name]) == filters.action,
        "author": Path([ModerationEntry.metadata.attr_name, "userId"]) == filters.author,
        "target": Path([ModerationEntry.target_id.attr_name]) == filters.target,
        "operation": Path([ModerationEntry.operation.attr_name]) == filters.operation,
    }
    left = [check for name, check in checks.items() if getattr(filters, name) and name != covered]
    return functools.reduce(operator.and_, left) if left else None


@access_pattern("Which actions were taken on this, newest first?", keys.MODERATION_OF_TARGET)
def history(target: ForumTarget, limit: int = 20) -> list[ModerationEntry]:
    try:
        collection = keys.MODERATION_OF_TARGET.collection(target=target.id)
    except BadKey:
        return []
    found = read.page(collection, ModerationEntry, newest_first=True, limit=limit).items
    # Outside writers may use one id for comments of two posts.
    own = [each for each in found if (each.details.text("postId") or target.post) == target.post]
    return sorted(own, key=by_time, reverse=True)


def by_time(entry: ModerationEntry) -> tuple[str, str]:
    """Sort key: by time, and within a second by id."""
    parts = entry.key_parts
    return str(parts.get("at", entry.sk)), str(parts.get("action", ""))


@access_pattern("Which actions were taken on texts of this person, newest first?", keys.MODERATION_OF_AUTHOR)
def of_author(author: str, start_key: Any = None, limit: int = 20) -> read.Page[ModerationEntry]:
    try:
        collection = keys.MODERATION_OF_AUTHOR.collection(user=author)
    except BadKey:
        return read.Page([])
    return read.page(collection, ModerationEntry, newest_first=True, start_key=start_key, limit=limit)
