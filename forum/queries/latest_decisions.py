"""Queries for decisions that were made while a list is open."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire
from dashboard.web.open_lists import is_recent, known_until
from forum.items import Comment, ModerationEntry, Post
from forum.queries.log import by_time
from forum.services.decisions import target_of
from forum.targets import ForumTarget

LIMIT = 100


def decisions_since(moment: str) -> tuple[list[ModerationEntry], str]:
    """The decisions, the oldest first, and up to when they are complete. None for an old or invalid `moment`."""
    if not is_recent(moment):
        return [], known_until()
    following = known_until()
    # The log has one partition per day in UTC.
    pages = [decisions_of_day(day, moment) for day in sorted({moment[:10], to_wire(now())[:10]})]
    found = sorted((entry for page in pages for entry in page.items), key=by_time)
    if any(page.next_start_key is not None for page in pages):
        following = str(found[-1].key_parts.get("at", following))
    return found, following


@access_pattern("Which decisions were made on this day since?", keys.MODERATION, partition=True)
def decisions_of_day(day: str, since: str) -> read.Page[ModerationEntry]:
    return read.page(keys.MODERATION.collection(date=day), ModerationEntry, since=since, limit=LIMIT, consistent=True)


def last_by_target(entries: Sequence[ModerationEntry], names: set[str]) -> dict[ForumTarget, ModerationEntry]:
    """The last decision about each of these posts and comments."""
    found: dict[ForumTarget, ModerationEntry] = {}
    for entry in entries:
        target = target_of(entry)
        if target.path in names:
            found[target] = entry
    return found


@access_pattern("What are these posts and comments now?", keys.POST, keys.COMMENT)
def load_items(targets: Sequence[ForumTarget]) -> dict[ForumTarget, Post | Comment]:
    known = {}
    for target in targets:
        try:
            known[target] = target.key
        except NotFound:
            continue
    found = zip(known, read.get_many(list(known.values())), strict=True) if known else []
    return {target: item for target, item in found if isinstance(item, Post | Comment)}
