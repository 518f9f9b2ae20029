"""The page of one booking, and the decisions on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from bookings.actions import RESCHEDULE, BookingAction, offered_decisions
from bookings.audit_labels import PAYMENT_LABELS
from bookings.errors import SlotTaken
from bookings.forms.bookings import form_of
from bookings.items import Booking, Provider
from bookings.permissions import Permission
from bookings.presenters import BookingLine, DisplayNames, payment_of
from bookings.queries import bookings as queries
from bookings.queries.history import history_of
from bookings.search_hints import hint_query
from bookings.services import decisions as services
from bookings.states import Payment
from bookings.views.redirects import back_to, booking_path, slot_conflict_page, undo_form
from bookings.views.unlisted import load_booking, offering_search
from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.web.commands import command_of
from dashboard.web.locale import zone, zone_label
from dashboard.web.money import format_amount
from dashboard.web.pages import bind, page, see_other
from dashboard.web.toasts import toast

TAB = "calendar"


@requires(Permission.BOOKINGS)
@require_safe
@offering_search
def booking(request: Request, business: str, booking: str) -> HttpResponse:
    return show(request, business, booking)


def show(request: Request, business: str, booking_id: str, *, status: int = 200, **extra: Any) -> HttpResponse:
    """One trip."""
    current, providers, (entries,) = load_booking(
        request, business, booking_id, lambda: history_of(business, "booking", booking_id, limit=20)
    )
    business_zone, moment = zone(request.business.timezone), now()
    provider = next((each for each in providers if each.id == current.provider), None)
    line = BookingLine(current, DisplayNames.of((), providers), business_zone, moment)
    context = {
        "booking": current,
        "line": line,
        "provider": provider,
        "times": _times(current, business_zone, provider),
        "minutes": (current.slot_length.duration.total_seconds() // 60) if current.start_time else None,
        "money": format_amount(current.price, current.currency),
        "payments": [(each.value, PAYMENT_LABELS[each]) for each in Payment],
        "decisions": [(action, action.hint_in(line.state.code)) for action in offered_decisions(current, moment)],
        "reschedule": RESCHEDULE if RESCHEDULE.is_offered(current, moment) else None,
        "reschedule_url": _reschedule_url(business, current, provider, business_zone),
        "rebook_url": _rebook_url(business, current) if provider is not None and provider.is_active else "",
        "contact": _contact_url(business, current),
        "history": history_lines(entries),
        "tab": TAB,
        **extra,
    }
    return page(request, "bookings/booking.html", context, status=status)


def _times(booking: Booking, business_zone: ZoneInfo, provider: Provider | None) -> list[tuple[str, str]]:
    """The time in the business's zone, and in the provider's if it differs."""
    start = booking.start_time
    if not start:
        return []
    provider_zone = provider.zone(business_zone.key) if provider is not None else business_zone
    same = start.astimezone(provider_zone).utcoffset() == start.astimezone(business_zone).utcoffset()
    zones = [business_zone] if same else [business_zone, provider_zone]
    return [(BookingLine(booking, DisplayNames(), each, start).full, zone_label(each.key)) for each in zones]


def _reschedule_url(business: str, booking: Booking, provider: Provider | None, business_zone: ZoneInfo) -> str:
    provider_zone = provider.zone(business_zone.key) if provider is not None else business_zone
    day = (booking.start_time or now()).astimezone(provider_zone).date()
    query = urlencode(
        {"provider": booking.provider, "day": max(day, now().astimezone(provider_zone).date()).isoformat()}
    )
    path = booking_path(business, booking.id, RESCHEDULE.path)
    return f"{path}{hint_query(booking)}&{query}" if hint_query(booking) else f"{path}?{query}"


def _rebook_url(business: str, booking: Booking) -> str:
    """The form for another booking with the same choices."""
    same_choices = {"service": booking.service_id, "provider": booking.provider, "customer": booking.customer_id}
    query = urlencode({name: each for name, each in same_choices.items() if each})
    return f"{reverse('booking_new', args=[business])}?{query}"


def _contact_url(business: str, booking: Booking) -> str:
    """The customer's page; empty for an id that no path can contain."""
    customer_id = booking.customer_id or ""
    return (
        reverse("customer", args=[business, customer_id])
        if customer_id and "/" not in customer_id and customer_id not in {".", ".."}
        else ""
    )


# --- Decisions -----------------------------------------------------------------------------------
def decision_view(action: BookingAction) -> Callable[..., HttpResponse]:
    """The view that takes the POST of an action's button."""

    @requires(Permission.BOOKINGS)
    @require_POST
    def decide(request: Request, business: str, booking: str) -> HttpResponse:
        return _decide(request, business, booking, action)

    return decide


def _decide(request: Request, business: str, booking_id: str, action: BookingAction) -> HttpResponse:
    form = bind(request, form_of(action))
    if not form.is_valid():
        # A missing booking is a 404, even with an invalid form.
        queries.load_booking(business, booking_id)
        raise Refused(_("Reload the page and try again."))
    try:
        booking = services.decide(action, business, booking_id, command=command_of(request), **form.cleaned_data)
    except SlotTaken as error:
        current = queries.load_booking(business, booking_id)
        line = BookingLine(current, DisplayNames(), zone(request.business.timezone), now())
        title, rebook_url = _("This time has been taken"), _rebook_url(business, current)
        return slot_conflict_page(request, business, error, title=title, line=line, rebook_url=rebook_url)
    text = str(action.toast) % {"who": booking.title, "payment": payment_of(booking).text.lower()}
    toast(request, text, undo=undo_form(business, booking, action), of=booking)
    return see_other(request, back_to(request, business, booking))
