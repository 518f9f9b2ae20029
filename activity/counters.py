"""The counters of activity: by minute for the live page, by hour for today. They are sharded by person.

A counter has one number for each name that it counts (`action:room_enter`, `room:sala1`, `country:Chile`), so that
`ADD` alone keeps it exact. `people:<room>` is the set of people who did something in a room within a minute.
"""

from __future__ import annotations

import zlib
from collections import Counter as Tally
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from activity.events import RETENTION, Event
from activity.items import NO_COUNTRY
from dashboard.table import keys
from dashboard.table.appends import CounterChange

COUNTER_SHARDS = 8
# The live page shows an hour. Events that arrive later than this are only counted by hour.
MINUTES_KEPT = timedelta(minutes=75)
_KEPT = timedelta(days=1)
# Counts down by minute, so that the newest minute sorts first.
_LAST_COUNTDOWN = 10**10 - 1

EVENTS = "events"
ACTION, ROOM, COUNTRY, PEOPLE, ROOM_ACTION = "action", "room", "country", "people", "in"


@dataclass(frozen=True)
class CounterGroup:
    """Events that the same counters count."""

    minute: datetime
    shard: int


def group_of(event: Event) -> CounterGroup:
    return CounterGroup(minute_of(event.at), zlib.crc32(event.user.encode()) % COUNTER_SHARDS)


def minute_of(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(second=0, microsecond=0)


def minute_name(minute: datetime) -> str:
    return minute.strftime("%Y-%m-%dT%H:%M")


def hour_name(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H")


def countdown(minute: datetime) -> int:
    return _LAST_COUNTDOWN - int(minute.timestamp()) // 60


def coarse_counters_for(group: CounterGroup, events: Sequence[Event], moment: datetime) -> list[CounterChange]:
    """The same without names and people, for counters that are full: somebody has sent thousands of invented names."""
    counters = counters_for(group, events, moment)
    return [replace(each, numbers={EVENTS: len(events)}, members={}) for each in counters if each.numbers]


def counters_for(group: CounterGroup, events: Sequence[Event], moment: datetime) -> list[CounterChange]:
    """What to count for new events of one group: the hour, and for recent events the minute with its people."""
    counters = [hour_counter(group, events)]
    if group.minute >= moment - MINUTES_KEPT:
        counters += [_minute(group, events), _people(group, events)]
    return counters


def hour_counter(group: CounterGroup, events: Sequence[Event]) -> CounterChange:
    """What to count for the hour of a group."""
    names = [name for event in events for name in (EVENTS, _country(event), _room_action(event))]
    key = keys.ACTIVITY_HOUR.key(date=group.minute.date().isoformat(), hour=hour_name(group.minute), shard=group.shard)
    return CounterChange(key, Tally(names), {}, int((group.minute + RETENTION).timestamp()))


def _minute(group: CounterGroup, events: Sequence[Event]) -> CounterChange:
    names = [name for event in events for name in _minute_names(event)]
    key = keys.ACTIVITY_MINUTE.key(minute=minute_name(group.minute), shard=group.shard)
    return CounterChange(key, Tally(names), {}, int((group.minute + _KEPT).timestamp()))


def _people(group: CounterGroup, events: Iterable[Event]) -> CounterChange:
    people: dict[str, set[str]] = {}
    for event in events:
        people.setdefault(f"{PEOPLE}:{event.room or ''}", set()).add(event.user)
    key = keys.ACTIVITY_PEOPLE.key(countdown=countdown(group.minute), shard=group.shard)
    members = {name: frozenset(users) for name, users in people.items()}
    return CounterChange(key, {}, members, int((group.minute + _KEPT).timestamp()))


def _minute_names(event: Event) -> list[str]:
    names = [EVENTS, f"{ACTION}:{event.action}", _country(event)]
    return names if event.room is None else [*names, f"{ROOM}:{event.room}"]


def _country(event: Event) -> str:
    return f"{COUNTRY}:{event.country or NO_COUNTRY}"


def _room_action(event: Event) -> str:
    """The room and the action together: today's funnel needs the pairs."""
    was_closed = event.metadata.get("open") is False
    return f"{ROOM_ACTION}:{event.action}{':closed' if was_closed else ''}|{event.room or ''}"
