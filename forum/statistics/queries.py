"""Queries for the statistics: days that are rolled up, and days that are not yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Any

from dashboard.core.clock import now
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.registry import access_pattern
from forum.items import ModerationDay, ModerationEntry, ModerationRollup
from forum.queries import posts
from forum.queries.posts import LimitedCount
from forum.statistics.tally import ModerationTally, tally

# The last days are counted from the log itself: they may not be rolled up yet.
LIVE = 3
# At most so many entries of each stretch are counted; today is read in stretches of so many hours.
MAX_ENTRIES, HOURS = 1000, 4
_COUNTED = ("action", "adminId", "adminName", "metadata")


@dataclass(frozen=True)
class Statistics:
    """The days, oldest first."""

    days: dict[date, ModerationTally]
    posts: LimitedCount
    comments: LimitedCount
    # Days that are not rolled up yet, and days of which only a part was counted.
    missing: list[date]
    partial: list[date]


@access_pattern("Which counts of these days are rolled up?", keys.MODERATION_DAY, partition=True)
def rolled_up(since: str, until: str) -> list[ModerationDay]:
    return read.page(keys.MODERATION_DAY.collection(), ModerationDay, since=since, until=until, limit=400).items


@access_pattern("How far is the moderation log rolled up?", keys.MODERATION_ROLLUP)
def rollup() -> ModerationRollup | None:
    return read.get(ModerationRollup, keys.MODERATION_ROLLUP.key())


@access_pattern("Which actions of this day are not rolled up yet?", keys.MODERATION, partition=True)
def stretch(day: str, since: str = "", until: str = "") -> read.Page[Raw]:
    collection = keys.MODERATION.collection(date=day)
    return read.raw_page(collection, since=since, until=until, limit=MAX_ENTRIES, attributes=_COUNTED)


def load_statistics(count: int) -> Statistics:
    """The last days, today included, in one round trip."""
    today = now().date()
    days = [today - timedelta(days=back) for back in reversed(range(count))]
    live = days[-LIVE:]
    stretches = [(day, read_it) for day in live for read_it in _stretches(day, today)]
    reads: list[Callable[[], Any]] = [
        partial(rolled_up, days[0].isoformat(), today.isoformat()),
        rollup,
        posts.posts_waiting,
        posts.comments_waiting,
        *(read_it for _, read_it in stretches),
    ]
    days_rolled_up, state, waiting_posts, waiting_comments, *pages = read.gather_all(reads)
    through = (state.through or "") if state else ""
    found = {day: ModerationTally() for day in days}
    for each in days_rolled_up:
        day = each.day
        if day in found and day.isoformat() <= through:
            found[day] = ModerationTally.from_dict(each.counts)
    incomplete: dict[date, None] = {}
    for (day, _), page in zip(stretches, pages, strict=True):
        if day.isoformat() > through:
            found[day].add(tally(ModerationEntry.of(raw, partial=True) for raw in page.items))
            if page.next_start_key is not None:
                incomplete[day] = None
    # Without any log no day is missing.
    has_log = state is not None or any(each.total for each in found.values())
    missing = [day for day in days[:-LIVE] if has_log and day.isoformat() > through]
    return Statistics(found, waiting_posts, waiting_comments, missing, list(incomplete))


def _stretches(day: date, today: date) -> list[Callable[[], read.Page[Raw]]]:
    """A past day is one stretch; today is several, which are read in parallel."""
    text = day.isoformat()
    if day != today:
        return [partial(stretch, text)]
    hours = range(0, now().hour + 1, HOURS)
    return [partial(stretch, text, f"{text}T{hour:02}", f"{text}T{hour + HOURS - 1:02}") for hour in hours]
