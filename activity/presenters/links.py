"""Links of the activity pages: their tabs, the chips of their filters, and the days before and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from activity.actions import find_action
from activity.event_rooms import EventRooms
from activity.moments import MomentParams
from activity.params import ActivityParams
from activity.presenters.names import STEP_LABELS, country_label
from dashboard.web.lists import Tab
from dashboard.web.templatetags.ui import day_format

PAGES = (
    ("activity", pgettext_lazy("activity", "Now")),
    ("activity_day", pgettext_lazy("activity", "Day")),
    ("activity_rooms", gettext_lazy("Rooms")),
    ("activity_countries", gettext_lazy("Countries")),
    ("activity_moment", gettext_lazy("Point in time")),
    ("activity_events", gettext_lazy("Events")),
)


@dataclass(frozen=True)
class Chip:
    """A filter that is set, and the address without it."""

    label: str
    url: str


def build_tabs(route: str, params: ActivityParams | None = None) -> list[Tab]:
    """The tabs of all pages, with the day and the filters where the page has them."""
    query = params.query(hour=None, step=None, other=None) if params is not None else ""
    without = {"activity", "activity_moment"}
    return [Tab(str(label), reverse(name) + ("" if name in without else query), name == route) for name, label in PAGES]


def build_chips(url: str, params: ActivityParams, event: EventRooms) -> list[Chip]:
    return [Chip(f"{label}: {value}", url + params.query(**{name: None})) for name, label, value in _set(params, event)]


def moment_chips(params: MomentParams, event: EventRooms) -> list[Chip]:
    url, chips = reverse("activity_moment"), []
    if params.room:
        chips.append(Chip(f"{_('Room')}: {event.title(params.room)}", url + params.query(room=None)))
    if params.country:
        chips.append(Chip(f"{_('Country')}: {params.country}", url + params.query(country=None)))
    if params.action:
        chips.append(Chip(f"{_('Action')}: {find_action(params.action).label}", url + params.query(action=None)))
    return chips


def _set(params: ActivityParams, event: EventRooms) -> Iterator[tuple[str, str, str]]:
    filters = params.filters
    if filters.country:
        yield "country", _("Country"), country_label(filters.country)
    if filters.domain:
        yield "domain", _("Domain"), filters.domain
    if filters.room:
        yield "room", _("Room"), event.title(filters.room)
    if filters.action:
        yield "action", _("Action"), str(find_action(filters.action).label)
    if params.hour is not None:
        yield "hour", _("Hour"), date_format(params.days.hour_start(params.hour), "H:i")
    if params.step is not None:
        yield "step", _("Visit"), str(STEP_LABELS[params.step])
    if params.other is not None:
        yield "other", _("Compared with"), date_format(params.other, day_format())


def days_around(url: str, params: ActivityParams) -> tuple[str, str]:
    """The addresses of the day before and after."""
    day = params.days.first
    return tuple(url + params.query(day=day + timedelta(days=each), hour=None) for each in (-1, 1))  # type: ignore[return-value]
