"""The moderation log as it is on the wire: for what hashes and counts every entry."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from dashboard.platform.audit.seals.trails import day_of, every
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.read import Page
from dashboard.table.registry import access_pattern
from forum.actions import Action


@access_pattern("What does the log hold of this day?", keys.MODERATION, partition=True)
def entries_of_day(day: str, start: Raw | None = None, limit: int = 1000) -> Page[Raw]:
    return read.raw_page(keys.MODERATION.under(date=day), start=start, limit=limit)


def first_day() -> str | None:
    """As far as the indexes know: of each action the oldest."""
    pages = read.gather_all(partial(oldest, action) for action in Action)
    days = [day_of(raw["GSITypeSK"]["S"]) for page in pages for raw in page.items]
    return min((day for day in days if day is not None), default=None)


@access_pattern("When was there such an action for the first time?", keys.MODERATION_BY_ACTION)
def oldest(action: str) -> Page[Raw]:
    return read.raw_page(keys.MODERATION_BY_ACTION.under(action=action), limit=1)


@access_pattern("Which entries of the log does the index of this action lead to?", keys.MODERATION_BY_ACTION)
def of_action(action: str, start: Raw | None = None) -> Page[Raw]:
    return read.raw_page(keys.MODERATION_BY_ACTION.under(action=action), start=start)


def indexed() -> Iterator[Raw]:
    """All entries, as far as indexes lead to them."""
    for action in Action:
        yield from every(partial(of_action, action))
