"""The calendar: a day with a column for each provider, a week, or a list."""

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
from bookings.params import AGENDA, ALL_STATUSES, DAYS, WEEK, CalendarParams
from bookings.permissions import Permission
from bookings.presenters import BookingLine, DisplayNames
from bookings.queries import bookings as queries
from bookings.queries import calendar as calendar_queries
from bookings.queries.providers import sort_by_name
from bookings.queries.services import sort_by_name as services_by_name
from bookings.rules import step_of
from bookings.states import Payment, Status
from bookings.views import create
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.items import Raw
from dashboard.table.read import Page
from dashboard.web.lists import Tab, list_page
from dashboard.web.locale import zone, zone_label
from dashboard.web.pages import has_nothing_new, page
from dashboard.web.templatetags.ui import day_format, long_day_format

TAB = "calendar"
MAX_JUST_CHANGED = 1500


@requires(Permission.BOOKINGS)
@require_http_methods(["GET", "HEAD", "POST"])
def bookings(request: Request, business: str) -> HttpResponse:
    if request.method == "POST":
        return create.create(request, business)
    business_zone, moment = zone(request.business.timezone), now()
    params = CalendarParams.of(request.GET, moment.astimezone(business_zone).date())
    if params.view == AGENDA:
        return _agenda(request, business, params, business_zone)
    return _days(request, business, params, business_zone)


def _days(request: Request, business: str, params: CalendarParams, business_zone: ZoneInfo) -> HttpResponse:
    """One trip, regardless of the size of the business."""
    span = Span(day_span(params.days[0], business_zone).start, day_span(params.days[-1], business_zone).end)
    just_changed = _just_changed(request)
    days = calendar_queries.load_days(business, span, just_changed, params.provider)
    # Without a day in the URL, the calendar always shows today.
    refresh_url = base_of(business) + params.query(day=params.day.isoformat() if request.GET.get("day") else "")
    fingerprint = days.fingerprint(refresh_url, now())
    if has_nothing_new(request, fingerprint):
        return HttpResponse(status=204)
    calendar = day_columns.CalendarContext(
        business, params, business_zone, now(), just_changed[2] if just_changed else ""
    )
    context = _common(business, params, business_zone, days) | {
        "step": step_of(request.business),
        # The length of the slot under the pointer.
        "slot_minutes": _chosen_service_minutes(days, params) or step_of(request.business),
        "is_truncated": days.is_truncated,
        "max_a_day": calendar_queries.MAX_BOOKINGS_A_DAY,
        # Identifies what the page shows; the page polls `refresh_url` for changes.
        "mark": fingerprint,
        "refresh_url": refresh_url,
        "now": now(),
    }
    if params.view == DAYS:
        context |= day_columns.day(days, calendar)
    elif params.provider:
        context |= day_columns.week(days, calendar)
    else:
        context |= day_columns.week_of_all(days, calendar)
    return page(request, "bookings/calendar.html", context, partial="list")


def _chosen_service_minutes(days: calendar_queries.CalendarDays, params: CalendarParams) -> int | None:
    return next((each.minutes for each in days.services if params.service and each.id == params.service), None)


def _agenda(request: Request, business: str, params: CalendarParams, business_zone: ZoneInfo) -> HttpResponse:
    def load(start_key: Raw | None) -> tuple[Page[BookingLine], dict[str, Any]]:
        since = clock_at(params.day, 0, business_zone)
        providers, services, (found,) = calendar_queries.load_catalog_with(
            business,
            lambda: queries.agenda(business, params.filter, since=since, start_key=start_key),
            consistent=False,
        )
        names, moment = DisplayNames.of(services, providers), now()
        matching = [each for each in found.items if params.matches(each)]
        context = _common(business, params, business_zone, calendar_queries.CalendarDays([], providers, services))
        context |= {"left_out": len(found.items) - len(matching), "day_format": long_day_format()}
        return found.with_rows([BookingLine(each, names, business_zone, moment) for each in matching]), context

    return list_page(request, "bookings/calendar.html", load, cursor_scope=("bookings", business, params.query()))


def _common(
    business: str, params: CalendarParams, business_zone: ZoneInfo, days: calendar_queries.CalendarDays
) -> dict[str, Any]:
    today = now().astimezone(business_zone).date()
    base = base_of(business)
    statuses = [("", _("All except cancelled")), *((str(each), STATUS_LABELS[each]) for each in Status)]
    return {
        "params": params,
        "base": base,
        "zone": business_zone.key,
        "zone_text": zone_label(business_zone.key),
        "tabs": _tabs(base, params),
        "tab": TAB,
        "heading": _heading(params),
        "earlier_url": base + params.query(day=(params.day - params.step).isoformat()),
        "earlier_label": _("Week before") if params.view == WEEK else _("Day before"),
        "later_label": _("Week after") if params.view == WEEK else _("Day after"),
        "later_url": base + params.query(day=(params.day + params.step).isoformat()),
        "today_url": base + params.query(day=""),
        "is_today": today in params.days,
        "new_url": f"{reverse('booking_new', args=[business])}?{urlencode(params.new_booking_values)}",
        "to_confirm_url": base + params.query(status=Status.PENDING.value),
        "clear_url": base + CalendarParams(params.day, params.view, params.is_chosen).query(),
        "providers": sort_by_name(days.providers),
        "services": services_by_name(days.services),
        "statuses": [*statuses, (ALL_STATUSES, _("All, including cancelled"))],
        "payments": [("", _("Any payment")), *((str(each), PAYMENT_LABELS[each]) for each in Payment)],
    }


def base_of(business: str) -> str:
    return reverse("bookings", args=[business])


def _tabs(base: str, params: CalendarParams) -> list[Tab]:
    labels = {DAYS: _("Day"), WEEK: _("Week"), AGENDA: _("List")}
    return [Tab(label, base + params.query(view=view), view == params.view) for view, label in labels.items()]


def _heading(params: CalendarParams) -> str:
    if params.view != WEEK:
        return date_format(params.day, long_day_format())
    first, last = params.days[0], params.days[-1]
    return f"{date_format(first, day_format().removesuffix(' Y'))} – {date_format(last, day_format())}"


def _just_changed(request: Request) -> tuple[str, str, str] | None:
    """The booking that the person has just changed: provider, start and id."""
    parts = request.GET.get("just", "")[:MAX_JUST_CHANGED].split("/", 2)
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 and all(parts) else None
