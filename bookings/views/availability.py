"""Why a start is not free: the slot engine's answer for any service, provider and time."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from bookings.items import Booking
from bookings.offers import Offers
from bookings.params import MAX_ID, read_day
from bookings.permissions import Permission
from bookings.presenters import BookingLine, Names, short_day
from bookings.queries import calendar as asking
from bookings.queries.providers import by_name
from bookings.queries.services import by_name as services_by_name
from bookings.reasons import clock_times
from bookings.rules import rules_of
from bookings.views.redirects import booking_path
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.locale import zone
from dashboard.web.moments import spoken
from dashboard.web.pages import page


@requires(Permission.BOOKINGS)
@require_safe
def why(request: Request, business: str) -> HttpResponse:
    """In one trip. Nothing is written: whoever asks may ask about anything."""
    given = {name: request.GET.get(name, "").strip()[:MAX_ID] for name in ("service", "provider", "start")}
    day = read_day(given["start"]) or now().astimezone(zone(request.business.timezone)).date()
    reads = asking.asked_about(business, given["provider"], day) if given["provider"] else []
    people, offered, answers = asking.who_and_what(business, *reads)
    around = asking.asked_of(answers) if answers else None
    service = next((each for each in offered if each.id == given["service"]), None)
    context: dict[str, Any] = {
        "given": given,
        "providers": by_name(people),
        "services": services_by_name(offered),
        "offers": None,
        # The form sends all three, also what was not chosen.
        "is_asked": "start" in request.GET,
        "tab": "calendar",
    }
    want = service.want if service else None
    if around is not None and service is not None and want is not None:
        offers = Offers.of(around, want, rules_of(request.business, now()), day, given["start"])
        if offers.moment is not None:
            # The day is the provider's own: with an offset it may be another than the one that was written.
            own = offers.hours.date_of(offers.moment)
            offers = Offers.of(around, want, offers.rules, own, given["start"])
        context |= _answer(business, offers, Names.of(offered, people))
        context["offers_service"] = service.id in around.provider.service_ids
    context["lacks_minutes"] = service is not None and want is None
    return page(request, "bookings/why.html", context)


def _answer(business: str, offers: Offers, names: Names) -> dict[str, object]:
    where = offers.where
    return {
        "offers": offers,
        "day": short_day(offers.day),
        "verdict": offers.verdict,
        "moment": spoken(offers.moment, where.key) if offers.moment else "",
        "blocker": _line(business, offers.in_the_way, names, offers),
        "windows": [clock_times(each, where) for each in offers.windows],
        "booked": [_line(business, each, names, offers) for each in _that_day(offers)],
    }


def _that_day(offers: Offers) -> list[Booking]:
    """What takes the provider's time on that day of theirs, as it comes."""
    day, zone_of = offers.day, offers.where
    found = [each for each in offers.around.bookings if each.start_time and not each.has_lapsed(offers.rules.now)]
    there = [each for each in found if each.start_time and each.start_time.astimezone(zone_of).date() == day]
    return sorted(there, key=lambda each: each.start_key)


def _line(business: str, booking: Booking | None, names: Names, offers: Offers) -> dict[str, object] | None:
    if booking is None:
        return None
    line = BookingLine(booking, names, offers.where, offers.rules.now)
    taken = booking.taken
    around = clock_times(taken.span_with_buffers, offers.where) if taken is not None else None
    return {"line": line, "url": booking_path(business, booking.id), "around": around}
