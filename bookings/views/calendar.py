"""Who comes when: a day with a column for each provider, a week, or a list."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bookings import day_columns
from bookings.audit_labels import PAYMENT_LABELS, STATUS_LABELS
from bookings.grid import clock_at, day_span
from bookings.hours import Span
from bookings.params import AGENDA, DAYS, EVERY, WEEK, CalendarParams
from bookings.permissions import Permission
from bookings.presenters import BookingLine, Names
from bookings.queries import bookings as queries
from bookings.queries import calendar as asking
from bookings.queries.providers import by_name
from bookings.queries.services import by_name as services_by_name
from bookings.rules import step_of
from bookings.states import Payment, Status
from bookings.views import create
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table import cursors
from dashboard.web.lists import Tab, listing
from dashboard.web.locale import zone, zone_in_words
from dashboard.web.pages import page, saw_it_all
from dashboard.web.templatetags.ui import day_format, long_day_format

TAB = "calendar"
MAX_JUST = 1500


@requires(Permission.BOOKINGS)
@require_http_methods(["GET", "HEAD", "POST"])
def bookings(request: Request, business: str) -> HttpResponse:
    if request.method == "POST":
        return create.create(request, business)
    where, moment = zone(request.business.timezone), now()
    asked = CalendarParams.of(request.GET, moment.astimezone(where).date())
    if asked.view == AGENDA:
        return _agenda(request, business, asked, where)
    return _days(request, business, asked, where)


def _days(request: Request, business: str, asked: CalendarParams, where: ZoneInfo) -> HttpResponse:
    """One trip, whatever there is in the business."""
    span = Span(day_span(asked.days[0], where).start, day_span(asked.days[-1], where).end)
    just = _just(request)
    found = asking.days(business, span, just, asked.provider)
    # Without a day in the address it is always today.
    again = base_of(business) + asked.query(day=asked.day.isoformat() if request.GET.get("day") else "")
    mark = found.mark(again, now())
    if saw_it_all(request, mark):
        return HttpResponse(status=204)
    look = day_columns.Look(business, asked, where, now(), just[2] if just else "")
    context = _common(business, asked, where, found) | {
        "step": step_of(request.business),
        "cut": found.cut,
        # What the page shows, and where it looks again.
        "mark": mark,
        "again": again,
        "now": now(),
    }
    if asked.view == DAYS:
        context |= day_columns.day(found, look)
    elif asked.provider:
        context |= day_columns.week(found, look)
    else:
        context |= day_columns.week_of_all(found, look)
    return page(request, "bookings/calendar.html", context, partial="list")


def _agenda(request: Request, business: str, asked: CalendarParams, where: ZoneInfo) -> HttpResponse:
    scope = (request.person.email, "bookings", business, asked.query())
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    since = clock_at(asked.day, 0, where)
    providers, services, (found,) = asking.who_and_what(
        business, lambda: queries.agenda(business, asked.wanted, since=since, start=start)
    )
    names, moment = Names.of(services, providers), now()
    kept = [each for each in found.items if asked.keeps(each)]
    lines = [BookingLine(each, names, where, moment) for each in kept]
    following = cursors.encode(found.next, *scope) if found.next else None
    context = _common(business, asked, where, asking.Days([], providers, services))
    context |= {
        "listing": listing(request, lines, following),
        "left_out": len(found.items) - len(kept),
        "day_format": long_day_format(),
    }
    return page(request, "bookings/calendar.html", context, partial="rows" if start else "list")


def _common(business: str, asked: CalendarParams, where: ZoneInfo, found: asking.Days) -> dict[str, Any]:
    today = now().astimezone(where).date()
    base = base_of(business)
    statuses = [("", _("All but cancelled")), *((str(each), STATUS_LABELS[each]) for each in Status)]
    return {
        "asked": asked,
        "base": base,
        "zone": where.key,
        "zone_said": zone_in_words(where.key),
        "tabs": _tabs(base, asked),
        "tab": TAB,
        "heading": _heading(asked),
        "earlier": base + asked.query(day=(asked.day - asked.step).isoformat()),
        "later": base + asked.query(day=(asked.day + asked.step).isoformat()),
        "today": base + asked.query(day=""),
        "is_today": today in asked.days,
        "new": f"{reverse('booking_new', args=[business])}?{urlencode(asked.new)}",
        "those_waiting": base + asked.query(status=Status.PENDING.value),
        "clear": base + CalendarParams(asked.day, asked.view, asked.is_chosen).query(),
        "providers": by_name(found.providers),
        "services": services_by_name(found.services),
        "statuses": [*statuses, (EVERY, _("All, cancelled too"))],
        "payments": [("", _("Any payment")), *((str(each), PAYMENT_LABELS[each]) for each in Payment)],
    }


def base_of(business: str) -> str:
    return reverse("bookings", args=[business])


def _tabs(base: str, asked: CalendarParams) -> list[Tab]:
    labels = {DAYS: _("Day"), WEEK: _("Week"), AGENDA: _("List")}
    return [Tab(label, base + asked.query(view=view), view == asked.view) for view, label in labels.items()]


def _heading(asked: CalendarParams) -> str:
    if asked.view != WEEK:
        return date_format(asked.day, long_day_format())
    first, last = asked.days[0], asked.days[-1]
    return f"{date_format(first, day_format().removesuffix(' Y'))} – {date_format(last, day_format())}"


def _just(request: Request) -> tuple[str, str, str] | None:
    """Which booking whoever comes here has just changed: whose, its start and its id."""
    parts = request.GET.get("just", "")[:MAX_JUST].split("/", 2)
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 and all(parts) else None
