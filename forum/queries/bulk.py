"""Queries for bulk actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern
from forum.actions import Action
from forum.items import Comment, ModerationEntry, Post
from forum.services.decisions import target_of
from forum.services.posts import the_filter
from forum.statuses import BANNED
from forum.targets import ForumTarget


@access_pattern("Which posts and comments are these?", keys.POST, keys.COMMENT)
def find_items(targets: Sequence[ForumTarget]) -> dict[str, Post | Comment]:
    """By name; missing ones are left out."""
    found = read.get_many([each.key for each in targets])
    pairs = zip(targets, found, strict=True)
    return {target.path: item for target, item in pairs if isinstance(item, Post | Comment)}


@access_pattern("Which bans has this version of the filter made, newest first?", keys.MODERATION_BY)
def bans_of(version: int, start_key: Any = None, limit: int = 50) -> read.Page[ModerationEntry]:
    collection = keys.MODERATION_BY.collection(admin=the_filter(version))
    return read.page(collection, ModerationEntry, newest_first=True, start_key=start_key, limit=limit)


@access_pattern("How many bans has this version of the filter made?", keys.MODERATION_BY)
def count_bans(version: int) -> int:
    """Up to a hundred."""
    return read.count(keys.MODERATION_BY.collection(admin=the_filter(version)))


def still_banned(entries: Sequence[ModerationEntry], version: int) -> list[tuple[ModerationEntry, Post | Comment]]:
    """Those without a later decision."""
    about = [(entry, target) for entry in entries if (target := _target(entry)) is not None]
    found = find_items([target for _entry, target in about])
    pairs = [(entry, found[target.path]) for entry, target in about if target.path in found]
    return [(entry, item) for entry, item in pairs if _is_unchanged(entry, item, version)]


def _target(entry: ModerationEntry) -> ForumTarget | None:
    """None if the ids of an outside writer cannot be part of a key."""
    target = target_of(entry)
    try:
        _key = target.key
    except NotFound:
        return None
    return target


def _is_unchanged(entry: ModerationEntry, item: Post | Comment, version: int) -> bool:
    banned = entry.action == Action.BAN and item.status == BANNED and item.banned_by == the_filter(version)
    return banned and ("revision" not in entry.details or item.revision == entry.details.whole_number("revision"))
