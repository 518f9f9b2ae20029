"""What happens now: one query reads the counts of the last hour and the people of the last minutes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from activity.actions import COMMENT_CREATED, POST_CREATED
from activity.counters import ACTION, COUNTRY, EVENTS, PEOPLE, ROOM, countdown, minute_name, minute_of
from dashboard.core.clock import now
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.registry import access_pattern

MINUTES = 60
# Who did something within these minutes is active.
ACTIVE_MINUTES = 5


@dataclass(frozen=True)
class MinuteCount:
    """The events of one minute."""

    at: datetime
    events: int
    posts: int


@dataclass(frozen=True)
class NowCounts:
    """The counts of the last minutes."""

    at: datetime
    # One for each minute, the oldest first, the current one last.
    minutes: list[MinuteCount]
    by_action: Counter[str]
    by_room: Counter[str]
    # "unknown" for events without a country.
    by_country: Counter[str]
    # The people of the last five minutes, by room; without a room under "".
    people_by_room: dict[str, frozenset[str]]

    @property
    def events(self) -> int:
        return sum(minute.events for minute in self.minutes)

    @property
    def posts(self) -> int:
        """Posts and comments."""
        return sum(minute.posts for minute in self.minutes)

    @property
    def active_people(self) -> frozenset[str]:
        return frozenset().union(*self.people_by_room.values())


@access_pattern(
    "What happened in the last hour, and who is active now?",
    keys.ACTIVITY_MINUTE,
    keys.ACTIVITY_PEOPLE,
    partition=True,
)
def now_counts(minutes: int = MINUTES) -> NowCounts:
    """The counts of the last minutes and the active people, with one query."""
    current = minute_of(now())
    first = current - timedelta(minutes=minutes - 1)
    first_active = current - timedelta(minutes=ACTIVE_MINUTES - 1)
    collection, since, until = keys.recent_activity(minute_name(first), countdown(first_active))
    raws: list[Raw] = []
    start_key = None
    while True:  # More than 1 MB needs a further call.
        page = read.raw_page(collection, since=since, until=until, start_key=start_key, limit=5000, consistent=False)
        raws += page.items
        start_key = page.next_start_key
        if start_key is None:
            break
    return _counts(raws, current, first, minutes)


def _counts(raws: Iterable[Raw], current: datetime, first: datetime, minutes: int) -> NowCounts:
    by_minute: dict[str, Counter[str]] = {}
    people: dict[str, set[str]] = {}
    for raw in raws:
        parts = keys.ACTIVITY_MINUTE.read(raw["PK"]["S"], raw["SK"]["S"])
        if parts is not None:
            by_minute.setdefault(str(parts["minute"]), Counter()).update(_numbers(raw))
        else:
            for name, members in _members(raw):
                people.setdefault(name, set()).update(members)
    total = sum(by_minute.values(), Counter[str]())
    return NowCounts(
        at=current,
        minutes=[_minute(first + timedelta(minutes=n), by_minute) for n in range(minutes)],
        by_action=_named(total, ACTION),
        by_room=_named(total, ROOM),
        by_country=_named(total, COUNTRY),
        people_by_room={room: frozenset(members) for room, members in people.items()},
    )


def _minute(at: datetime, by_minute: dict[str, Counter[str]]) -> MinuteCount:
    counts = by_minute.get(minute_name(at), Counter())
    return MinuteCount(at, counts[EVENTS], sum(counts[f"{ACTION}:{each}"] for each in (POST_CREATED, COMMENT_CREATED)))


def _named(counts: Counter[str], kind: str) -> Counter[str]:
    prefix = f"{kind}:"
    return Counter({name.removeprefix(prefix): n for name, n in counts.items() if name.startswith(prefix)})


def _numbers(raw: Raw) -> dict[str, int]:
    return {name: int(value["N"]) for name, value in raw.items() if "N" in value and name != "ttl"}


def _members(raw: Raw) -> Iterator[tuple[str, Iterable[str]]]:
    prefix = f"{PEOPLE}:"
    for name, value in raw.items():
        if name.startswith(prefix) and "SS" in value:
            yield name.removeprefix(prefix), value["SS"]
