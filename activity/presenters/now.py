"""The live page: the last hour by minute, and who is active where."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from activity.actions import COMMENT_CREATED, POST_CREATED, find_action
from activity.event_rooms import EventRooms
from activity.moments import AROUND, MomentParams
from activity.presenters.counts import LinkedNumber
from activity.presenters.names import country_label, whole
from activity.queries.now import ACTIVE_MINUTES, MinuteCount, NowCounts
from dashboard.core.names import folded
from dashboard.web.charts import ChartRow, Columns, columns, share

EVENTS, POSTS = "events", "posts"
COLORS = {POSTS: "amber", EVENTS: "blue"}
# Without an event for so many minutes the page says that activity has stopped.
QUIET_MINUTES = 10
HALF_HOUR = 30


@dataclass(frozen=True)
class NowRow:
    label: str
    number: LinkedNumber
    bar: str
    url: str = ""


@dataclass(frozen=True)
class MinuteRow:
    label: str
    events: LinkedNumber
    posts: int


@dataclass(frozen=True)
class NowPage:
    active: LinkedNumber
    # Events in the last complete minute.
    per_minute: LinkedNumber
    # In the last hour.
    events: LinkedNumber
    posts: LinkedNumber
    comments: LinkedNumber
    chart: Columns
    summary: str
    first: str
    last: str
    minutes: list[MinuteRow]
    rooms: list[NowRow]
    actions: list[NowRow]
    countries: list[NowRow]
    # When something last happened, if that is long ago; None also if nothing happened within the hour.
    quiet_since: datetime | None
    is_quiet: bool

    @property
    def legend(self) -> list[tuple[str, str]]:
        return [(COLORS[EVENTS], _("Events")), (COLORS[POSTS], _("Posts and comments"))]


def fingerprint(counts: NowCounts) -> str:
    """Changes with everything that the page shows."""
    text = repr((counts.at, counts.minutes, sorted(counts.by_country.items()), sorted(counts.by_action.items())))
    people = repr(sorted((room, len(each)) for room, each in counts.people_by_room.items()))
    return hashlib.sha256((text + people).encode()).hexdigest()[:16]


def present(counts: NowCounts, event: EventRooms) -> NowPage:
    active_end = counts.at + timedelta(minutes=1)
    recent = MomentParams(active_end - timedelta(minutes=ACTIVE_MINUTES), ACTIVE_MINUTES, event.zone)
    # The minutes of the page are half an hour before and after this one.
    hour = MomentParams(counts.minutes[0].at + timedelta(minutes=HALF_HOUR), HALF_HOUR, event.zone)
    last_full = counts.minutes[-2] if len(counts.minutes) > 1 else counts.minutes[-1]
    busy = [each.at for each in counts.minutes if each.events]
    quiet = not busy or counts.at - busy[-1] >= timedelta(minutes=QUIET_MINUTES)
    people = {room: len(users) for room, users in counts.people_by_room.items()}
    first, last = (_time(each.at, event) for each in (counts.minutes[0], counts.minutes[-1]))
    return NowPage(
        _linked(len(counts.active_people), recent),
        _minute_number(last_full, event),
        _linked(counts.events, hour),
        _linked(counts.by_action[POST_CREATED], replace(hour, action=POST_CREATED)),
        _linked(counts.by_action[COMMENT_CREATED], replace(hour, action=COMMENT_CREATED)),
        columns([_column(each, event) for each in counts.minutes], COLORS),
        _("Events per minute from %(first)s to %(last)s: %(total)s in all.")
        % {"first": first, "last": last, "total": whole(counts.events)},
        first,
        last,
        [
            MinuteRow(_time(each.at, event), _minute_number(each, event), each.posts)
            for each in reversed(counts.minutes)
        ],
        _rooms(people, event, recent),
        _rows(
            (str(find_action(name).label), _linked(number, replace(hour, action=name)))
            for name, number in counts.by_action.items()
        ),
        _rows(_by_country(counts.by_country, hour)),
        busy[-1] if busy and quiet else None,
        quiet,
    )


def _column(each: MinuteCount, event: EventRooms) -> ChartRow:
    number = _minute_number(each, event)
    title = _("%(time)s: %(events)s events, %(posts)s posts") % {
        "time": _time(each.at, event),
        "events": number.text,
        "posts": whole(each.posts),
    }
    return ChartRow(title, {EVENTS: max(0, each.events - each.posts), POSTS: each.posts}, number.url)


def _minute_number(each: MinuteCount, event: EventRooms) -> LinkedNumber:
    return _linked(each.events, MomentParams(each.at, AROUND[1], event.zone))


def _time(at: datetime, event: EventRooms) -> str:
    return date_format(at.astimezone(event.zone), "H:i")


def _rooms(people: Mapping[str, int], event: EventRooms, recent: MomentParams) -> list[NowRow]:
    """All rooms of the event, also without people, and others where people are."""
    most = max(people.values(), default=0)
    rows = []
    for room in event.in_order({*people, *(each.id for each in event.rooms)}):
        number = people.get(room, 0)
        label = event.title(room) if room else _("Outside the rooms")
        linked = _linked(number, replace(recent, room=room)) if room else LinkedNumber(number)
        rows.append(NowRow(label, linked, share(number, most)))
    return sorted(rows, key=lambda row: -row.number.value)


def _by_country(counts: Mapping[str, int], hour: MomentParams) -> list[tuple[str, LinkedNumber]]:
    """The spellings of one country together. Its link is that of the most frequent one."""
    found: dict[str, tuple[int, str]] = {}
    for name, number in sorted(counts.items(), key=lambda each: -each[1]):
        label = country_label(folded(name) or name)
        before, spelling = found.get(label, (0, name))
        found[label] = before + number, spelling
    return [(label, _linked(number, replace(hour, country=name))) for label, (number, name) in found.items()]


def _rows(numbers: Iterable[tuple[str, LinkedNumber]]) -> list[NowRow]:
    order = sorted(numbers, key=lambda each: (-each[1].value, each[0]))
    most = order[0][1].value if order else 0
    return [NowRow(label, number, share(number.value, most)) for label, number in order]


def _linked(number: int, moment: MomentParams) -> LinkedNumber:
    return LinkedNumber(number, moment.url if number else "")
