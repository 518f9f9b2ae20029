"""A visitor's own booking, behind a signed link: confirm, cancel, and the file for their calendar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from bookings.calendar_file import calendar_file
from bookings.items import Booking
from bookings.online.forms import VisitorCancelForm, VisitorChangeForm
from bookings.online.own import CANCELLED, CONFIRMED, OwnBooking, own_booking_of, own_reads
from bookings.online.visits import Visit, for_visitors
from bookings.services import bookings as services
from bookings.states import Status
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.web.pages import bind, page, see_other


@for_visitors(reads=own_reads, needs_open_page=False)
@require_safe
def own_booking(request: HttpRequest, visit: Visit, booking_link: str) -> HttpResponse:
    return show(request, visit, own_booking_of(visit, booking_link))


def show(
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


@for_visitors(reads=own_reads, needs_open_page=False)
@require_POST
def confirm(request: HttpRequest, visit: Visit, booking_link: str) -> HttpResponse:
    own = own_booking_of(visit, booking_link)
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


@for_visitors(reads=own_reads, needs_open_page=False)
@require_POST
def cancel(request: HttpRequest, visit: Visit, booking_link: str) -> HttpResponse:
    own = own_booking_of(visit, booking_link)
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
        return show(request, visit, own, refusal=text, status=422)
    try:
        act()
    except (Conflict, Refused) as error:
        text = _("This booking has changed meanwhile. Check it and try again.")
        return show(request, visit, own, refusal=text, status=error.status)
    return see_other(request, visit.url("online_own_booking", own.token, did=did))


@for_visitors(reads=own_reads, needs_open_page=False)
@require_safe
def calendar_download(request: HttpRequest, visit: Visit, booking_link: str) -> HttpResponse:
    own = own_booking_of(visit, booking_link)
    text = calendar_file(own.booking, own.booking.service_name or "", visit.business.title)
    if not text or not own.is_open:
        raise NotFound
    headers = {"Content-Disposition": 'attachment; filename="booking.ics"'}
    return HttpResponse(text, content_type="text/calendar; charset=utf-8", headers=headers)
