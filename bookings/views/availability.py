"""Check availability: the slot engine's answer for any service, provider and time."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from bookings.items import Booking, Provider, Service
from bookings.params import MAX_ID, read_day
from bookings.permissions import Permission
from bookings.presenters import BookingLine, DisplayNames, short_day
from bookings.queries import calendar as calendar_queries
from bookings.queries.providers import sort_by_name
from bookings.queries.services import sort_by_name as services_by_name
from bookings.reasons import clock_times
from bookings.rules import rules_of
from bookings.search_hints import hint_query
from bookings.start_options import StartOptions
from bookings.views.redirects import booking_path
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.local_times import as_local, moment_text
from dashboard.web.locale import zone
from dashboard.web.pages import page


@requires(Permission.BOOKINGS)
@require_safe
def availability(request: Request, business: str) -> HttpResponse:
    """One round trip. It writes nothing."""
    given = {name: request.GET.get(name, "").strip()[:MAX_ID] for name in ("service", "provider", "start")}
    day = read_day(given["start"]) or now().astimezone(zone(request.business.timezone)).date()
    rules = rules_of(request.business, now())
    reads = (
        calendar_queries.availability_reads(business, given["provider"], day, rules.earliest)
        if given["provider"]
        else []
    )
    providers, services, answers = calendar_queries.load_catalog_with(business, *reads)
    provider_availability = calendar_queries.availability_from(answers) if answers else None
    service = next((each for each in services if each.id == given["service"]), None)
    choices = {"service": given["service"], "provider": given["provider"]}
    context: dict[str, Any] = {
        "given": given,
        "providers": sort_by_name(providers),
        "services": services_by_name(services),
        "options": None,
        "typed": "",
        "skipped": "",
        "book_url": f"{reverse('booking_new', args=[business])}?{urlencode(choices)}",
        # The form sends all three, also empty ones.
        "is_submitted": "start" in request.GET,
        "tab": "calendar",
    }
    slot_length = service.slot_length if service else None
    if provider_availability is not None and service is not None and slot_length is not None:
        options = StartOptions.of(provider_availability, slot_length, rules, day, given["start"])
        if options.moment is not None:
            # With an offset in the start, the provider's date may differ from the date that was typed.
            provider_day = options.hours.date_of(options.moment)
            options = StartOptions.of(provider_availability, slot_length, rules, provider_day, given["start"])
        context |= _answer(business, options, DisplayNames.of(services, providers))
        context["exclusion"] = _exclusion(provider_availability.provider, service)
        context["offering"] = [
            (each.title, f"{request.path}?{urlencode(given | {'provider': each.id})}")
            for each in sort_by_name(providers)
            if not _exclusion(each, service)
        ]
    context["lacks_minutes"] = service is not None and slot_length is None
    return page(request, "bookings/availability.html", context)


def _exclusion(provider: Provider, service: Service) -> str:
    """Why this staff member cannot be booked for the service at any time; empty if they can."""
    if not service.is_active:
        return _("this service is no longer offered")
    if not provider.is_active:
        return _("this staff member can no longer be booked")
    return "" if service.id in provider.service_ids else _("this staff member does not offer the service")


def _answer(business: str, options: StartOptions, names: DisplayNames) -> dict[str, object]:
    provider_zone = options.zone
    return {
        "options": options,
        "day": short_day(options.day),
        "verdict": options.verdict,
        "skipped": " ".join(options.skipped.messages) if options.skipped else "",
        "typed": as_local(options.moment, provider_zone.key),
        "moment": moment_text(options.moment, provider_zone.key) if options.moment else "",
        "blocker": _line(business, options.blocking_booking, names, options),
        "working_spans": [clock_times(each, provider_zone) for each in options.working_spans],
        "booked": [_line(business, each, names, options) for each in _bookings_of_day(options)],
    }


def _bookings_of_day(options: StartOptions) -> list[Booking]:
    """The bookings on the provider's day, in order."""
    day, provider_zone = options.day, options.zone
    bookings, checked_at = options.availability.bookings, options.rules.checked_at
    active = [each for each in bookings if each.start_time and not each.has_lapsed(checked_at)]
    that_day = [each for each in active if each.start_time and each.start_time.astimezone(provider_zone).date() == day]
    return sorted(that_day, key=lambda each: each.start_key)


def _line(
    business: str, booking: Booking | None, names: DisplayNames, options: StartOptions
) -> dict[str, object] | None:
    if booking is None:
        return None
    line = BookingLine(booking, names, options.zone, options.rules.checked_at)
    taken = booking.taken
    provider_availability = clock_times(taken.span_with_buffers, options.zone) if taken is not None else None
    return {
        "line": line,
        "url": booking_path(business, booking.id) + hint_query(booking),
        "with_buffers": provider_availability,
    }
