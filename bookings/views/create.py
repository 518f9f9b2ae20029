"""The form for a new booking."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from bookings.actions import CANCEL
from bookings.errors import SlotTaken, StartNotBookable
from bookings.forms.bookings import MAX_QUERY, BookingForm
from bookings.items import Booking, Customer, Provider, Service
from bookings.money import format_amount
from bookings.params import MAX_ID, read_day
from bookings.permissions import Permission
from bookings.queries import calendar as calendar_queries
from bookings.queries import customers
from bookings.queries.providers import find_provider, sort_by_name
from bookings.queries.services import sort_by_name as services_by_name
from bookings.rules import rules_of
from bookings.services import bookings as services
from bookings.services import customers as customer_services
from bookings.start_options import StartOptions, options_with_day, start_text
from bookings.states import Status
from bookings.views.redirects import booking_path, describe_conflict, with_just
from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.commands import Command
from dashboard.web.commands import command_of
from dashboard.web.locale import zone
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast

SHOW_OPTIONS = "look"
TAB = "calendar"
# How many customers the form suggests.
SUGGESTED_CUSTOMERS = 8


@requires(Permission.BOOKINGS)
@require_safe
def new(request: Request, business: str) -> HttpResponse:
    given = {name: request.GET.get(name, "")[:MAX_ID] for name in BookingForm.base_fields}
    return _show(request, business, BookingForm(initial=given))


def create(request: Request, business: str) -> HttpResponse:
    """Create a booking. With `do=look`, show the form again with free times and customers."""
    if request.POST.get("do") == SHOW_OPTIONS:
        return _show(request, business, BookingForm(initial=request.POST.dict()))
    provider = find_provider(business, request.POST.get("provider", "")[:MAX_ID])
    provider_zone = provider.zone(request.business.timezone) if provider else zone(request.business.timezone)
    form = bind(request, BookingForm, provider_zone=provider_zone)
    if not form.is_valid():
        return _show(request, business, form, status=422)
    command = command_of(request)
    customer = form.cleaned_data["customer"] or _create_customer(business, form, command)
    try:
        booking = _book(request, business, form, customer, command)
    except (SlotTaken, StartNotBookable) as error:
        return _show_alternatives(request, business, form, customer, error)
    except Refused as refusal:
        add_refusal(form, refusal)
        return _show(request, business, form, customer=customer, status=422)
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


def _book(request: Request, business: str, form: BookingForm, customer: str, command: Command) -> Booking:
    given, rules = form.cleaned_data, rules_of(request.business, now())
    assert form.moment is not None
    return services.create(
        business,
        given["service"],
        given["provider"],
        form.moment.utc,
        customer,
        lapses_at=form.lapses.utc if form.lapses else None,
        status=Status(given["status"]),
        note=given["note"],
        rules=rules,
        command=command,
    )


def _create_customer(business: str, form: BookingForm, command: Command) -> str:
    """Create the customer first: if the time is not free, they are selected for the next attempt."""
    assert form.new_customer is not None
    return customer_services.create(business, form.new_customer, command=command.part("customer")).id


def _show_alternatives(
    request: Request, business: str, form: BookingForm, customer: str, error: SlotTaken | StartNotBookable
) -> HttpResponse:
    if isinstance(error, StartNotBookable):
        form.add_error("start", str(error.text))
    sent = {name: value for name, value in request.POST.dict().items() if name in form.fields}
    omitted = {"start", "start_at", "day", "who", "customer_name", "customer_email", "customer_phone"}
    fields = {name: value for name, value in sent.items() if name not in omitted and value} | {"customer": customer}
    alternatives = options_with_day(error.alternatives, error.zone)
    extra = {"conflict": describe_conflict(business, error), "alternatives": alternatives, "fields": fields}
    return _show(request, business, form, customer=customer, status=error.status, **extra)


def _calendar_url(request: Request, business: str, booking: Booking) -> str:
    start = booking.start_time or now()
    day = start.astimezone(zone(request.business.timezone)).date()
    return with_just(f"{reverse('bookings', args=[business])}?day={day.isoformat()}", booking)


# --- The form ------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Choice:
    """An option, and whether it fits the other choice."""

    value: str
    label: str
    fits: bool
    is_chosen: bool
    # Duration and price of a service.
    details: str = ""


def _show(
    request: Request, business: str, form: BookingForm, *, customer: str = "", status: int = 200, **extra: Any
) -> HttpResponse:
    """The form with its options, in one trip."""
    given = {name: str(form[name].value() or "")[:MAX_ID] for name in form.fields}
    chosen, search_text = customer or given["customer"], given["who"][:MAX_QUERY]
    business_zone = zone(request.business.timezone)
    day = (
        read_day(given["day"])
        or read_day(given["start"] or given["start_at"])
        or now().astimezone(business_zone).date()
    )
    reads = calendar_queries.availability_reads(business, given["provider"], day) if given["provider"] else []
    providers, services_found, (customers_found, chosen_customer, *answers) = calendar_queries.load_catalog_with(
        business,
        lambda: (
            customers.search(business, search_text)
            if search_text
            else customers.customers_of(business, limit=SUGGESTED_CUSTOMERS)
        ),
        lambda: customers.find_customer(business, chosen) if chosen else None,
        *reads,
    )
    availability = calendar_queries.availability_from(answers) if answers else None
    service = next((each for each in services_found if each.id == given["service"]), None)
    provider = availability.provider if availability else None
    context = {
        "form": form,
        "has_extra": _has_extra(form, given),
        "given": given | {"customer": chosen} | _new_customer_values(given, search_text, customers_found.items),
        "services": _services(services_found, given["service"], provider),
        "providers": _providers(providers, given["provider"], service),
        "is_empty": not any(each.is_active for each in providers) or not any(each.is_active for each in services_found),
        "has_services": any(each.is_active for each in services_found),
        "day": day,
        "today": now().astimezone(business_zone).date(),
        "options": _options(request, availability, service, day, given["start"] or given["start_at"]),
        "is_offered": provider is None or service is None or service.id in provider.service_ids,
        "suggested_customers": _suggested_customers(customers_found.items, chosen_customer),
        "among": getattr(customers_found, "among", None),
        "url": reverse("bookings", args=[business]),
        "tab": TAB,
        **extra,
    }
    return page(request, "bookings/booking_new.html", context, status=status)


def _has_extra(form: BookingForm, given: dict[str, str]) -> bool:
    """Whether the part with the note and the confirmation is open."""
    has_errors = any(form[name].errors for name in ("lapses_at", "note", "status"))
    return given["status"] == Status.PENDING or bool(given["lapses_at"] or given["note"]) or has_errors


def _new_customer_values(given: dict[str, str], search_text: str, found: list[Customer]) -> dict[str, str]:
    """A search without results becomes the name, e-mail or phone of a new customer."""
    if not search_text or found or any(given[name] for name in ("customer_name", "customer_email", "customer_phone")):
        return {}
    letters = any(char.isalpha() for char in search_text)
    return {"customer_email" if "@" in search_text else "customer_name" if letters else "customer_phone": search_text}


def _options(
    request: Request,
    availability: calendar_queries.ProviderAvailability | None,
    service: Service | None,
    day: dt.date,
    requested_start: str,
) -> StartOptions | None:
    slot_length = service.slot_length if service is not None else None
    if availability is None or slot_length is None:
        return None
    return StartOptions.of(availability, slot_length, rules_of(request.business, now()), day, requested_start)


def _services(services_found: list[Service], chosen: str, provider: Provider | None) -> list[Choice]:
    """Services that can be booked; those of the provider come first."""
    offered_ids = set(provider.service_ids) if provider is not None else None
    visible = [each for each in services_by_name(services_found) if each.is_active or each.id == chosen]
    found = [
        Choice(
            each.id,
            each.title,
            offered_ids is None or each.id in offered_ids,
            each.id == chosen,
            _service_details(each),
        )
        for each in visible
    ]
    return sorted(found, key=lambda each: not each.fits)


def _service_details(service: Service) -> str:
    """`45 min · CLP 19,000`."""
    length = _("%(minutes)s min") % {"minutes": service.minutes} if service.minutes else ""
    return " · ".join(each for each in (length, format_amount(service.price, service.currency)) if each)


def _providers(providers: list[Provider], chosen: str, service: Service | None) -> list[Choice]:
    visible = [each for each in sort_by_name(providers) if each.is_active or each.id == chosen]
    found = [
        Choice(each.id, each.title, service is None or service.id in each.service_ids, each.id == chosen)
        for each in visible
    ]
    return sorted(found, key=lambda each: not each.fits)


def _suggested_customers(found: list[Customer], chosen_customer: Customer | None) -> list[Customer]:
    """The suggested customers; the chosen one comes first."""
    others = [each for each in found[:50] if chosen_customer is None or each.id != chosen_customer.id]
    return [chosen_customer, *others] if chosen_customer is not None else others
