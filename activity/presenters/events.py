"""Events and people as rows of a list."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Protocol

from django.utils import timezone
from django.utils.translation import gettext as _

from activity.actions import find_action
from activity.event_rooms import EventRooms
from activity.moments import MomentParams
from activity.presenters.names import country_label, whole
from activity.warehouse.results import PersonCount
from dashboard.core.names import folded
from dashboard.web.pages import url_or_empty

MAX_DETAIL = 200


class SomeEvent(Protocol):
    """An event of the log, or a row of the archive."""

    @property
    def user(self) -> str: ...
    @property
    def at(self) -> datetime: ...
    @property
    def action(self) -> str: ...
    @property
    def room(self) -> str | None: ...
    @property
    def country(self) -> str | None: ...
    @property
    def metadata(self) -> Any: ...


@dataclass(frozen=True)
class EventLine:
    at: datetime
    label: str
    icon: str
    user: str
    person_url: str
    room: str
    country: str
    # More about it, such as how long somebody stayed.
    detail: str
    # Who else was in the room at that time.
    moment_url: str = ""


@dataclass(frozen=True)
class PersonLine:
    user: str
    url: str
    country: str
    events: str
    first_at: datetime
    last_at: datetime


def person_url(user: str) -> str:
    """The timeline of a person. An id without `@` is a pseudonym or one of an outside writer."""
    return url_or_empty("activity_person", user) if "@" in user else ""


def event_lines(events: Iterable[SomeEvent], event: EventRooms, around: int = 5) -> list[EventLine]:
    return [_line(each, event, around) for each in events]


def _line(each: SomeEvent, event: EventRooms, around: int) -> EventLine:
    action = find_action(each.action)
    room = each.room or ""
    moment = MomentParams(each.at.replace(second=0, microsecond=0), around, event.zone, room)
    return EventLine(
        each.at,
        str(action.label),
        action.icon,
        each.user,
        person_url(each.user),
        event.title(room) if room else "",
        country_label(folded(each.country)) if each.country else "",
        _detail(each),
        moment.url,
    )


def _detail(each: SomeEvent) -> str:
    metadata = _metadata(each.metadata)
    texts = []
    if metadata.get("open") is False:
        texts.append(_("The room was not open yet"))
    with suppress(KeyError, TypeError, ValueError, OverflowError):
        texts.append(_("%(n)s min") % {"n": whole(round(float(metadata["duration"]) / 60))})
    return ", ".join(texts)[:MAX_DETAIL]


def _metadata(value: Any) -> Mapping[str, Any]:
    """The metadata of an event; the archive has it as JSON."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {}
    return value if isinstance(value, Mapping) else {}


def person_lines(people: Iterable[PersonCount]) -> list[PersonLine]:
    return [
        PersonLine(
            each.user,
            person_url(each.user),
            country_label(each.country),
            whole(each.events),
            each.first_at,
            each.last_at,
        )
        for each in people
    ]


@dataclass(frozen=True)
class EventDay:
    """The events of a day in a timeline."""

    day: date
    lines: list[EventLine]


def days_of(lines: Iterable[EventLine]) -> list[EventDay]:
    """Events by local day, in their order."""
    days: list[EventDay] = []
    for each in lines:
        day = timezone.localtime(each.at).date()
        if not days or days[-1].day != day:
            days.append(EventDay(day, []))
        days[-1].lines.append(each)
    return days
