"""The event on the home page: open rooms, overrides that last too long, and people who registered today."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.home.registry import (
    HomeLine,
    HomeLink,
    HomePlace,
    HomeSource,
    Reads,
    Results,
    Urgency,
    register_home,
)
from dashboard.web.locale import zone
from dashboard.web.ranges import day_start
from rooms.items import Room
from rooms.permissions import Permission
from rooms.presenters.rooms import RoomRow
from rooms.queries import home as queries
from rooms.queries.home import ROOMS_READ
from rooms.queries.rooms import all_rooms
from rooms.timeline import Day

REGISTRATIONS = "rooms.registrations"
# The rooms that a line names.
MAX_NAMED = 5


def room_reads(request: Request) -> Reads:
    return {ROOMS_READ: all_rooms}


def room_lines(request: Request, results: Results) -> Iterator[HomeLine]:
    moment, time_zone = now(), zone(timezone.get_current_timezone_name())
    day = Day(moment.astimezone(time_zone).date(), time_zone)
    rows = [RoomRow(room, day, moment) for room in results[ROOMS_READ]]
    overridden = [row.room for row in rows if row.is_long_override]
    if overridden:
        text = ngettext(
            "%(count)s room has been overridden for over 2 h",
            "%(count)s rooms have been overridden for over 2 h",
            len(overridden),
        )
        yield HomeLine(
            Urgency.WAITING,
            "timer",
            text % {"count": len(overridden)},
            f"{reverse('rooms')}?show=held",
            since=min(room.override_at for room in overridden),
            links=_room_links(overridden),
        )
    yield from _opening_lines(rows)


def _opening_lines(rows: Sequence[RoomRow]) -> Iterator[HomeLine]:
    """The rooms that are open now, and the one that opens next."""
    open_rooms = [row.room for row in rows if row.state.is_open]
    coming = [(row.state.next.at, row.room) for row in rows if row.state.next and row.state.next.is_open]
    if open_rooms:
        text = ngettext("%(count)s room is open", "%(count)s rooms are open", len(open_rooms))
        links = _room_links(open_rooms)
        yield HomeLine(
            Urgency.INFO, "door-open", text % {"count": len(open_rooms)}, f"{reverse('rooms')}?show=open", links=links
        )
    if coming:
        at, room = min(coming, key=lambda each: each[0])
        url = reverse("room", args=[room.id]) if room.has_page else reverse("rooms")
        yield HomeLine(Urgency.INFO, "clock", _("Opens next: %(room)s") % {"room": room.title}, url, since=at)


def _room_links(rooms: Sequence[Room]) -> tuple[HomeLink, ...]:
    return tuple(HomeLink(room.title, reverse("room", args=[room.id])) for room in rooms[:MAX_NAMED] if room.has_page)


def attendee_reads(request: Request) -> Reads:
    midnight = day_start(timezone.localtime(now()).date())
    return {REGISTRATIONS: partial(queries.registrations_since, midnight)}


def attendee_lines(request: Request, results: Results) -> Iterator[HomeLine]:
    found = results[REGISTRATIONS]
    if found.number:
        text = ngettext("%(count)s person registered today", "%(count)s people registered today", found.number)
        count = f"{found.number}+" if found.has_more else found.number
        yield HomeLine(Urgency.INFO, "user-check", text % {"count": count}, reverse("event_people"))


register_home(
    HomePlace.PLATFORM,
    HomeSource(
        name="rooms.rooms",
        permission=Permission.ROOMS,
        checked=gettext_lazy("rooms and overrides"),
        reads=room_reads,
        build_lines=room_lines,
    ),
    HomeSource(
        name="rooms.attendees",
        permission=Permission.ATTENDEES,
        checked=gettext_lazy("registrations"),
        reads=attendee_reads,
        build_lines=attendee_lines,
    ),
)
