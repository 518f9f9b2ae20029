"""Queries for the home page of moderators. Each reads a limited number of items."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dashboard.table import keys, read
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire
from forum.actions import Action
from forum.items import Comment, ModerationEntry, Post
from forum.queries.log import FILTER

# The filter's bans, and the decisions of colleagues, that are read at most.
MAX_ENTRIES = 100
# A decision of a colleague that changes the result of another one.
REVERSALS = (Action.RESTORE, Action.REOPEN)


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


@access_pattern("How much has the filter banned since then?", keys.MODERATION_BY_ACTION)
def filter_bans_since(moment: datetime) -> FilterBans:
    collection = keys.MODERATION_BY_ACTION.collection(action=Action.BAN)
    found = read.page(collection, ModerationEntry, attributes=("adminId",), **_latest_since(moment))
    by_filter = [each for each in found.items if str(each.admin_id or "").startswith(FILTER)]
    return FilterBans(len(by_filter), bool(by_filter) and found.next_start_key is not None)


@access_pattern("Which of this person's decisions did colleagues reverse since then?", keys.MODERATION_BY_ACTION)
def reversed_decisions(email: str, moment: datetime, action: Action) -> list[ModerationEntry]:
    collection = keys.MODERATION_BY_ACTION.collection(action=action)
    attributes = ("action", "adminId", "metadata")
    found = read.page(collection, ModerationEntry, attributes=attributes, **_latest_since(moment))
    return [each for each in found.items if each.admin_id != email and _decided_by(each) == email]


def _latest_since(moment: datetime) -> dict[str, Any]:
    return {"since": to_wire(moment).removesuffix("Z"), "newest_first": True, "limit": MAX_ENTRIES}


def _decided_by(entry: ModerationEntry) -> str:
    """Who made the decision that this entry replaced; empty if that is unknown."""
    before = entry.details.map("before")
    return before.text("banned_by") or before.text("reviewed_by")
