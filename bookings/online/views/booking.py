"""The booking page: service, staff member, time, contact. Each step is a page of its own and a link of its own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bookings.errors import SlotTaken, StartNotBookable
from bookings.items import Service
from bookings.online.catalog import ANYONE, OnlineCatalog, catalog_reads
from bookings.online.choices import Selection, VisitorChoice
from bookings.online.creation import book_with_anyone
from bookings.online.forms import ContactForm
from bookings.online.limits import count_booking
from bookings.online.links import token_of
from bookings.online.times import WEEK, by_day, find_free_day, free_times, last_day, read_span, week_span
from bookings.online.visits import Visit, for_visitors
from bookings.queries import calendar
from bookings.rules import CONFIRM_BY_EMAIL, rules_of
from dashboard.core.clock import now
from dashboard.core.errors import Refused, TooMany, Unavailable
from dashboard.table.timestamps import to_wire
from dashboard.web.pages import add_refusal, bind, page, see_other


def _reads(request: HttpRequest, business: str) -> list[Callable[[], Any]]:
    choice = VisitorChoice.of(request)
    if request.method == "POST" or not choice.shows_times:
        return catalog_reads(business)
    # The zone of the page is not known yet: what is read covers the week in every zone.
    return calendar.days_reads(business, read_span(choice.first_day(now().astimezone(UTC).date())))


@for_visitors(reads=_reads)
@require_http_methods(["GET", "HEAD", "POST"])
def booking_page(request: HttpRequest, visit: Visit) -> HttpResponse:
    choice = VisitorChoice.of(request)
    catalog = OnlineCatalog(visit.answers[0], visit.answers[1])
    if not choice.service:
        return _show_services(request, visit, catalog)
    service = catalog.load_service(choice.service)
    if not choice.provider:
        return _choose_staff(request, visit, catalog, service)
    staff = catalog.load_staff(service.id, choice.provider)
    selection = Selection(choice, service, staff, has_choice_of_staff=len(catalog.staff_for(service.id)) > 1)
    if request.method == "POST":
        return _book(request, visit, selection)
    if choice.shows_times:
        return _show_times(request, visit, selection)
    return _show_contact(request, visit, selection, ContactForm(visit=visit))


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


def _show_times(request: HttpRequest, visit: Visit, selection: Selection) -> HttpResponse:
    zone, today = visit.clock_zone, timezone.localdate(now())
    service, params, rules = selection.service, selection.params, rules_of(visit.business, now())
    first = selection.choice.first_day(today)
    days = calendar.days_from(visit.answers, read_span(first))
    assert service.slot_length is not None
    moments = free_times(
        days, selection.staff, visit.business.timezone, service.slot_length, week_span(first, zone), rules
    )
    earlier, later = max(first - WEEK, today), first + WEEK
    has_later = later <= last_day(today, rules)
    free_day = None
    if not moments and has_later:
        free_day = find_free_day(
            visit.business.id,
            days,
            selection.staff,
            visit.business.timezone,
            service.slot_length,
            later,
            zone,
            rules,
        )
    context = {
        "visit": visit,
        "service": service,
        "staff_name": selection.staff_name,
        "days": [
            (each.day, [(time, visit.url(**params, start=time.value)) for time in each.times])
            for each in by_day(moments, first, zone)
        ],
        "is_empty": not moments,
        "earlier_url": visit.url(**params, day=earlier.isoformat()) if first > today else "",
        "later_url": visit.url(**params, day=later.isoformat()) if has_later else "",
        "free_day": free_day,
        "free_day_url": visit.url(**params, day=free_day.isoformat()) if free_day else "",
        "back_url": visit.url(service=service.id) if selection.has_choice_of_staff else visit.url(),
    }
    return page(request, "bookings/online/times.html", context)


def _show_contact(
    request: HttpRequest,
    visit: Visit,
    selection: Selection,
    form: ContactForm,
    *,
    status: int = 200,
    taken: SlotTaken | StartNotBookable | None = None,
) -> HttpResponse:
    """The last step. If the time is not free any more, buttons send the same form for other times."""
    start, params, length = selection.start_in(visit.clock_zone), selection.params, selection.service.slot_length
    context = {
        "visit": visit,
        "service": selection.service,
        "staff_name": selection.staff_name,
        "start": start,
        "end": start + length.duration if length else start,
        "form": form,
        "action": visit.url(**params, start=to_wire(start)),
        # Who has the time is nobody's business: the error's own text is not shown.
        "is_taken": taken is not None,
        "alternatives": [(each, visit.url(**params, start=to_wire(each))) for each in taken.alternatives]
        if taken
        else [],
        "needs_confirmation": visit.business.online_confirmation == CONFIRM_BY_EMAIL and settings.MAIL_IS_CONFIGURED,
        "back_url": visit.url(**params, day=timezone.localdate(start).isoformat()),
    }
    return page(request, "bookings/online/contact.html", context, status=status)


def _book(request: HttpRequest, visit: Visit, selection: Selection) -> HttpResponse:
    form = bind(request, ContactForm, visit=visit)
    if not form.is_valid():
        return _show_contact(request, visit, selection, form, status=422)
    try:
        count_booking(request, visit)
        booking = book_with_anyone(request.path, visit, selection, form)
    except TooMany as error:
        form.add_error(None, _("There were too many bookings. Wait a while and send it again."))
        return _show_contact(request, visit, selection, form, status=error.status)
    except Unavailable as error:
        # The form keeps its token, so that it is the same command when it is sent again.
        form.add_error(
            None, _("This does not work at the moment. Wait a minute and try again: you are booked only once.")
        )
        return _show_contact(request, visit, selection, form, status=error.status)
    except (SlotTaken, StartNotBookable) as error:
        return _show_contact(request, visit, selection, form, status=error.status, taken=error)
    except Refused as error:
        add_refusal(form, error)
        return _show_contact(request, visit, selection, form, status=422)
    return see_other(request, visit.url("online_own_booking", token_of(visit.business.id, booking.id), new="1"))
