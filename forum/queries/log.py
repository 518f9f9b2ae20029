"""What is asked of the moderation log."""

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
from forum.targets import Target

PAGE = 50
# How the filter's name begins, in whichever version it acted. It only ever bans.
FILTER = "profanity@"


@dataclass(frozen=True)
class LogFilter:
    """What someone looks for in the log. The bounds are how a sort key begins, both included."""

    moderator: str = ""
    action: str = ""
    author: str = ""
    target: str = ""
    operation: str = ""
    since: str | None = None
    until: str | None = None

    @property
    def scope(self) -> tuple[str, ...]:
        """What a cursor into this is good for."""
        return tuple(each or "" for each in astuple(self))


@access_pattern("Which entry of the log is this?", keys.MODERATION)
def load_entry(address: str) -> ModerationEntry:
    """As a form names it: when, who, and an id."""
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
    "Which entries of the log are asked for, newest first?",
    keys.MODERATION_OF_TARGET,
    keys.MODERATION_OF_OPERATION,
    keys.MODERATION_OF_AUTHOR,
    keys.MODERATION_BY,
    keys.MODERATION_BY_ACTION,
)
def log(
    wanted: LogFilter, start: Any = None, *, limit: int = PAGE, looks: int = read.LOOKS
) -> read.Page[ModerationEntry]:
    """By the index of one filter, the others sifted; without any the log is read by the day."""
    if read.is_empty(wanted.since, wanted.until):
        return LogPage([])
    try:
        where, answered = _where(wanted)
    except BadKey:
        return LogPage([])
    if where is None:
        return by_day(wanted.since, wanted.until, start, limit)
    asked: dict[str, Any] = {"since": wanted.since, "until": wanted.until, "newest_first": True}
    asked |= {"start": start, "limit": limit}
    keep = _left_to_check(wanted, answered)
    if keep is None:
        return read.page(where, ModerationEntry, **asked)
    found = read.filter_page(where, ModerationEntry, keep, looks=looks, **asked)
    reached = ModerationEntry.at_key(found.reached).moment if found.reached else None
    return LogPage(found.items, found.next, reached)


def _where(wanted: LogFilter) -> tuple[Collection | None, str]:
    """The index that leads to the fewest, and the filter that it answers."""
    if wanted.target:
        return keys.MODERATION_OF_TARGET.under(target=Target.named(wanted.target).id), "target"
    if wanted.operation:
        return keys.MODERATION_OF_OPERATION.under(operation=wanted.operation), "operation"
    if wanted.author:
        return keys.MODERATION_OF_AUTHOR.under(user=wanted.author), "author"
    if wanted.moderator not in {"", FILTER}:
        return keys.MODERATION_BY.under(admin=wanted.moderator), "moderator"
    if wanted.action:
        return keys.MODERATION_BY_ACTION.under(action=wanted.action), "action"
    if wanted.moderator:
        return keys.MODERATION_BY_ACTION.under(action=Action.BAN), ""
    return None, ""


def _left_to_check(wanted: LogFilter, answered: str) -> Condition | None:
    """What the chosen index does not answer."""
    admin: Path = Path([ModerationEntry.admin_id.attr_name])
    checks: dict[str, Condition] = {
        "moderator": admin.startswith(FILTER) if wanted.moderator == FILTER else admin == wanted.moderator,
        "action": Path([ModerationEntry.action.attr_name]) == wanted.action,
        "author": Path([ModerationEntry.metadata.attr_name, "userId"]) == wanted.author,
        "target": Path([ModerationEntry.target_id.attr_name]) == wanted.target,
        "operation": Path([ModerationEntry.operation.attr_name]) == wanted.operation,
    }
    left = [check for name, check in checks.items() if getattr(wanted, name) and name != answered]
    return functools.reduce(operator.and_, left) if left else None


@access_pattern("What was decided about this, newest first?", keys.MODERATION_OF_TARGET)
def history(target: Target, limit: int = 20) -> list[ModerationEntry]:
    try:
        where = keys.MODERATION_OF_TARGET.under(target=target.id)
    except BadKey:
        return []
    found = read.page(where, ModerationEntry, newest_first=True, limit=limit).items
    # Other services may give two comments of two posts one id.
    own = [each for each in found if (each.metadata or {}).get("postId", target.post) == target.post]
    return sorted(own, key=in_turn, reverse=True)


def in_turn(entry: ModerationEntry) -> tuple[str, str]:
    """The order in which things were decided: within a second the ids tell."""
    parts = entry.key_parts
    return str(parts.get("at", entry.sk)), str(parts.get("action", ""))


@access_pattern("What was decided about this person's posts and comments, newest first?", keys.MODERATION_OF_AUTHOR)
def of_author(user: str, start: Any = None, limit: int = 20) -> read.Page[ModerationEntry]:
    try:
        where = keys.MODERATION_OF_AUTHOR.under(user=user)
    except BadKey:
        return read.Page([])
    return read.page(where, ModerationEntry, newest_first=True, start=start, limit=limit)
