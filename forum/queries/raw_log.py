"""Queries for raw entries of the moderation log, for seals and verification."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from dashboard.platform.audit.seals.trails import all_pages, day_of
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.read import Page
from dashboard.table.registry import access_pattern
from forum.actions import Action


@access_pattern("Which entries does the moderation log have for this day?", keys.MODERATION, partition=True)
def entries_of_day(day: str, start_key: Raw | None = None, limit: int = 1000) -> Page[Raw]:
    return read.raw_page(keys.MODERATION.collection(date=day), start_key=start_key, limit=limit)


def first_day() -> str | None:
    """The day of the oldest entry, according to the index of the actions."""
    pages = read.gather_all(partial(oldest_entry, action) for action in Action)
    days = [day_of(raw["GSITypeSK"]["S"]) for page in pages for raw in page.items]
    return min((day for day in days if day is not None), default=None)


@access_pattern("Which entry of this action is the oldest?", keys.MODERATION_BY_ACTION)
def oldest_entry(action: str) -> Page[Raw]:
    return read.raw_page(keys.MODERATION_BY_ACTION.collection(action=action), limit=1)


@access_pattern("Which entries of the moderation log have this action?", keys.MODERATION_BY_ACTION)
def entries_of_action(action: str, start_key: Raw | None = None) -> Page[Raw]:
    return read.raw_page(keys.MODERATION_BY_ACTION.collection(action=action), start_key=start_key)


def indexed_entries() -> Iterator[Raw]:
    """All entries that the index of the actions contains."""
    for action in Action:
        yield from all_pages(partial(entries_of_action, action))
