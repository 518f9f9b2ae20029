"""Queries for the home page of moderators. Each reads a limited number of items."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dashboard.table import keys, read
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire
from forum.actions import Action
from forum.items import Comment, ModerationEntry, Post
from forum.queries.log import FILTER, by_time
from forum.states import State
from forum.statuses import DELETED

# The decisions of each action that are read at most.
MAX_ENTRIES = 100


@dataclass(frozen=True)
class WaitingTexts:
    """The posts or comments that wait for review: how many of the worst hundred, and the oldest of them."""

    number: int
    has_more: bool
    oldest: datetime | None


_DATES: dict[str, Any] = {"newest_first": True, "limit": read.COUNT_LIMIT, "attributes": ("createdAt",)}


@access_pattern("How many posts wait for review, and since when?", keys.POSTS_TO_REVIEW)
def waiting_posts() -> WaitingTexts:
    return _summarise(read.page(keys.POSTS_TO_REVIEW.collection(), Post, **_DATES))


@access_pattern("How many comments wait for review, and since when?", keys.COMMENTS_TO_REVIEW)
def waiting_comments() -> WaitingTexts:
    return _summarise(read.page(keys.COMMENTS_TO_REVIEW.collection(), Comment, **_DATES))


def _summarise(page: read.Page[Any]) -> WaitingTexts:
    dates = [each.created_at for each in page.items if each.created_at]
    return WaitingTexts(len(page.items), page.next_start_key is not None, min(dates, default=None))


@dataclass(frozen=True)
class FilterBans:
    number: int
    has_more: bool


@access_pattern("Which decisions of this kind were made since then, the latest first?", keys.MODERATION_BY_ACTION)
def latest_decisions(action: Action, moment: datetime) -> read.Page[ModerationEntry]:
    return read.page(
        keys.MODERATION_BY_ACTION.collection(action=action),
        ModerationEntry,
        since=to_wire(moment).removesuffix("Z"),
        newest_first=True,
        limit=MAX_ENTRIES,
        attributes=("action", "adminId", "targetType", "targetId", "originalContent", "metadata"),
    )


def filter_bans(bans: read.Page[ModerationEntry]) -> FilterBans:
    """How much the filter has banned."""
    by_filter = [each for each in bans.items if _is_by_filter(each)]
    return FilterBans(len(by_filter), bool(by_filter) and bans.next_start_key is not None)


def reversals(email: str, entries: Iterable[ModerationEntry]) -> list[ModerationEntry]:
    """The decisions of colleagues that replaced one of this person, the latest first, without those undone since."""
    known = sorted(entries, key=by_time, reverse=True)
    undone = {each.details.text("undoes") for each in known}
    return [
        each
        for each in known
        if each.admin_id != email
        and not _is_by_filter(each)
        and _decided_by(each) == email
        and each.address not in undone
    ]


def _is_by_filter(entry: ModerationEntry) -> bool:
    return str(entry.admin_id or "").startswith(FILTER)


def _decided_by(entry: ModerationEntry) -> str:
    """Who made the decision that this entry replaced; empty if there was none or if that is unknown."""
    before = State.from_dict(entry.details.map("before"))
    if before.status == DELETED:
        return before.deleted_by or ""
    # To delete what was banned does not reverse the ban.
    banned_by = None if entry.action == Action.DELETE else before.banned_by
    return banned_by or before.reviewed_by or ""
