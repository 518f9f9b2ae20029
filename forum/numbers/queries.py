"""What the numbers ask of the table: the days that are rolled up, and those that are not yet."""

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
from forum.numbers.tally import Tally, tally
from forum.queries import posts
from forum.queries.posts import Counted

# These are counted as they are, whether rolled up yet or not: today, and what a night may have left.
LIVE = 3
# Of each stretch so many entries are looked at; today is asked for in stretches of so many hours.
LOOK, HOURS = 1000, 4
_COUNTED = ("action", "adminId", "adminName", "metadata")


@dataclass(frozen=True)
class Numbers:
    """The days, oldest first, and how they were counted."""

    days: dict[date, Tally]
    posts: Counted
    comments: Counted
    # Days that nobody has counted yet, and days of which only the beginning was.
    missing: list[date]
    partial: list[date]


@access_pattern("What was done on these days, as far as they are rolled up?", keys.MODERATION_DAY, partition=True)
def rolled_up(since: str, until: str) -> list[ModerationDay]:
    return read.page(keys.MODERATION_DAY.under(), ModerationDay, since=since, until=until, limit=400).items


@access_pattern("How far is the moderation log rolled up?", keys.MODERATION_ROLLUP)
def rollup() -> ModerationRollup | None:
    return read.get(ModerationRollup, keys.MODERATION_ROLLUP.key())


@access_pattern("What was done today, or in the nights before it was rolled up?", keys.MODERATION, partition=True)
def stretch(day: str, since: str = "", until: str = "") -> read.Page[Raw]:
    where = keys.MODERATION.under(date=day)
    return read.raw_page(where, since=since, until=until, limit=LOOK, only=_COUNTED)


def numbers(count: int) -> Numbers:
    """The last so many days, today included: one trip."""
    today = now().date()
    days = [today - timedelta(days=back) for back in reversed(range(count))]
    live = days[-LIVE:]
    stretches = [(day, read_it) for day in live for read_it in _stretches(day, today)]
    asked: list[Callable[[], Any]] = [
        partial(rolled_up, days[0].isoformat(), today.isoformat()),
        rollup,
        posts.posts_waiting,
        posts.comments_waiting,
        *(read_it for _, read_it in stretches),
    ]
    kept, record, waiting_posts, waiting_comments, *pages = read.gather_all(asked)
    through = (record.through or "") if record else ""
    found = {day: Tally() for day in days}
    for each in kept:
        day = each.day
        if day in found and day.isoformat() <= through:
            found[day] = Tally.from_dict(each.counts)
    beyond: dict[date, None] = {}
    for (day, _), page in zip(stretches, pages, strict=True):
        if day.isoformat() > through:
            found[day].add(tally(ModerationEntry.of(raw, partial=True) for raw in page.items))
            if page.next is not None:
                beyond[day] = None
    # Where there is no log yet, nobody has left anything undone.
    begun = record is not None or any(each.total for each in found.values())
    missing = [day for day in days[:-LIVE] if begun and day.isoformat() > through]
    return Numbers(found, waiting_posts, waiting_comments, missing, list(beyond))


def _stretches(day: date, today: date) -> list[Callable[[], read.Page[Raw]]]:
    """A day that is over is one; today, which is looked at most, is several."""
    text = day.isoformat()
    if day != today:
        return [partial(stretch, text)]
    hours = range(0, now().hour + 1, HOURS)
    return [partial(stretch, text, f"{text}T{hour:02}", f"{text}T{hour + HOURS - 1:02}") for hour in hours]
