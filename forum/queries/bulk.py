"""What is asked when many are decided about at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.commands import Command, Done
from dashboard.table.registry import access_pattern
from forum.actions import Action
from forum.items import Comment, ModerationEntry, Post
from forum.services.decisions import target_of
from forum.services.posts import the_filter
from forum.statuses import BANNED
from forum.targets import Target


@access_pattern("How are these posts and comments?", keys.POST, keys.COMMENT)
def some(targets: Sequence[Target]) -> dict[str, Post | Comment]:
    """By name; what is not there is left out."""
    found = read.get_many([each.key for each in targets])
    pairs = zip(targets, found, strict=True)
    return {target.name: item for target, item in pairs if isinstance(item, Post | Comment)}


@access_pattern("Which bans has this version of the filter made, newest first?", keys.MODERATION_BY)
def bans_of(version: int, start: Any = None, limit: int = 50) -> read.Page[ModerationEntry]:
    where = keys.MODERATION_BY.under(admin=the_filter(version))
    return read.page(where, ModerationEntry, newest_first=True, start=start, limit=limit)


@access_pattern("How much has this version of the filter banned?", keys.MODERATION_BY)
def how_many_bans(version: int) -> int:
    """Up to a hundred."""
    return read.count(keys.MODERATION_BY.under(admin=the_filter(version)))


def still_banned(entries: Sequence[ModerationEntry], version: int) -> list[tuple[ModerationEntry, Post | Comment]]:
    """Those that are as the entry left them: nobody has decided about them since."""
    about = [(entry, target) for entry in entries if (target := _target(entry)) is not None]
    found = some([target for _entry, target in about])
    pairs = [(entry, found[target.name]) for entry, target in about if target.name in found]
    return [(entry, item) for entry, item in pairs if _as_it_was_left(entry, item, version)]


def _target(entry: ModerationEntry) -> Target | None:
    """What an entry is about; none where another service names what cannot be."""
    target = target_of(entry)
    try:
        _key = target.key
    except NotFound:
        return None
    return target


def _as_it_was_left(entry: ModerationEntry, item: Post | Comment, version: int) -> bool:
    revision = (entry.metadata or {}).get("revision", item.revision)
    banned = entry.action == Action.BAN and item.status == BANNED and item.banned_by == the_filter(version)
    return banned and item.revision == revision


@access_pattern("Which parts of this work were done, and what says so in the log?", keys.DONE)
def done_parts(work: Command, names: Sequence[str]) -> dict[str, str]:
    """The log entry of each, by its name. The records count, not an index: they are part of what was done."""
    found = read.get_many([keys.DONE.key(operation=work.part(name).id) for name in names])
    pairs = zip(names, found, strict=True)
    return {name: str((done.result or {}).get("entry", "")) for name, done in pairs if isinstance(done, Done)}
