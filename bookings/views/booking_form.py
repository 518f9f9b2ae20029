"""The form for a new booking, with its services, staff members, start times and customers."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from bookings.forms.bookings import MAX_QUERY, BookingForm
from bookings.items import Customer, Provider, Service
from bookings.params import MAX_ID, read_day
from bookings.queries import calendar as calendar_queries
from bookings.queries import customers
from bookings.queries.providers import sort_by_name
from bookings.queries.services import sort_by_name as services_by_name
from bookings.rules import rules_of
from bookings.slots import Rules
from bookings.start_options import StartOptions, moment_of
from bookings.states import Status
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.web.local_times import as_local
from dashboard.web.locale import zone
from dashboard.web.money import format_amount
from dashboard.web.pages import page

TAB = "calendar"
# How many customers the form suggests.
SUGGESTED_CUSTOMERS = 8


@dataclass(frozen=True)
class Choice:
    """An option, and whether it fits the other choice."""

    value: str
    label: str
    fits: bool
    is_chosen: bool
    # Duration and price of a service.
    details: str = ""


def show_form(
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
    rules = rules_of(request.business, now())
    reads = (
        calendar_queries.availability_reads(business, given["provider"], day, rules.earliest)
        if given["provider"]
        else []
    )
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
    provider = availability.provider if availability else None
    given["service"] = given["service"] or _only_service(services_found, provider)
    service = next((each for each in services_found if each.id == given["service"]), None)
    requested_start = given["start"] or given["start_at"]
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
        "options": _options(rules, availability, service, day, requested_start),
        "requested_start": _start_for_input(requested_start, availability, business_zone),
        "is_offered": provider is None or service is None or service.id in provider.service_ids,
        "suggested_customers": _suggested_customers(customers_found.items, chosen_customer),
        "among": getattr(customers_found, "among", None),
        "url": reverse("bookings", args=[business]),
        "tab": TAB,
        "duplicates": None,
        **extra,
    }
    return page(request, "bookings/booking_new.html", context, status=status)


def _only_service(services_found: list[Service], provider: Provider | None) -> str:
    """The service of a provider who offers only one; empty for others."""
    offered = provider.service_ids if provider is not None else []
    found = [each.id for each in services_found if each.is_active and each.id in offered]
    return found[0] if len(found) == 1 else ""


def _start_for_input(
    requested: str, availability: calendar_queries.ProviderAvailability | None, business_zone: ZoneInfo
) -> str:
    """The requested start for an input of date and time, which shows no offset. What is no valid time stays."""
    start_zone = availability.hours.zone if availability is not None else business_zone
    moment = moment_of(requested, start_zone)
    return as_local(moment, start_zone.key) if moment is not None else requested


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
    rules: Rules,
    availability: calendar_queries.ProviderAvailability | None,
    service: Service | None,
    day: dt.date,
    requested_start: str,
) -> StartOptions | None:
    slot_length = service.slot_length if service is not None else None
    if availability is None or slot_length is None:
        return None
    return StartOptions.of(availability, slot_length, rules, day, requested_start)


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
