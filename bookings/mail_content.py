"""The content of mail about bookings: recipient, values of the placeholders, and whether it is still needed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from bookings.calendar_file import calendar_file
from bookings.items import Booking, Customer
from bookings.online.links import mail_link
from bookings.queries import booking_state
from bookings.queries import bookings as queries
from bookings.queries.calendar import bookings_starting_between
from bookings.rules import OPEN_PAGE
from bookings.states import Status
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.businesses.items import Business
from dashboard.platform.businesses.queries import find_business
from dashboard.platform.mail.items import CancelReason, OutgoingMail
from dashboard.platform.mail.kinds import MailContent, NotNeeded, SampleValues
from dashboard.platform.mail.texts import language_of
from dashboard.table.read import gather
from dashboard.web.locale import zone
from dashboard.web.templatetags.ui import long_day_format, zone_name

CONFIRMATION, RESCHEDULE = "booking.confirmation", "booking.reschedule"
CANCELLATION, REMINDER = "booking.cancellation", "booking.reminder"
CONFIRM_REQUEST = "booking.confirm_request"
# How far ahead a real booking for the preview is searched.
SAMPLE_DAYS = timedelta(days=14)
Check = Callable[[OutgoingMail, Booking], CancelReason | None]


def load_content(check: Check, mail: OutgoingMail) -> MailContent:
    """The booking, its customer and its business as they are now."""
    try:
        booking = queries.load_booking(mail.business, mail.target)
    except NotFound:
        raise NotNeeded(CancelReason.GONE) from None
    parties = booking_state.load_booking_parties(
        mail.business,
        provider=booking.provider,
        service=booking.service_id or "",
        customer=booking.customer_id or "",
    )
    if parties.business is None or parties.business.is_closed:
        raise NotNeeded(CancelReason.CLOSED)
    reason = check(mail, booking)
    if reason is not None:
        raise NotNeeded(reason)
    customer = parties.customer
    if customer is None or not customer.email:
        raise NotNeeded(CancelReason.NO_ADDRESS)
    staff = parties.provider.title if parties.provider else ""
    service = booking.service_name or (parties.service.title if parties.service else "")
    language = language_of(customer.language, parties.business.language)
    values = values_of(booking, parties.business, language, customer=customer, staff=staff, service=service)
    values |= _links_of(booking, parties.business, language)
    has_appointment = mail.kind not in (CANCELLATION, CONFIRM_REQUEST)
    calendar = calendar_file(booking, service, parties.business.title) if has_appointment else ""
    return MailContent(customer.email, language, values, sender=parties.business.title, calendar=calendar)


def values_of(
    booking: Booking,
    business: Business,
    language: str,
    *,
    customer: Customer | None = None,
    staff: str = "",
    service: str = "",
) -> dict[str, str]:
    """The values of the placeholders, with times of the business's time zone."""
    start = booking.start_time.astimezone(zone(business.timezone)) if booking.start_time else None
    with translation.override(language):
        return {
            "customer": (customer.name if customer else None) or booking.title,
            "business": business.title,
            "service": service or booking.service_name or "",
            "staff": staff or booking.provider_name or "",
            "day": date_format(start, long_day_format()) if start else "",
            "time": f"{start:%H:%M} ({zone_name(start)})" if start else "",
            "duration": str(booking.slot_length.duration // timedelta(minutes=1)),
        }


def _links_of(booking: Booking, business: Business, language: str) -> dict[str, str]:
    """The values with the link that opens the booking. Only customers who book online get it."""
    link = mail_link(business.id, booking.id)
    takes_visitors = booking.is_online or business.online_page == OPEN_PAGE
    lapses_at = booking.lapses_at.astimezone(zone(business.timezone)) if booking.lapses_at else None
    with translation.override(language):
        change = str(_("To move or cancel it: %(link)s")) % {"link": link} if takes_visitors else ""
        return {"change": change, "link": link, "deadline": f"{lapses_at:%H:%M}" if lapses_at else ""}


def check_pending(mail: OutgoingMail, booking: Booking) -> CancelReason | None:
    """The customer still has to confirm it, and can."""
    if booking.status != Status.PENDING or booking.has_lapsed(now()):
        return CancelReason.BOOKING_CANCELLED
    return CancelReason.PAST if booking.start_time is None or booking.start_time <= now() else None


def check_confirmed(mail: OutgoingMail, booking: Booking) -> CancelReason | None:
    if booking.status == Status.CANCELLED or booking.has_lapsed(now()):
        return CancelReason.BOOKING_CANCELLED
    if (booking.status or Status.CONFIRMED) != Status.CONFIRMED:
        return CancelReason.NOT_CONFIRMED
    if booking.start_time is None or booking.start_time <= now():
        return CancelReason.PAST
    return None


def check_same_start(mail: OutgoingMail, booking: Booking) -> CancelReason | None:
    """A booking that was moved again has a newer mail."""
    return check_confirmed(mail, booking) or (CancelReason.MOVED if booking.start_time != mail.start else None)


def check_cancelled(mail: OutgoingMail, booking: Booking) -> CancelReason | None:
    if booking.status != Status.CANCELLED and not booking.has_lapsed(now()):
        return CancelReason.NOT_CANCELLED
    return CancelReason.PAST if booking.start_time is None or booking.start_time <= now() else None


def load_sample(business_id: str) -> SampleValues:
    """The next booking, or one that is made up."""
    business, found = gather(
        lambda: find_business(business_id),
        lambda: bookings_starting_between(business_id, now(), now() + SAMPLE_DAYS).bookings,
    )
    if business is None:
        raise NotFound
    following = min((each for each in found if each.start_time), key=lambda each: each.start_time, default=None)
    values: dict[str, dict[str, str]] = {}
    for language, _name in settings.LANGUAGES:
        if following is not None:
            values[language] = values_of(following, business, language)
        else:
            values[language] = values_of(_made_up(business_id, language), business, language)
        for name, filler in (_fillers(language) | _sample_links(language)).items():
            values[language][name] = values[language].get(name) or filler
    return SampleValues(values, following.title if following is not None else "")


def _made_up(business: str, language: str) -> Booking:
    start = (now() + timedelta(days=2)).replace(hour=15, minute=0, second=0, microsecond=0)
    booking = Booking.new(tenant=business, provider="sample", start=start, booking="sample")
    booking.start_time, booking.end_time = start, start + timedelta(hours=1)
    filler = _fillers(language)
    booking.customer_name, booking.service_name, booking.provider_name = (
        filler[name] for name in ("customer", "service", "staff")
    )
    return booking


def _fillers(language: str) -> dict[str, str]:
    with translation.override(language):
        return {"customer": "Ana Ruiz", "service": str(_("Massage")), "staff": "María González"}


def _sample_links(language: str) -> dict[str, str]:
    """For the preview: no real link is shown."""
    link = f"{settings.SITE_URL}/book/…"
    with translation.override(language):
        return {"change": str(_("To move or cancel it: %(link)s")) % {"link": link}, "link": link, "deadline": "15:30"}
