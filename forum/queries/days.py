"""The moderation log without filters: a day is a partition, and several are read in parallel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from dashboard.core.clock import now
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire
from forum.actions import Action
from forum.items import ModerationEntry

# So many days are read in parallel.
WAVE = 7


@dataclass(frozen=True)
class LogPage(read.Page[ModerationEntry]):
    """`reached` is the time back to which a page that is not full has searched."""

    reached: datetime | None = None


@dataclass(frozen=True)
class LogCursor:
    """The start of the next page: the day, the entry before it, and how many days to read."""

    day: date
    start: Raw | None = None
    span: int = WAVE

    def to_dict(self) -> dict[str, Any]:
        return {"day": self.day.isoformat(), "start": self.start, "span": self.span}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> LogCursor:
        return cls(date.fromisoformat(values["day"]), values["start"], values["span"])


def by_day(since: str | None, until: str | None, start_key: dict[str, Any] | None, limit: int) -> LogPage:
    """A few days in parallel. The index of actions gives the next day with entries, so that no page is empty."""
    place = LogCursor.from_dict(start_key) if start_key else LogCursor(_last(until))
    first = date.fromisoformat(since[:10]) if since else date.min
    days = [day for day in _back_from(place.day, place.span) if day >= first]
    if not days:
        return LogPage([])
    reads: list[Callable[[], Any]] = [
        lambda day=day, at=at: of_day(day, since, until, at, limit)  # type: ignore[misc]
        for day, at in zip(days, [place.start] + [None] * (len(days) - 1), strict=True)
    ]
    older = (days[-1] - timedelta(days=1)).isoformat()
    if days[-1] > first:
        reads += [lambda action=action: last_day_of(action, since, older) for action in Action]  # type: ignore[misc]
    results = read.gather_all(reads)
    items: list[ModerationEntry] = []
    for number, (day, page) in enumerate(zip(days, results[: len(days)], strict=True)):
        taken = page.items[: limit - len(items)]
        items += taken
        if len(taken) < len(page.items) or page.next_start_key is not None:
            after = page.next_start_key if len(taken) == len(page.items) else _after(taken[-1]) if taken else None
            # The next page probably needs as many days.
            return LogPage(items, LogCursor(day, after, min(number + 2, WAVE)).to_dict())
    known = [day for day in results[len(days) :] if day is not None and day < days[-1]]
    if not known:
        return LogPage(items)
    reached = datetime.combine(days[-1], time(), UTC) if len(items) < limit else None
    return LogPage(items, LogCursor(max(known)).to_dict(), reached)


def _last(until: str | None) -> date:
    """There are no entries after today."""
    today = now().date()
    return min(date.fromisoformat(until[:10]), today) if until else today


def _back_from(day: date, count: int) -> Iterator[date]:
    return (day - timedelta(days=number) for number in range(min(count, day.toordinal())))


@access_pattern("Which actions were taken on this day, newest first?", keys.MODERATION, partition=True)
def of_day(
    day: date, since: str | None, until: str | None, start_key: Raw | None, limit: int
) -> read.Page[ModerationEntry]:
    collection = keys.MODERATION.collection(date=day.isoformat())
    return read.page(
        collection, ModerationEntry, since=since, until=until, newest_first=True, start_key=start_key, limit=limit
    )


def _after(entry: ModerationEntry) -> Raw:
    return {"PK": {"S": entry.pk}, "SK": {"S": entry.sk}}


@access_pattern("On which day was this action last taken?", keys.MODERATION_BY_ACTION)
def last_day_of(action: str, since: str | None, until: str) -> date | None:
    collection = keys.MODERATION_BY_ACTION.collection(action=action)
    options: dict[str, Any] = {"since": since, "until": until, "newest_first": True, "attributes": (), "limit": 1}
    for entry in read.page(collection, ModerationEntry, **options).items:
        if entry.day is not None:
            return entry.day
    return None


@access_pattern("When were posts and comments banned on this day?", keys.MODERATION_BY_ACTION)
def bans_of_day(day: date, start: datetime, end: datetime, limit: int) -> list[datetime]:
    """The times of the bans of a day in UTC that are between two moments, newest first."""
    text = day.isoformat()
    since = max(to_wire(start).removesuffix("Z"), text)
    until = min(to_wire(end - timedelta(seconds=1)).removesuffix("Z"), f"{text}T23:59:59")
    collection = keys.MODERATION_BY_ACTION.collection(action=Action.BAN)
    options: dict[str, Any] = {"since": since, "until": until, "newest_first": True, "attributes": ()}
    found = read.page(collection, ModerationEntry, limit=limit, **options).items
    return [each.moment for each in found if each.moment is not None]
