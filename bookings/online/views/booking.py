"""The booking page: service, staff member, time, contact. Each step is a page of its own and a link of its own."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bookings.errors import SlotTaken, StartNotBookable
from bookings.items import Booking, Provider, Service
from bookings.online.catalog import ANYONE, OnlineCatalog, catalog_reads
from bookings.online.forms import ContactForm
from bookings.online.links import token_of
from bookings.online.times import by_day, free_times, read_span, week_span
from bookings.online.visits import Visit, count_booking, for_visitors
from bookings.params import MAX_ID, read_day
from bookings.queries import calendar
from bookings.queries.customers import customers_by_email
from bookings.rules import CONFIRM_BY_EMAIL, MAX_DAYS, rules_of
from bookings.services import bookings as services
from bookings.start_options import moment_of
from bookings.states import Status
from dashboard.core.clock import now
from dashboard.core.errors import NotFound, Refused, TooMany
from dashboard.table.timestamps import to_wire
from dashboard.web.pages import add_refusal, bind, page, see_other

# How long a booking that a visitor has to confirm keeps its time.
HOLD = timedelta(minutes=30)


@dataclass(frozen=True)
class Choice:
    """What the visitor has chosen so far, from the address."""

    service: str
    provider: str
    start: str
    # The first day of the week that is shown.
    day: str

    @classmethod
    def of(cls, request: HttpRequest) -> Choice:
        return cls(*(request.GET.get(name, "")[:MAX_ID] for name in ("service", "provider", "start", "day")))

    @property
    def shows_times(self) -> bool:
        return bool(self.service and self.provider and not self.start)

    def first_day(self, today: dt.date) -> dt.date:
        """The first day of the week; today where none or a past one was asked for."""
        return min(max(read_day(self.day) or today, today), today + timedelta(days=MAX_DAYS))


def _reads(request: HttpRequest, business: str) -> list[Callable[[], Any]]:
    choice = Choice.of(request)
    if request.method == "POST" or not choice.shows_times:
        return catalog_reads(business)
    # The zone of the page is not known yet: what is read covers the week in every zone.
    return calendar.days_reads(business, read_span(choice.first_day(now().astimezone(UTC).date())))


@for_visitors(reads=_reads)
@require_http_methods(["GET", "HEAD", "POST"])
def booking_page(request: HttpRequest, visit: Visit) -> HttpResponse:
    choice = Choice.of(request)
    catalog = OnlineCatalog(visit.answers[0], visit.answers[1])
    if not choice.service:
        return _show_services(request, visit, catalog)
    service = catalog.load_service(choice.service)
    if not choice.provider:
        return _choose_staff(request, visit, catalog, service)
    staff = catalog.load_staff(service.id, choice.provider)
    if request.method == "POST":
        return _book(request, visit, choice, service, staff)
    if choice.shows_times:
        return _show_times(request, visit, choice, service, staff)
    return _show_contact(request, visit, choice, service, staff, ContactForm(visit=visit))


def _show_services(request: HttpRequest, visit: Visit, catalog: OnlineCatalog) -> HttpResponse:
    def url_of(service: Service) -> str:
        staff = catalog.staff_for(service.id)
        return visit.url(service=service.id, provider=staff[0].id if len(staff) == 1 else "")

    groups = [(name, [(each, url_of(each)) for each in group]) for name, group in catalog.by_category()]
    return page(request, "bookings/online/services.html", {"visit": visit, "groups": groups})


def _choose_staff(request: HttpRequest, visit: Visit, catalog: OnlineCatalog, service: Service) -> HttpResponse:
    staff = catalog.staff_for(service.id)
    if len(staff) == 1:
        return HttpResponseRedirect(visit.url(service=service.id, provider=staff[0].id))
    context = {
        "visit": visit,
        "service": service,
        "anyone_url": visit.url(service=service.id, provider=ANYONE),
        "staff": [(each, visit.url(service=service.id, provider=each.id)) for each in staff],
        "back_url": visit.url(),
    }
    return page(request, "bookings/online/staff.html", context)


def _show_times(
    request: HttpRequest, visit: Visit, choice: Choice, service: Service, staff: list[Provider]
) -> HttpResponse:
    zone, today = visit.clock_zone, timezone.localdate(now())
    first = choice.first_day(today)
    days = calendar.days_from(visit.answers, read_span(first))
    assert service.slot_length is not None
    rules = rules_of(visit.business, now())
    week = week_span(first, zone)
    moments = free_times(days, staff, visit.business.timezone, service.slot_length, week, rules)
    chosen = {"service": service.id, "provider": choice.provider}

    def week_url(day: dt.date) -> str:
        return visit.url(**chosen, day=day.isoformat())

    last = today + (min(rules.horizon, timedelta(days=MAX_DAYS)) if rules.horizon else timedelta(days=MAX_DAYS))
    context = {
        "visit": visit,
        "service": service,
        "staff_name": "" if choice.provider == ANYONE else staff[0].title,
        "days": [
            (each.day, [(time, visit.url(**chosen, start=time.value)) for time in each.times])
            for each in by_day(moments, first, zone)
        ],
        "is_empty": not moments,
        "earlier_url": week_url(max(first - timedelta(days=7), today)) if first > today else "",
        "later_url": week_url(first + timedelta(days=7)) if first + timedelta(days=7) <= last else "",
        "back_url": visit.url(service=service.id) if len(staff) > 1 or choice.provider != ANYONE else visit.url(),
        "now": now(),
    }
    return page(request, "bookings/online/times.html", context)


def _show_contact(
    request: HttpRequest,
    visit: Visit,
    choice: Choice,
    service: Service,
    staff: list[Provider],
    form: ContactForm,
    *,
    status: int = 200,
    alternatives: list[datetime] | None = None,
    is_taken: bool = False,
) -> HttpResponse:
    """The last step. If the time is not free any more, other times send the same form."""
    chosen = {"service": service.id, "provider": choice.provider}
    start = _start_of(visit, choice)
    context = {
        "visit": visit,
        "service": service,
        "staff_name": "" if choice.provider == ANYONE else staff[0].title,
        "start": start,
        "end": start + service.slot_length.duration if service.slot_length else start,
        "form": form,
        "action": visit.url(**chosen, start=choice.start),
        "is_taken": is_taken,
        "alternatives": [(each, visit.url(**chosen, start=to_wire(each))) for each in alternatives or []],
        "needs_confirmation": visit.business.online_confirmation == CONFIRM_BY_EMAIL and settings.MAIL_IS_CONFIGURED,
        "back_url": visit.url(**chosen, day=timezone.localdate(start).isoformat()),
    }
    return page(request, "bookings/online/contact.html", context, status=status)


def _book(request: HttpRequest, visit: Visit, choice: Choice, service: Service, staff: list[Provider]) -> HttpResponse:
    form = bind(request, ContactForm, visit=visit)
    if not form.is_valid():
        return _show_contact(request, visit, choice, service, staff, form, status=422)
    try:
        count_booking(request, visit)
    except TooMany as error:
        form.add_error(None, _("There were too many bookings. Wait a while and send it again."))
        return _show_contact(request, visit, choice, service, staff, form, status=error.status)
    start, refusal = _start_of(visit, choice), None
    for provider in staff:
        try:
            booking = _create(visit, form, service, provider, start, f"{request.path} {service.id} {choice.start}")
        except (SlotTaken, StartNotBookable) as error:
            refusal = refusal or error
        except Refused as error:
            add_refusal(form, error)
            return _show_contact(request, visit, choice, service, staff, form, status=422)
        else:
            return see_other(request, visit.url("online_own_booking", token_of(visit.business.id, booking.id), new="1"))
    assert refusal is not None
    # Who has the time is nobody's business: the error's own text is not shown.
    return _show_contact(
        request,
        visit,
        choice,
        service,
        staff,
        form,
        status=refusal.status,
        alternatives=refusal.alternatives,
        is_taken=True,
    )


def _create(
    visit: Visit, form: ContactForm, service: Service, provider: Provider, start: datetime, path: str
) -> Booking:
    business, values = visit.business, form.customer_values
    known = customers_by_email(business.id, values["email"])
    must_confirm = business.online_confirmation == CONFIRM_BY_EMAIL
    # Without mail nobody could confirm it: the business does, without a deadline.
    lapses_at = now() + HOLD if must_confirm and settings.MAIL_IS_CONFIGURED else None
    return services.create(
        business.id,
        service.id,
        provider.id,
        start,
        known[0].id if len(known) == 1 else "",
        lapses_at=lapses_at,
        status=Status.PENDING if must_confirm else Status.CONFIRMED,
        note=form.cleaned_data["note"],
        rules=rules_of(business, now()),
        new_customer=None if len(known) == 1 else values,
        visitor=values["email"],
        command=form.command(path),
    )


def _start_of(visit: Visit, choice: Choice) -> datetime:
    start = moment_of(choice.start, visit.clock_zone)
    if start is None:
        raise NotFound
    return start
