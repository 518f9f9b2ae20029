"""What is asked of the moderation log."""

from __future__ import annotations

from typing import Any

from dashboard.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern
from forum.items import ADDRESS, ModerationEntry
from forum.targets import Target


@access_pattern("Which entry of the log is this?", keys.MODERATION)
def entry(address: str) -> ModerationEntry:
    """As a form names it: when, who, and an id."""
    at, _, rest = address.partition(ADDRESS)
    admin, _, action = rest.rpartition(ADDRESS)
    try:
        found = read.get(ModerationEntry, keys.MODERATION.key(date=at[:10], at=at, admin=admin, action=action))
    except BadKey:
        found = None
    if found is None:
        raise NotFound
    return found


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
    return str(parts["at"]), str(parts["action"])


@access_pattern("What was decided about this person's posts and comments, newest first?", keys.MODERATION_OF_AUTHOR)
def of_author(user: str, start: Any = None, limit: int = 20) -> read.Page[ModerationEntry]:
    try:
        where = keys.MODERATION_OF_AUTHOR.under(user=user)
    except BadKey:
        return read.Page([])
    return read.page(where, ModerationEntry, newest_first=True, start=start, limit=limit)
