"""Bookings on the home page of a business: today's, those to confirm, unpaid ones, no-shows, conversations."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from bookings.conversation_states import VoiceState
from bookings.grid import day_span
from bookings.items import Booking
from bookings.params import AGENDA
from bookings.permissions import Permission
from bookings.queries import home as queries
from bookings.queries.conversations import conversations_with_voice
from bookings.queries.providers import providers_of
from bookings.queries.services import services_of
from bookings.states import Payment, Status
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.home.registry import (
    HomeLine,
    HomeLink,
    HomePlace,
    HomeSource,
    Reads,
    Results,
    SetupStep,
    Urgency,
    register_home,
    register_setup_steps,
)
from dashboard.web.locale import zone
from dashboard.web.pages import url_or_empty
from dashboard.web.templatetags.ui import day_format

RECENT, TO_CONFIRM = "bookings.recent", "bookings.to_confirm"
WAITING = "conversations.waiting"
SERVICES, PROVIDERS, HOURS = "bookings.services", "bookings.providers", "bookings.hours"
# Unpaid bookings, no-shows and bookings that nobody confirmed are listed for this long.
LOOK_BACK = timedelta(days=6)


def _today(request: Request) -> dt.date:
    return now().astimezone(zone(request.business.timezone)).date()


def booking_reads(request: Request) -> Reads:
    business, today, business_zone = request.business.id, _today(request), zone(request.business.timezone)
    since, until = day_span(today - LOOK_BACK, business_zone).start, day_span(today, business_zone).end
    return {
        RECENT: partial(queries.recent_bookings, business, since, until),
        TO_CONFIRM: partial(queries.bookings_to_confirm, business, now()),
    }


def booking_lines(request: Request, results: Results) -> Iterator[HomeLine]:
    recent, moment = results[RECENT].items, now()
    yield from _to_confirm_line(request, results)
    yield from _today_line(request, recent)
    started = [each for each in recent if each.start_time is not None and each.start_time <= moment]
    missed = [each for each in started if each.status == Status.PENDING and not each.has_lapsed(moment)]
    if missed:
        text = ngettext(
            "%(count)s past booking was never confirmed", "%(count)s past bookings were never confirmed", len(missed)
        )
        url = reverse("bookings_unconfirmed", args=[request.business.id])
        detail = _("In the last 7 days")
        yield HomeLine(Urgency.LATER, "calendar-x", text % {"count": len(missed)}, url, detail=detail)
    unpaid = [each for each in started if each.payment_status == Payment.PENDING and each.status == Status.CONFIRMED]
    if unpaid:
        text = ngettext("%(count)s past booking is not paid", "%(count)s past bookings are not paid", len(unpaid))
        yield _past_line(request, "credit-card", text, unpaid, payment=Payment.PENDING.value)
    no_shows = [each for each in started if each.status == Status.NO_SHOW]
    if no_shows:
        text = ngettext("%(count)s no-show", "%(count)s no-shows", len(no_shows))
        yield _past_line(request, "user-x", text, no_shows, status=Status.NO_SHOW.value)


def _to_confirm_line(request: Request, results: Results) -> Iterator[HomeLine]:
    page = results[TO_CONFIRM]
    waiting = [each for each in page.items if not each.has_lapsed(now())]
    if waiting:
        text = ngettext("%(count)s booking to confirm", "%(count)s bookings to confirm", len(waiting))
        count = f"{len(waiting)}+" if page.next_start_key else len(waiting)
        yield HomeLine(
            Urgency.WAITING,
            "calendar-check",
            text % {"count": count},
            _url(request, view=AGENDA, status=Status.PENDING.value),
            detail=_("First: %(booking)s") % {"booking": _booking_text(request, waiting[0])},
        )


def _today_line(request: Request, recent: Sequence[Booking]) -> Iterator[HomeLine]:
    """Today's bookings, with a link to the next one."""
    start = day_span(_today(request), zone(request.business.timezone)).start
    todays = [
        each
        for each in recent
        if each.start_time is not None and each.start_time >= start and each.status != Status.CANCELLED
    ]
    if not todays:
        return
    text = ngettext("%(count)s booking today", "%(count)s bookings today", len(todays)) % {"count": len(todays)}
    coming = [each for each in todays if each.start_time > now() and each.status != Status.NO_SHOW]
    following = min(coming, key=lambda each: each.start_time, default=None)
    if following is None:
        yield HomeLine(Urgency.TODAY, "calendar", text, _url(request), detail=_("None left today"))
        return
    label = _("Next: %(booking)s") % {"booking": _booking_text(request, following)}
    url = url_or_empty("booking", request.business.id, following.id)
    links = (HomeLink(label, url),) if url else ()
    yield HomeLine(Urgency.TODAY, "calendar", text, _url(request), detail="" if links else label, links=links)


def _past_line(request: Request, icon: str, text: str, found: Sequence[Booking], **filters: str) -> HomeLine:
    """Bookings of the last days, in the list that starts with the first of them."""
    first: datetime = min(each.start_time for each in found if each.start_time)
    day = first.astimezone(zone(request.business.timezone)).date()
    url = _url(request, view=AGENDA, day=day.isoformat(), **filters)
    return HomeLine(Urgency.LATER, icon, text % {"count": len(found)}, url, detail=_("In the last 7 days"))


def _booking_text(request: Request, booking: Booking) -> str:
    """Such as "14:30 Ana Ruiz", with the day unless it is today."""
    moment: datetime | None = booking.start_time
    if moment is None:
        return booking.title
    start = moment.astimezone(zone(request.business.timezone))
    day_and_month = f"D {day_format().removesuffix(' Y')}"
    day = "" if start.date() == _today(request) else f"{date_format(start, day_and_month)}, "
    return f"{day}{start:%H:%M} {booking.title}"


def conversation_reads(request: Request) -> Reads:
    business = request.business.id
    return {WAITING: partial(conversations_with_voice, business, VoiceState.WAITING, None, newest_first=False)}


def conversation_lines(request: Request, results: Results) -> Iterator[HomeLine]:
    page = results[WAITING]
    if page.items:
        text = ngettext(
            "%(count)s conversation waits for a person", "%(count)s conversations wait for a person", len(page.items)
        )
        count = f"{len(page.items)}+" if page.next_start_key else len(page.items)
        url = reverse("conversations", args=[request.business.id])
        detail = _("First: %(name)s") % {"name": page.items[0].title}
        yield HomeLine(Urgency.WAITING, "messages-square", text % {"count": count}, url, detail=detail)


def _url(request: Request, **filters: str) -> str:
    query = f"?{urlencode(filters)}" if filters else ""
    return reverse("bookings", args=[request.business.id]) + query


register_home(
    HomePlace.BUSINESS,
    HomeSource(
        name="bookings",
        permission=Permission.BOOKINGS,
        checked=gettext_lazy("bookings and payments"),
        reads=booking_reads,
        build_lines=booking_lines,
    ),
)
register_home(
    HomePlace.BUSINESS,
    HomeSource(
        name="conversations",
        permission=Permission.CONVERSATIONS,
        checked=gettext_lazy("conversations"),
        reads=conversation_reads,
        build_lines=conversation_lines,
    ),
)
register_setup_steps(
    SetupStep(
        order=20,
        label=gettext_lazy("Add a service"),
        hint=gettext_lazy("What customers book, how long it takes and what it costs"),
        route="services",
        permission=Permission.CATALOG,
        reads=lambda request: {SERVICES: partial(services_of, request.business.id, limit=1, consistent=False)},
        is_done=lambda request, results: bool(results[SERVICES].items),
    ),
    SetupStep(
        order=30,
        label=gettext_lazy("Add a staff member"),
        hint=gettext_lazy("Who can be booked"),
        route="providers",
        permission=Permission.CATALOG,
        reads=lambda request: {PROVIDERS: partial(providers_of, request.business.id, limit=1, consistent=False)},
        is_done=lambda request, results: bool(results[PROVIDERS].items),
    ),
    SetupStep(
        order=35,
        label=gettext_lazy("Set working hours"),
        hint=gettext_lazy("When each staff member can be booked"),
        route="providers",
        permission=Permission.CATALOG,
        reads=lambda request: {HOURS: partial(queries.has_hours, request.business.id)},
        is_done=lambda request, results: bool(results[HOURS]),
    ),
)
