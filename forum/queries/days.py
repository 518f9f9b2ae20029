"""The moderation log day by day: a day is a partition, and several are asked for side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from dashboard.core.clock import now
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.registry import access_pattern
from forum.actions import Action
from forum.items import ModerationEntry

# So many days are looked at in a request, beside each other.
WAVE = 7


@dataclass(frozen=True)
class LogPage(read.Page[ModerationEntry]):
    """Entries; `reached` is how far back was looked where the page ends before it is full."""

    reached: datetime | None = None


@dataclass(frozen=True)
class LogCursor:
    """Where the next page starts: in which day, after which entry, and how many days it will take."""

    day: date
    start: Raw | None = None
    span: int = WAVE

    def to_dict(self) -> dict[str, Any]:
        return {"day": self.day.isoformat(), "start": self.start, "span": self.span}

    @classmethod
    def from_dict(cls, told: dict[str, Any]) -> LogCursor:
        return cls(date.fromisoformat(told["day"]), told["start"], told["span"])


def by_day(since: str | None, until: str | None, start: dict[str, Any] | None, limit: int) -> LogPage:
    """A few days side by side; before them the index of actions knows where there is more, so that none is empty."""
    place = LogCursor.from_dict(start) if start else LogCursor(_last(until))
    first = date.fromisoformat(since[:10]) if since else date.min
    days = [day for day in _back_from(place.day, place.span) if day >= first]
    if not days:
        return LogPage([])
    asked: list[Callable[[], Any]] = [
        lambda day=day, at=at: of_day(day, since, until, at, limit)  # type: ignore[misc]
        for day, at in zip(days, [place.start] + [None] * (len(days) - 1), strict=True)
    ]
    older = (days[-1] - timedelta(days=1)).isoformat()
    if days[-1] > first:
        asked += [lambda action=action: last_day_of(action, since, older) for action in Action]  # type: ignore[misc]
    answers = read.gather_all(asked)
    items: list[ModerationEntry] = []
    for number, (day, page) in enumerate(zip(days, answers[: len(days)], strict=True)):
        taken = page.items[: limit - len(items)]
        items += taken
        if len(taken) < len(page.items) or page.next is not None:
            after = page.next if len(taken) == len(page.items) else _after(taken[-1]) if taken else None
            # What has been a full page in so many days will be one again.
            return LogPage(items, LogCursor(day, after, min(number + 2, WAVE)).to_dict())
    known = [day for day in answers[len(days) :] if day is not None and day < days[-1]]
    if not known:
        return LogPage(items)
    reached = datetime.combine(days[-1], time(), UTC) if len(items) < limit else None
    return LogPage(items, LogCursor(max(known)).to_dict(), reached)


def _last(until: str | None) -> date:
    """Nothing has been decided after today, whatever is asked for."""
    today = now().date()
    return min(date.fromisoformat(until[:10]), today) if until else today


def _back_from(day: date, count: int) -> Iterator[date]:
    return (day - timedelta(days=number) for number in range(min(count, day.toordinal())))


@access_pattern("What was decided on this day, newest first?", keys.MODERATION, partition=True)
def of_day(
    day: date, since: str | None, until: str | None, start: Raw | None, limit: int
) -> read.Page[ModerationEntry]:
    where = keys.MODERATION.under(date=day.isoformat())
    return read.page(where, ModerationEntry, since=since, until=until, newest_first=True, start=start, limit=limit)


def _after(entry: ModerationEntry) -> Raw:
    return {"PK": {"S": entry.pk}, "SK": {"S": entry.sk}}


@access_pattern("On which day was such an action last?", keys.MODERATION_BY_ACTION)
def last_day_of(action: str, since: str | None, until: str) -> date | None:
    where = keys.MODERATION_BY_ACTION.under(action=action)
    asked: dict[str, Any] = {"since": since, "until": until, "newest_first": True, "only": (), "limit": 1}
    for entry in read.page(where, ModerationEntry, **asked).items:
        if entry.day is not None:
            return entry.day
    return None
