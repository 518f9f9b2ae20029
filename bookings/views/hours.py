"""The hours of a staff member: the week, and the form that changes it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from bookings.displaced_bookings import DisplacedBookings
from bookings.forms.hours import MAX_DATES, MAX_ROWS, HoursForm
from bookings.forms.times import day_names
from bookings.hours import WEEKDAYS, DayHours, Hours, hours_of
from bookings.items import Provider
from bookings.permissions import Permission
from bookings.presenters import short_day
from bookings.queries import providers as queries
from bookings.services import hours as services
from bookings.services.schedule import HoursChanged
from bookings.views.shared import DisplacedLines, accepted_bookings, displaced_lines, undo_params
from bookings.week import Exceptions, hours_text, share_of_day
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.locale import zone_label
from dashboard.web.pages import page, see_other
from dashboard.web.templatetags.ui import day_format
from dashboard.web.toasts import toast

SAVE = "save"


@dataclass(frozen=True)
class Bar:
    """A part of the drawn line of a day. Its kind is a CSS class."""

    kind: str
    x: str
    width: str


@dataclass(frozen=True)
class WeekdayLine:
    """The hours of a weekday, drawn and as text."""

    weekday: str
    label: str
    bars: list[Bar]
    hours: str
    breaks: str


def hour_ticks() -> list[tuple[str, str]]:
    """The hours below the line of a day: position and label."""
    return [(share_of_day(hour * 60), f"{hour:02}") for hour in range(0, 24, 3)]


def week_lines(weekly: Mapping[int, DayHours]) -> list[WeekdayLine]:
    lines = []
    for number, (weekday, label) in enumerate(day_names().items()):
        hours = weekly.get(number, DayHours())
        parts = [("worked", each) for each in hours.ranges] + [("pause", each) for each in hours.breaks]
        bars = [
            Bar(kind, share_of_day(each.start_minute), share_of_day(each.end_minute - each.start_minute))
            for kind, each in parts
        ]
        breaks = hours_text(DayHours(hours.breaks)) if hours.ranges else ""
        lines.append(WeekdayLine(weekday, label, bars, hours_text(DayHours(hours.ranges)), breaks))
    return lines


@requires(Permission.CATALOG)
@require_http_methods(["GET", "HEAD", "POST"])
def hours(request: Request, business: str, provider: str) -> HttpResponse:
    """The buttons that add, remove and copy rows also send the form: the page keeps what was typed."""
    hours_page = _HoursPage(request, business, provider)
    if request.method != "POST":
        return hours_page.render(hours_page.form)
    form, action = HoursForm.from_post(request.POST), request.POST.get("do", SAVE)
    if action != SAVE:
        form.act(action[:60] or SAVE)
        return hours_page.render(form, changed=True, status=422 if form.copy_error else 200)
    if not form.is_valid(hours_page.today, hours_page.hours.exceptions):
        return hours_page.render(form, status=422)
    command = command_of(request)
    try:
        saved = services.save(
            business,
            provider,
            form.week,
            revision=form.revision,
            business_zone=request.business.timezone,
            accepts=accepted_bookings(request),
            command=command,
        )
    except HoursChanged:
        return _HoursPage(request, business, provider).render_conflict(form)
    except DisplacedBookings as error:
        return hours_page.render(form, changed=True, displaced=hours_page.displaced_lines(error), status=409)
    return _respond_saved(request, business, saved, command.id)


def _respond_saved(request: Request, business: str, saved: Provider, command_id: str) -> HttpResponse:
    undo = None
    if saved.outcome.result.get("was") is not None:
        fields = {"of": command_id, "revision": saved.schedule_revision}
        undo = (reverse("provider_hours_undo", args=[business, saved.id]), fields)
    toast(request, _("Hours of %(name)s saved.") % {"name": saved.title}, undo=undo, of=saved)
    return see_other(request, reverse("provider_hours", args=[business, saved.id]))


@requires(Permission.CATALOG)
@require_POST
def undo(request: Request, business: str, provider: str) -> HttpResponse:
    (of, revision), command = undo_params(request), command_of(request)
    try:
        saved = services.restore(
            business,
            provider,
            of=of,
            revision=revision,
            business_zone=request.business.timezone,
            accepts=accepted_bookings(request),
            command=command,
        )
    except DisplacedBookings as error:
        hours_page = _HoursPage(request, business, provider)
        displaced = hours_page.displaced_lines(error)
        return hours_page.render(hours_page.form, undoing=of, displaced=displaced, status=409)
    return _respond_saved(request, business, saved, command.id)


def _exception_text(exceptions: Exceptions, day: dt.date) -> str:
    """The special hours of a date; empty where it has none."""
    if day not in exceptions:
        return ""
    hours = exceptions[day]
    return hours_text(DayHours(hours.ranges)) if hours is not None and hours.ranges else _("Off all day")


class _HoursPage:
    """The page of a staff member's hours, read in one round trip."""

    def __init__(self, request: Request, business: str, provider_id: str) -> None:
        self.request, self.business = request, business
        self.provider, availabilities = gather(
            partial(queries.load_provider, business, provider_id), partial(queries.hours_of, business, provider_id)
        )
        self.hours: Hours = hours_of(self.provider.zone(request.business.timezone), availabilities)
        self.today = self.hours.date_of(now())

    @property
    def form(self) -> HoursForm:
        return HoursForm.from_hours(self.hours, self.today, self.provider.schedule_revision)

    def displaced_lines(self, error: DisplacedBookings) -> DisplacedLines:
        return displaced_lines(self.business, self.provider, self.request.business.timezone, error)

    def render_conflict(self, form: HoursForm) -> HttpResponse:
        """Someone else saved first: the form keeps its input next to the saved values, and can be sent again."""
        differences = []
        for number, (weekday, label) in enumerate(day_names().items()):
            saved = hours_text(self.hours.weekly.get(number, DayHours()))
            yours = hours_text(form.week.days[weekday])
            if saved != yours:
                differences.append((label, saved, yours))
        differences += self._date_differences(form.week.exceptions)
        form.revision = self.provider.schedule_revision
        return self.render(form, changed=True, differences=differences, conflict=True, status=409)

    def _date_differences(self, yours: Exceptions) -> list[tuple[str, str, str]]:
        """Saving again would remove a date that a colleague has just added, so it is listed."""
        saved = self.hours.exceptions
        days = sorted({day for day in saved if day >= self.today} | yours.keys())
        texts = [(short_day(day), _exception_text(saved, day), _exception_text(yours, day)) for day in days]
        return [each for each in texts if each[1] != each[2]]

    def render(self, form: HoursForm, *, status: int = 200, **extra: Any) -> HttpResponse:
        if not form.is_checked:
            # The drawing shows what the form holds, as far as it is valid.
            form.is_valid(self.today, self.hours.exceptions)
            form.clear_errors()
        weekly = {WEEKDAYS.index(weekday): each for weekday, each in form.week.days.items()}
        context = {
            "provider": self.provider,
            "form": form,
            "week": week_lines(weekly),
            "zone": zone_label(self.hours.zone.key),
            "weekday": WEEKDAYS[self.today.weekday()],
            "hours_ticks": hour_ticks(),
            "most_rows": MAX_ROWS,
            "most_dates": MAX_DATES,
            "day_format": day_format(),
            "tab": "providers",
            **extra,
        }
        return page(self.request, "bookings/hours.html", context, status=status)
