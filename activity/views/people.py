"""The timeline of a person across months, next to their posts and, for those who may see them, their bookings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from activity.event_rooms import EventRooms, load_in_event_zone
from activity.events import RETENTION, fold_user
from activity.params import MAX_DAYS, ActivityParams, DayRange
from activity.permissions import Permission
from activity.presenters.events import days_of, event_lines
from activity.presenters.links import build_tabs
from activity.queries.people import person_events
from activity.views.lists import FILTERS, event_position, position_dict
from activity.views.shared import period_text
from activity.warehouse.answers import load
from activity.warehouse.reports import events_report
from activity.warehouse.results import AnswerState, ReportAnswer
from bookings.public import Permission as BookingPermission
from bookings.public import booking_lines, bookings_of_customer, customers_by_email, find_customer, has_email
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.emails import MAX_LENGTH
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.businesses.queries import businesses
from dashboard.table.read import Page, in_background
from dashboard.web.lists import list_page
from forum.public import author_url, can_read_forum, cards_of, posts_of
from rooms.public import Permission as RoomPermission
from rooms.public import find_attendee

EVENTS, POSTS, BUSINESSES = 100, 20, 50


@dataclass(frozen=True)
class PersonState:
    """What the page of a person reads."""

    params: ActivityParams
    events: Page[Any]
    # Set if the events are read from the archive.
    answer: ReportAnswer[Any] | None
    others: Mapping[str, Any]


@requires(Permission.ACTIVITY)
@require_safe
def person(request: Request, email: str) -> HttpResponse:
    user = fold_user(email)
    if "#" in user or not 0 < len(user) <= MAX_LENGTH:
        raise NotFound

    def load_page(start: Any) -> tuple[Page[Any], dict[str, Any]]:
        event, state = load_in_event_zone(lambda zone: _read(request, user, email, zone, start))
        timezone.activate(event.zone)
        rows = days_of(event_lines(state.events.items, event))
        return Page(rows, state.events.next_start_key), _context(request, user, event, state)

    scope = ("activity_person", user, *(request.GET.get(name, "")[:300] for name in FILTERS))
    # `load_page` activates the time zone of the event, for this page only.
    with timezone.override(timezone.get_current_timezone()):
        return list_page(request, "activity/person.html", load_page, cursor_scope=scope)


def _read(request: Request, user: str, email: str, zone: Any, start: Any) -> PersonState:
    """In one round trip. The log tables have the last months, the archive everything before."""
    params = _with_default_days(request, zone)
    others = {name: in_background(read) for name, read in _other_reads(request, user).items()}
    answer: ReportAnswer[Any] | None = None
    if params.days.start >= now() - RETENTION:
        found = person_events(user, params.days.start, params.days.end, start, limit=EVENTS, spellings={email})
    else:
        (answer,), _nothing = load([events_report(params.days, user=user, before=event_position(start))])
        events = answer.result if answer.state is AnswerState.READY else None
        found = Page(events.events, position_dict(events.next)) if events else Page([])
    return PersonState(params, found, answer, {name: each.result() for name, each in others.items()})


def _with_default_days(request: Request, zone: Any) -> ActivityParams:
    """Without days in the URL: as many as the log tables have."""
    today = now().astimezone(zone).date()
    params = ActivityParams.of(request.GET, zone, today)
    if "day" in request.GET or "first" in request.GET:
        return params
    first = today - dt.timedelta(days=min(RETENTION.days, MAX_DAYS) - 1)
    return replace(params, days=DayRange(first, today, zone))


def _other_reads(request: Request, user: str) -> dict[str, Callable[[], Any]]:
    reads: dict[str, Callable[[], Any]] = {
        "attendee": partial(find_attendee, user),
        "posts": partial(posts_of, user, None, POSTS),
    }
    if not request.person.may(BookingPermission.BOOKINGS):
        return reads
    business, customer = request.GET.get("business", ""), request.GET.get("customer", "")
    reads["businesses"] = partial(businesses, limit=BUSINESSES)
    if business and customer:
        reads["customer"] = partial(find_customer, business, customer)
        reads["bookings"] = partial(bookings_of_customer, business, customer)
    elif business:
        reads["customers"] = partial(customers_by_email, business, user)
    return reads


def _context(request: Request, user: str, event: EventRooms, state: PersonState) -> dict[str, Any]:
    attendee: Person | None = state.others["attendee"]
    may_read_forum = can_read_forum(request.person)
    url = reverse("activity_person", args=[user])
    is_attendee_linked = attendee is not None and request.person.may(RoomPermission.ATTENDEES)
    answer = state.answer
    return {
        "user": user,
        "attendee": attendee,
        "attendee_url": reverse("event_person", args=[attendee.email]) if attendee and is_attendee_linked else "",
        "params": state.params,
        "event": event,
        "tabs": build_tabs("activity_person"),
        "period_text": period_text(state.params),
        "is_calculating": answer is not None and answer.state is AnswerState.CALCULATING,
        "questions": [answer.question] if answer is not None and answer.question else [],
        "failed": answer if answer is not None and answer.state is AnswerState.FAILED else None,
        "here": url + state.params.query(),
        "earlier_url": url + _earlier_query(state.params),
        "posts": cards_of(state.others["posts"].items),
        "can_read_forum": may_read_forum,
        "author_url": author_url(user) if may_read_forum else "",
        "bookings": _bookings(request, user, url, state),
    }


def _earlier_query(params: ActivityParams) -> str:
    """The period of the same length before this one."""
    last = params.days.first - dt.timedelta(days=1)
    first = last - (params.days.last - params.days.first)
    return params.query(day=None, first=first, last=last)


def _bookings(request: Request, user: str, url: str, state: PersonState) -> dict[str, Any] | None:
    """The bookings at the chosen business; None for people who may not see any."""
    others = state.others
    if "businesses" not in others:
        return None
    business = request.GET.get("business", "")
    customer = others.get("customer")
    # An id in the URL must not show the bookings of somebody else as those of this person.
    is_own = customer is not None and has_email(customer, user)
    lines: Sequence[Any] = booking_lines(business, others["bookings"].items) if is_own else []
    query = state.params.query(business=business)
    return {
        "choices": [(each.id, each.title) for each in others["businesses"].items],
        "business": business,
        "customers": [
            (each.title, url + state.params.query(business=business, customer=each.id))
            for each in others.get("customers", [])
        ],
        "customer": customer if is_own else None,
        "lines": lines,
        "url": url + query,
    }
