"""The form for a new booking."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from bookings.actions import CANCEL
from bookings.errors import PossibleDuplicates, SlotTaken, StartNotBookable
from bookings.forms.bookings import BookingForm
from bookings.items import Booking
from bookings.params import MAX_ID
from bookings.permissions import Permission
from bookings.queries.providers import find_provider
from bookings.rules import rules_of
from bookings.services import bookings as services
from bookings.start_options import options_with_day, start_text
from bookings.states import Status
from bookings.views.booking_form import show_form
from bookings.views.duplicates import describe_duplicates
from bookings.views.redirects import booking_path, describe_conflict, with_just
from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.commands import Command
from dashboard.web.commands import command_of
from dashboard.web.locale import zone
from dashboard.web.pages import add_refusal, bind, see_other
from dashboard.web.toasts import toast

SHOW_OPTIONS = "look"


@requires(Permission.BOOKINGS)
@require_safe
def new(request: Request, business: str) -> HttpResponse:
    given = {name: request.GET.get(name, "")[:MAX_ID] for name in BookingForm.base_fields}
    return show_form(request, business, BookingForm(initial=given))


def create(request: Request, business: str) -> HttpResponse:
    """Create a booking. With `do=look`, show the form again with free times and customers."""
    if request.POST.get("do") == SHOW_OPTIONS:
        return show_form(request, business, BookingForm(initial=request.POST.dict()))
    provider = find_provider(business, request.POST.get("provider", "")[:MAX_ID])
    provider_zone = provider.zone(request.business.timezone) if provider else zone(request.business.timezone)
    form = bind(request, BookingForm, provider_zone=provider_zone)
    if not form.is_valid():
        return show_form(request, business, form, status=422)
    command = command_of(request)
    try:
        booking = _book(request, business, form, command)
    except (SlotTaken, StartNotBookable) as error:
        return _show_alternatives(request, business, form, error)
    except PossibleDuplicates as error:
        duplicates = describe_duplicates(business, error, form.new_customer or {}, zone(request.business.timezone))
        return show_form(request, business, form, status=error.status, duplicates=duplicates)
    except Refused as refusal:
        add_refusal(form, refusal)
        return show_form(request, business, form, status=422)
    business_zone = zone(request.business.timezone)
    values = {
        "who": booking.title,
        "when": start_text(form.moment.utc, provider_zone, business_zone) if form.moment else "",
    }
    text = (
        _("Booking for %(who)s created: %(when)s.")
        if booking.status == Status.CONFIRMED
        else _("Booking for %(who)s created, to confirm: %(when)s.")
    )
    text = text % values
    if form.moment and form.moment.twice:
        text += " " + _("The clocks go back that night, so this time occurs twice. The booking is at the first one.")
    undo = (booking_path(business, booking.id, CANCEL.path), {"revision": booking.revision})
    toast(request, text, undo=undo, of=booking)
    return see_other(request, _calendar_url(request, business, booking))


def _book(request: Request, business: str, form: BookingForm, command: Command) -> Booking:
    given, rules = form.cleaned_data, rules_of(request.business, now())
    assert form.moment is not None
    return services.create(
        business,
        given["service"],
        given["provider"],
        form.moment.utc,
        given["customer"],
        lapses_at=form.lapses.utc if form.lapses else None,
        status=Status(given["status"]),
        note=given["note"],
        rules=rules,
        new_customer=form.new_customer,
        accepts=given["accepts"],
        command=command,
    )


def _show_alternatives(
    request: Request, business: str, form: BookingForm, error: SlotTaken | StartNotBookable
) -> HttpResponse:
    if isinstance(error, StartNotBookable):
        form.add_error("start", str(error.text))
    sent = {name: value for name, value in request.POST.dict().items() if name in form.fields}
    omitted = {"start", "start_at", "day", "who"}
    if form.new_customer is None:
        omitted |= {"customer_name", "customer_email", "customer_phone"}
    fields = {name: value for name, value in sent.items() if name not in omitted and value}
    alternatives = options_with_day(error.alternatives, error.zone)
    extra: dict[str, Any] = {
        "conflict": describe_conflict(business, error),
        "alternatives": alternatives,
        "fields": fields,
    }
    return show_form(request, business, form, status=error.status, **extra)


def _calendar_url(request: Request, business: str, booking: Booking) -> str:
    start = booking.start_time or now()
    day = start.astimezone(zone(request.business.timezone)).date()
    return with_just(f"{reverse('bookings', args=[business])}?day={day.isoformat()}", booking)
