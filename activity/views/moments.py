"""A point in time: who was in a room, what they did, and what staff can do about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from activity.annotations import annotation_reads, build_annotations
from activity.event_rooms import EventRooms, load_in_event_zone
from activity.events import RETENTION
from activity.moments import AROUND, MomentParams
from activity.params import DayRange, Filters
from activity.permissions import Permission
from activity.presenters.events import event_lines
from activity.presenters.links import build_tabs, moment_chips
from activity.presenters.moments import present_people
from activity.queries.periods import events_between
from activity.views.lists import position_dict
from activity.views.shared import with_current
from activity.warehouse.answers import load
from activity.warehouse.reports import events_report
from dashboard.core.clock import now
from dashboard.core.names import folded
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import Page, in_background
from dashboard.web.pages import page
from forum.public import announce_url
from rooms.public import Permission as RoomPermission

# The events that the page reads. More are said to be missing.
MAX_EVENTS = 500
# The events that it lists one by one.
MAX_LISTED = 50


def load_moment(
    request: Request, *, with_annotations: bool = True
) -> tuple[EventRooms, MomentParams, Page[Any], Sequence[Any]]:
    """What the page reads, in one round trip."""

    def read(zone: Any) -> tuple[MomentParams, Page[Any], list[Any]]:
        params = MomentParams.of(request.GET, zone, now())
        reads = annotation_reads(params.start, params.end) if with_annotations else []
        others = [in_background(each) for each in reads]
        found = _events(params) if params.start >= now() - RETENTION else _archived_events(params)
        return params, found, [each.result() for each in others]

    event, (params, found, others) = load_in_event_zone(read)
    return event, params, found, others


@requires(Permission.ACTIVITY)
@require_safe
def moment(request: Request) -> HttpResponse:
    event, params, found, others = load_moment(request)
    with timezone.override(event.zone):
        annotations = build_annotations(others, event, params.start, params.end, request.person)
        context = {
            "params": params,
            "event": event,
            "tabs": build_tabs("activity_moment"),
            "chips": moment_chips(params, event),
            "room_choices": with_current(event.choices, params.room, event.title(params.room)),
            "around_choices": sorted(AROUND),
            "people": present_people(found.items, params, event),
            "time_format": "H:i:s",
            "events": event_lines(found.items[:MAX_LISTED], event),
            "unlisted": max(0, len(found.items) - MAX_LISTED),
            # Back to when the events are complete, if there are more than the page reads.
            "reached": found.items[-1].at if found.next_start_key and found.items else None,
            "annotations": annotations,
            "room_title": event.title(params.room) if params.room else "",
            "room_url": event.url(params.room) if request.person.may(RoomPermission.ROOMS) else "",
            "shift_url": reverse("rooms_shift"),
            "export_url": reverse("activity_moment_export") + params.query(),
            "announce_url": announce_url(request.person),
        }
        return page(request, "activity/moment.html", context, partial="list")


def _events(params: MomentParams) -> Page[Any]:
    return events_between(
        params.start,
        params.end,
        room=params.room or None,
        country=params.country or None,
        action=params.action or None,
        limit=MAX_EVENTS,
    )


def _archived_events(params: MomentParams) -> Page[Any]:
    """Only the archive has events of this age. It returns the latest of them."""
    first, last = (each.astimezone(params.zone).date() for each in (params.start, params.end))
    filters = Filters(folded(params.country), "", params.room, params.action)
    report = events_report(DayRange(first, last, params.zone), filters, between=(params.start, params.end))
    (answer,), _others = load([report])
    following = position_dict(answer.result.next)
    return Page(answer.result.events, following)
