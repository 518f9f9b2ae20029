"""When someone works: a week to look at, and the form that changes it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from bookings.displaced_bookings import DisplacedBookings
from bookings.forms.hours import MOST_DATES, MOST_ROWS, HoursForm
from bookings.forms.times import day_names
from bookings.hours import WEEKDAYS, DayHours, Hours, hours_of
from bookings.items import Availability, Provider
from bookings.permissions import Permission
from bookings.presenters import short_day
from bookings.queries import providers as queries
from bookings.services import hours as writing
from bookings.services.schedule import HoursChanged
from bookings.views.shared import accepted, displaced_lines, undo_form
from bookings.week import Exceptions, refusal_text, share
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import gather_all
from dashboard.web.commands import command_of
from dashboard.web.locale import zone_in_words
from dashboard.web.pages import page, see_other
from dashboard.web.templatetags.ui import day_format
from dashboard.web.toasts import toast

SAVE = "save"


@dataclass(frozen=True)
class Stretch:
    kind: str
    x: str
    width: str


@dataclass(frozen=True)
class WeekdayLine:
    """A day of the week as it is drawn, and in words."""

    weekday: str
    label: str
    stretches: list[Stretch]
    text: str
    pauses: str


def drawn(availabilities: Sequence[Availability], where: ZoneInfo) -> list[WeekdayLine]:
    return lines_of(hours_of(where, availabilities).weekly)


def ticks() -> list[tuple[str, str]]:
    """The hours beneath a day's line."""
    return [(share(hour * 60), f"{hour:02}") for hour in range(0, 24, 3)]


def lines_of(weekly: Any) -> list[WeekdayLine]:
    found = []
    for number, (weekday, label) in enumerate(day_names().items()):
        hours = weekly.get(number, DayHours())
        parts = [("worked", each) for each in hours.ranges] + [("pause", each) for each in hours.breaks]
        stretches = [
            Stretch(kind, share(each.start_minute), share(each.end_minute - each.start_minute)) for kind, each in parts
        ]
        pauses = refusal_text(DayHours(hours.breaks)) if hours.ranges else ""
        found.append(WeekdayLine(weekday, label, stretches, refusal_text(DayHours(hours.ranges)), pauses))
    return found


@requires(Permission.BOOKINGS)
@require_http_methods(["GET", "HEAD", "POST"])
def hours(request: Request, business: str, provider: str) -> HttpResponse:
    """Buttons that add, remove and copy rows send the form too: it comes back with what was typed."""
    at = _At(request, business, provider)
    if request.method != "POST":
        return at.page(at.form)
    form, do = HoursForm.sent(request.POST), request.POST.get("do", SAVE)
    if do != SAVE:
        form.act(do[:60] or SAVE)
        return at.page(form, changed=True, status=422 if form.copy_error else 200)
    if not form.is_valid(at.since, at.hours.exceptions):
        return at.page(form, status=422)
    command = command_of(request)
    try:
        saved = writing.save(
            business,
            provider,
            form.week,
            revision=form.revision,
            business_zone=request.business.timezone,
            accepts=accepted(request),
            command=command,
        )
    except HoursChanged:
        return _At(request, business, provider).moved(form)
    except DisplacedBookings as strands:
        return at.page(form, changed=True, losing=at.losing(strands), status=409)
    return _saved(request, business, saved, command.id)


def _saved(request: Request, business: str, saved: Provider, command_id: str) -> HttpResponse:
    undo = None
    if saved.outcome.result.get("was") is not None:
        fields = {"of": command_id, "revision": saved.schedule_revision}
        undo = (reverse("provider_hours_undo", args=[business, saved.id]), fields)
    toast(request, _("The hours of %(name)s are saved.") % {"name": saved.title}, undo=undo, of=saved)
    return see_other(request, reverse("provider_hours", args=[business, saved.id]))


@requires(Permission.BOOKINGS)
@require_POST
def undo(request: Request, business: str, provider: str) -> HttpResponse:
    given, command = undo_form(request), command_of(request)
    try:
        saved = writing.put_back(
            business,
            provider,
            of=given["of"],
            revision=given["revision"],
            business_zone=request.business.timezone,
            accepts=accepted(request),
            command=command,
        )
    except DisplacedBookings as strands:
        at = _At(request, business, provider)
        return at.page(at.form, undoing=given["of"], losing=at.losing(strands), status=409)
    return _saved(request, business, saved, command.id)


def _date_said(exceptions: Exceptions, day: dt.date) -> str:
    """What is said of a date that differs; nothing where it does not."""
    if day not in exceptions:
        return ""
    told = exceptions[day]
    return refusal_text(DayHours(told.ranges)) if told is not None and told.ranges else _("Off all day")


class _At:
    """A provider and their hours, in one trip."""

    def __init__(self, request: Request, business: str, provider_id: str) -> None:
        self.request, self.business = request, business
        reads: list[Any] = [
            lambda: queries.provider(business, provider_id),
            lambda: queries.hours_of(business, provider_id),
        ]
        found: list[Any] = gather_all(reads)
        self.provider: Provider = found[0]
        self.hours: Hours = hours_of(self.provider.zone(request.business.timezone), found[1])
        self.since = self.hours.date_of(now())

    @property
    def form(self) -> HoursForm:
        return HoursForm.of(self.hours, self.since, self.provider.schedule_revision)

    def losing(self, strands: DisplacedBookings) -> Any:
        return displaced_lines(self.business, self.provider, self.request.business.timezone, strands)

    def moved(self, form: HoursForm) -> HttpResponse:
        """Someone was faster: what was typed stays beside what is saved now, and can be sent on purpose."""
        weekly = self.hours.weekly
        theirs = [
            (line.label, refusal_text(weekly.get(number, DayHours())), refusal_text(form.week.days[line.weekday]))
            for number, line in enumerate(lines_of(weekly))
            if refusal_text(weekly.get(number, DayHours())) != refusal_text(form.week.days[line.weekday])
        ]
        theirs += self._dates_apart(form.week.exceptions)
        form.revision = self.provider.schedule_revision
        return self.page(form, changed=True, theirs=theirs, moved=True, status=409)

    def _dates_apart(self, yours: Exceptions) -> list[tuple[str, str, str]]:
        """A date that a colleague has just added would go with the next save: it is named."""
        saved = self.hours.exceptions
        days = {day for day in saved if day >= self.since} | yours.keys()
        apart = [(short_day(day), _date_said(saved, day), _date_said(yours, day)) for day in sorted(days)]
        return [each for each in apart if each[1] != each[2]]

    def page(self, form: HoursForm, *, status: int = 200, **extra: Any) -> HttpResponse:
        if not hasattr(form, "week"):
            # What is drawn is what the form holds, as far as it can be read.
            form.is_valid(self.since, self.hours.exceptions)
            form.forgive()
        weekly = {WEEKDAYS.index(weekday): each for weekday, each in form.week.days.items()}
        context = {
            "provider": self.provider,
            "form": form,
            "week": lines_of(weekly),
            "zone": zone_in_words(self.hours.zone.key),
            "weekday": WEEKDAYS[self.since.weekday()],
            "hours_ticks": ticks(),
            "most_rows": MOST_ROWS,
            "most_dates": MOST_DATES,
            "day_format": day_format(),
            "tab": "providers",
            **extra,
        }
        return page(self.request, "bookings/hours.html", context, status=status)
