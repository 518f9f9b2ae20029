"""The live page: the last hour by minute, and who is active where."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from activity.actions import find_action
from activity.event_rooms import EventRooms
from activity.moments import AROUND, MomentParams
from activity.presenters.counts import Number
from activity.presenters.names import country_label, whole
from activity.queries.now import ACTIVE_MINUTES, MinuteCount, NowCounts
from dashboard.core.names import folded
from dashboard.web.charts import ChartRow, Columns, columns, share

EVENTS, POSTS = "events", "posts"
COLORS = {POSTS: "amber", EVENTS: "blue"}
# Without an event for so many minutes the page says that activity has stopped.
QUIET_MINUTES = 10


@dataclass(frozen=True)
class NowRow:
    label: str
    number: Number
    bar: str
    url: str = ""


@dataclass(frozen=True)
class MinuteRow:
    label: str
    events: Number
    posts: int


@dataclass(frozen=True)
class NowPage:
    active: Number
    # Events in the last complete minute.
    per_minute: Number
    events: str
    posts: Number
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
    last_full = counts.minutes[-2] if len(counts.minutes) > 1 else counts.minutes[-1]
    busy = [each.at for each in counts.minutes if each.events]
    quiet = not busy or counts.at - busy[-1] >= timedelta(minutes=QUIET_MINUTES)
    people = {room: len(users) for room, users in counts.people_by_room.items()}
    first, last = (_time(each.at, event) for each in (counts.minutes[0], counts.minutes[-1]))
    return NowPage(
        Number(len(counts.active_people), recent.url if counts.active_people else ""),
        _minute_number(last_full, event),
        whole(counts.events),
        Number(counts.posts),
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
        _rows({str(find_action(name).label): n for name, n in counts.by_action.items()}),
        _rows(_by_country(counts.by_country)),
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


def _minute_number(each: MinuteCount, event: EventRooms) -> Number:
    moment = MomentParams(each.at, AROUND[1], event.zone)
    return Number(each.events, moment.url if each.events else "")


def _time(at: datetime, event: EventRooms) -> str:
    return date_format(at.astimezone(event.zone), "H:i")


def _rooms(people: Mapping[str, int], event: EventRooms, recent: MomentParams) -> list[NowRow]:
    """All rooms of the event, also without people, and others where people are."""
    most = max(people.values(), default=0)
    rows = []
    for room in event.in_order({*people, *(each.id for each in event.rooms)}):
        number = people.get(room, 0)
        url = recent.url + f"&room={room}" if number and room else ""
        label = event.title(room) if room else _("Outside the rooms")
        rows.append(NowRow(label, Number(number, url), share(number, most)))
    return sorted(rows, key=lambda row: -row.number.value)


def _by_country(counts: Mapping[str, int]) -> dict[str, int]:
    """The spellings of one country together."""
    found: dict[str, int] = {}
    for name, number in counts.items():
        label = country_label(folded(name) or name)
        found[label] = found.get(label, 0) + number
    return found


def _rows(numbers: Mapping[str, int]) -> list[NowRow]:
    most = max(numbers.values(), default=0)
    order = sorted(numbers.items(), key=lambda each: (-each[1], each[0]))
    return [NowRow(label, Number(number), share(number, most)) for label, number in order]
