"""Another time for a visitor's own booking."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from datetime import UTC
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from bookings.errors import SlotTaken, StartNotBookable
from bookings.online.choices import shown_day
from bookings.online.forms import VisitorMoveForm
from bookings.online.limits import count_booking
from bookings.online.own import MOVED, OwnBooking, own_booking_of, own_reads
from bookings.online.times import WEEK, by_day, find_free_day, free_times, last_day, read_span, week_span
from bookings.online.views.own_booking import show
from bookings.online.visits import Visit, for_visitors
from bookings.params import MAX_ID
from bookings.queries import calendar
from bookings.rules import rules_of
from bookings.services import bookings as services
from bookings.start_options import moment_of
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.web.pages import bind, page, see_other


def _reads(request: HttpRequest, business: str, booking_link: str) -> list[Callable[[], Any]]:
    span = read_span(shown_day(_asked(request), now().astimezone(UTC).date()))
    return [*own_reads(request, business, booking_link), *calendar.days_reads(business, span)]


@for_visitors(reads=_reads, needs_open_page=False)
@require_safe
def times(request: HttpRequest, visit: Visit, booking_link: str) -> HttpResponse:
    """The free times with the same staff member. Each one is a button that moves the booking."""
    own = own_booking_of(visit, booking_link)
    return _show_times(request, visit, own)


def _show_times(
    request: HttpRequest, visit: Visit, own: OwnBooking, *, is_taken: bool = False, status: int = 200
) -> HttpResponse:
    if not own.is_open:
        return show(request, visit, own, refusal=_("This booking can no longer be moved."), status=422)
    today, zone = timezone.localdate(now()), visit.clock_zone
    first = shown_day(_asked(request), today)
    days = calendar.days_from(visit.answers[1:], read_span(first))
    staff = [each for each in days.providers if each.id == own.booking.provider]
    rules, length, without = rules_of(visit.business, now()), own.booking.slot_length, own.booking.id
    moments = free_times(days, staff, visit.business.timezone, length, week_span(first, zone), rules, without=without)
    others = [each for each in moments if each != own.booking.start_time]
    earlier, later = max(first - WEEK, today), first + WEEK
    has_later = later <= last_day(today, rules)
    free_day = None
    if not others and has_later:
        free_day = find_free_day(
            visit.business.id, days, staff, visit.business.timezone, length, later, zone, rules, without=without
        )

    def week_url(day: dt.date) -> str:
        return visit.url("online_times", own.token, day=day.isoformat())

    context = {
        "visit": visit,
        "own": own,
        "booking": own.booking,
        "form": VisitorMoveForm(visit=visit, initial={"revision": own.booking.revision}),
        "days": [(each.day, each.times) for each in by_day(others, first, zone)],
        "is_empty": not others,
        "is_taken": is_taken,
        "move_url": visit.url("online_move", own.token, day=first.isoformat()),
        "earlier_url": week_url(earlier) if first > today else "",
        "later_url": week_url(later) if has_later else "",
        "free_day": free_day,
        "free_day_url": week_url(free_day) if free_day else "",
        "back_url": visit.url("online_own_booking", own.token),
        "now": now(),
    }
    return page(request, "bookings/online/own_times.html", context, status=status)


@for_visitors(reads=_reads, needs_open_page=False)
@require_POST
def move(request: HttpRequest, visit: Visit, booking_link: str) -> HttpResponse:
    own = own_booking_of(visit, booking_link)
    form = bind(request, VisitorMoveForm, visit=visit)
    start = moment_of(form.data.get("start"), visit.clock_zone)
    if start is None or not form.is_valid():
        return _show_times(request, visit, own, is_taken=True, status=422)
    count_booking(request, visit)
    try:
        services.reschedule(
            visit.business.id,
            own.booking.id,
            provider=own.booking.provider,
            start=start,
            revision=form.cleaned_data["revision"],
            rules=rules_of(visit.business, now()),
            command=form.command(request.path),
        )
    except (SlotTaken, StartNotBookable) as error:
        return _show_times(request, visit, own, is_taken=True, status=error.status)
    except (Conflict, Refused) as error:
        text = _("This booking has changed meanwhile. Check it and try again.")
        return show(request, visit, own, refusal=text, status=error.status)
    return see_other(request, visit.url("online_own_booking", booking_link, did=MOVED))


def _asked(request: HttpRequest) -> str:
    return request.GET.get("day", "")[:MAX_ID]
