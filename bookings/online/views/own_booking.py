"""A visitor's own booking, behind a signed link: confirm, move, cancel, and the file for their calendar."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from bookings.calendar_file import calendar_file
from bookings.errors import SlotTaken, StartNotBookable
from bookings.items import Booking
from bookings.online.forms import VisitorCancelForm, VisitorChangeForm, VisitorMoveForm
from bookings.online.links import read_token
from bookings.online.times import WEEK, by_day, find_free_day, free_times, last_day, read_span, week_span
from bookings.online.visits import Visit, count_booking, for_visitors
from bookings.params import read_day
from bookings.presenters import state_of
from bookings.queries import bookings as queries
from bookings.queries import calendar
from bookings.rules import MAX_DAYS, rules_of
from bookings.services import bookings as services
from bookings.start_options import moment_of
from bookings.states import Status
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.web.pages import bind, page, see_other

# What the page says after a change, by the parameter `did`.
CONFIRMED, MOVED, CANCELLED = "confirmed", "moved", "cancelled"


@dataclass(frozen=True)
class OwnBooking:
    """A booking as its customer sees it."""

    booking: Booking
    token: str
    is_from_mail: bool
    staff_name: str

    @property
    def state(self) -> Any:
        return state_of(self.booking, now())

    @property
    def is_open(self) -> bool:
        """Whether it can still be moved and cancelled."""
        start, state = self.booking.start_time, self.booking.state(now())
        return start is not None and start > now() and state in (Status.PENDING, Status.CONFIRMED)

    @property
    def can_be_confirmed(self) -> bool:
        return self.is_open and self.is_from_mail and self.booking.status == Status.PENDING

    def news(self, did: str, *, is_new: bool) -> str:
        """What has just happened, if the booking still says so: the address may be opened again later."""
        state = self.booking.state(now())
        if state == Status.CANCELLED:
            return _("Your booking was cancelled.") if did == CANCELLED else ""
        if state not in (Status.PENDING, Status.CONFIRMED):
            return ""
        if did == MOVED:
            return _("Your booking was moved.")
        if did == CONFIRMED and state == Status.CONFIRMED:
            return _("Your booking is confirmed.")
        if not is_new:
            return ""
        is_booked = state == Status.CONFIRMED
        return _("You are booked.") if is_booked else _("Thank you. The business will confirm your booking.")

    @property
    def waits_for_mail(self) -> bool:
        """Whether the link that confirms it is in the mail."""
        pending = self.is_open and self.booking.status == Status.PENDING
        return pending and not self.is_from_mail and self.booking.lapses_at is not None


def _reads(request: HttpRequest, business: str, booking_link: str) -> list[Callable[[], Any]]:
    link = read_token(business, booking_link)
    return [lambda: queries.load_booking_with(business, link.booking)]


def _own_booking(visit: Visit, booking_link: str) -> OwnBooking:
    booking, providers, _rest = visit.answers[0]
    staff = next((each.title for each in providers if each.id == booking.provider), booking.provider_name or "")
    return OwnBooking(booking, booking_link, read_token(visit.business.id, booking_link).is_from_mail, staff)


@for_visitors(reads=_reads, needs_open_page=False)
@require_safe
def own_booking(request: HttpRequest, visit: Visit, booking_link: str) -> HttpResponse:
    return _show(request, visit, _own_booking(visit, booking_link))


def _show(
    request: HttpRequest, visit: Visit, own: OwnBooking, *, refusal: str = "", form: Any = None, status: int = 200
) -> HttpResponse:
    revision = {"revision": own.booking.revision}
    context = {
        "visit": visit,
        "own": own,
        "booking": own.booking,
        "news": own.news(request.GET.get("did", ""), is_new=request.GET.get("new") == "1"),
        "refusal": refusal,
        "change_form": VisitorChangeForm(visit=visit, initial=revision),
        "cancel_form": form or VisitorCancelForm(visit=visit, initial=revision),
        "confirm_url": visit.url("online_confirm", own.token),
        "cancel_url": visit.url("online_cancel", own.token),
        "times_url": visit.url("online_times", own.token),
        "calendar_url": visit.url("online_calendar_file", own.token),
        "again_url": visit.url() if visit.is_framed or visit.has_open_page else "",
    }
    return page(request, "bookings/online/own_booking.html", context, status=status)


@for_visitors(reads=_reads, needs_open_page=False)
@require_POST
def confirm(request: HttpRequest, visit: Visit, booking_link: str) -> HttpResponse:
    own = _own_booking(visit, booking_link)
    if not own.is_from_mail:
        raise NotFound
    if own.booking.status == Status.CONFIRMED:
        # Sent twice, or confirmed by the business meanwhile.
        return see_other(request, visit.url("online_own_booking", booking_link, did=CONFIRMED))
    form = bind(request, VisitorChangeForm, visit=visit)
    return _change(
        request,
        visit,
        own,
        form,
        CONFIRMED,
        lambda: services.confirm(
            visit.business.id,
            own.booking.id,
            revision=form.cleaned_data["revision"],
            command=form.command(request.path),
        ),
    )


@for_visitors(reads=_reads, needs_open_page=False)
@require_POST
def cancel(request: HttpRequest, visit: Visit, booking_link: str) -> HttpResponse:
    own = _own_booking(visit, booking_link)
    form = bind(request, VisitorCancelForm, visit=visit)
    return _change(
        request,
        visit,
        own,
        form,
        CANCELLED,
        lambda: services.cancel(
            visit.business.id,
            own.booking.id,
            revision=form.cleaned_data["revision"],
            reason=form.cleaned_data["reason"] or str(_("Cancelled by the customer")),
            command=form.command(request.path),
        ),
    )


def _change(
    request: HttpRequest, visit: Visit, own: OwnBooking, form: VisitorChangeForm, did: str, act: Callable[[], Booking]
) -> HttpResponse:
    """Change the booking, or show it again and say why it was not changed."""
    if not form.is_valid():
        text = " ".join(each for errors in form.errors.values() for each in map(str, errors))
        return _show(request, visit, own, refusal=text, status=422)
    try:
        act()
    except (Conflict, Refused) as error:
        text = _("This booking has changed meanwhile. Check it and try again.")
        return _show(request, visit, own, refusal=text, status=error.status)
    return see_other(request, visit.url("online_own_booking", own.token, did=did))


# --- Another time ---------------------------------------------------------------------------------
def _first_day(request: HttpRequest, today: dt.date) -> dt.date:
    asked = read_day(request.GET.get("day", ""))
    return min(max(asked or today, today), today + timedelta(days=MAX_DAYS))


def _times_reads(request: HttpRequest, business: str, booking_link: str) -> list[Callable[[], Any]]:
    span = read_span(_first_day(request, now().astimezone(UTC).date()))
    return [*_reads(request, business, booking_link), *calendar.days_reads(business, span)]


@for_visitors(reads=_times_reads, needs_open_page=False)
@require_safe
def times(request: HttpRequest, visit: Visit, booking_link: str) -> HttpResponse:
    """The free times with the same staff member. Each one is a button that moves the booking."""
    own = _own_booking(visit, booking_link)
    return _show_times(request, visit, own)


def _show_times(
    request: HttpRequest, visit: Visit, own: OwnBooking, *, is_taken: bool = False, status: int = 200
) -> HttpResponse:
    if not own.is_open:
        return _show(request, visit, own, refusal=_("This booking can no longer be moved."), status=422)
    today, zone = timezone.localdate(now()), visit.clock_zone
    first = _first_day(request, today)
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


@for_visitors(reads=_times_reads, needs_open_page=False)
@require_POST
def move(request: HttpRequest, visit: Visit, booking_link: str) -> HttpResponse:
    own = _own_booking(visit, booking_link)
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
        return _show(request, visit, own, refusal=text, status=error.status)
    return see_other(request, visit.url("online_own_booking", booking_link, did=MOVED))


@for_visitors(reads=_reads, needs_open_page=False)
@require_safe
def calendar_download(request: HttpRequest, visit: Visit, booking_link: str) -> HttpResponse:
    own = _own_booking(visit, booking_link)
    text = calendar_file(own.booking, own.booking.service_name or "", visit.business.title)
    if not text or not own.is_open:
        raise NotFound
    headers = {"Content-Disposition": 'attachment; filename="booking.ics"'}
    return HttpResponse(text, content_type="text/calendar; charset=utf-8", headers=headers)
