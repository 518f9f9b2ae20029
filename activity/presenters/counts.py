"""Tables of counts with their bars. Every number links to the people or the events that it counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from activity.annotations import Annotations
from activity.params import ActivityParams
from activity.presenters.names import country_label, whole
from activity.visits import VisitStep
from activity.warehouse.results import ActivitySummary, CountryCount, NamedCount
from dashboard.web.charts import ChartRow, Columns, columns, share
from dashboard.web.templatetags.ui import day_format

DAY, OTHER = "day", "other"
COLORS = {DAY: "blue", OTHER: "gray"}


@dataclass(frozen=True)
class LinkedNumber:
    value: int
    # What it counts; empty for zero.
    url: str = ""

    @property
    def text(self) -> str:
        return whole(self.value)


@dataclass(frozen=True)
class ActivityCountRow:
    label: str
    people: LinkedNumber
    events: LinkedNumber
    bar: str
    # The page filtered by this row.
    url: str = ""
    # The numbers of the day that it is compared with.
    other: tuple[LinkedNumber, LinkedNumber] | None = None


def people_number(value: int, params: ActivityParams, **changes: object) -> LinkedNumber:
    return LinkedNumber(value, reverse("activity_people") + params.query(other=None, **changes) if value else "")


def events_number(value: int, params: ActivityParams, **changes: object) -> LinkedNumber:
    return LinkedNumber(value, reverse("activity_events") + params.query(other=None, **changes) if value else "")


def count_rows(
    name: str,
    counts: Sequence[NamedCount],
    label: Callable[[str], str],
    params: ActivityParams,
    other: Sequence[NamedCount] | None = None,
) -> list[ActivityCountRow]:
    """The rows of a filter, such as the countries; also those that occur only on the other day."""
    others = {each.name: each for each in other or ()}
    missing = [NamedCount(each, 0, 0) for each in others if each not in {count.name for count in counts}]
    most = max((each.people for each in counts), default=0)
    return [
        ActivityCountRow(
            label(each.name),
            people_number(each.people, params, **{name: each.name}),
            events_number(each.events, params, **{name: each.name}),
            share(each.people, most),
            reverse("activity_day") + params.query(**{name: each.name}),
            _other(others.get(each.name, NamedCount(each.name, 0, 0)), name, params) if other is not None else None,
        )
        for each in [*counts, *missing]
    ]


def _other(count: NamedCount, name: str, params: ActivityParams) -> tuple[LinkedNumber, LinkedNumber]:
    changes = {"day": params.other, name: count.name}
    return people_number(count.people, params, **changes), events_number(count.events, params, **changes)


@dataclass(frozen=True)
class HourRow:
    label: str
    people: LinkedNumber
    events: LinkedNumber
    other: tuple[LinkedNumber, LinkedNumber] | None = None


@dataclass(frozen=True)
class HourChart:
    """The events of each hour as columns and as a table."""

    chart: Columns
    rows: list[HourRow]
    summary: str
    first: str
    last: str
    legend: list[tuple[str, str]]


def hour_chart(
    params: ActivityParams, day: ActivitySummary, other: ActivitySummary | None, annotations: Annotations
) -> HourChart:
    others = {each.hour: each for each in other.by_hour} if other is not None else {}
    rows, columns_of = [], []
    for each in day.by_hour:
        label = date_format(params.days.hour_start(each.hour), "H:i")
        values, title = (
            {DAY: each.events},
            _("%(hour)s: %(events)s events, %(people)s people")
            % {
                "hour": label,
                "events": whole(each.events),
                "people": whole(each.people),
            },
        )
        beside = None
        if other is not None and params.other is not None:
            compared = others.get(each.hour)
            events, people = (compared.events, compared.people) if compared else (0, 0)
            values[OTHER] = events
            changes = {"day": params.other, "hour": each.hour}
            beside = people_number(people, params, **changes), events_number(events, params, **changes)
        people_of = people_number(each.people, params, hour=each.hour)
        columns_of.append(ChartRow(title, values, people_of.url))
        rows.append(HourRow(label, people_of, events_number(each.events, params, hour=each.hour), beside))
    colors: Mapping[str, str] = COLORS if other is not None else {DAY: COLORS[DAY]}
    marks = annotations.marks(params.days.start, params.days.end)
    return HourChart(
        columns(columns_of, colors, marks=marks, is_grouped=other is not None),
        rows,
        _summary(rows, day),
        rows[0].label if rows else "",
        date_format(_last_hour_end(params), "H:i"),
        _legend(params) if other is not None else [],
    )


def _last_hour_end(params: ActivityParams) -> datetime:
    return (params.days.end - timedelta(minutes=1)).astimezone(params.days.zone)


def _summary(rows: Sequence[HourRow], day: ActivitySummary) -> str:
    """The chart as a sentence, for screen readers."""
    most = max(rows, key=lambda each: each.events.value, default=None)
    return _("Events by hour: %(total)s in all, most at %(hour)s (%(most)s).") % {
        "total": whole(day.total.events),
        "hour": most.label if most else "–",
        "most": most.events.text if most else "0",
    }


def _legend(params: ActivityParams) -> list[tuple[str, str]]:
    days = {DAY: params.days.first, OTHER: params.other}
    return [(COLORS[name], date_format(day, day_format())) for name, day in days.items() if day is not None]


@dataclass(frozen=True)
class DayRow:
    label: str
    url: str
    people: LinkedNumber
    events: LinkedNumber
    bar: str


def day_rows(params: ActivityParams, summary: ActivitySummary) -> list[DayRow]:
    """The days of a longer range; nothing for a single day."""
    if params.days.is_one_day:
        return []
    most = max((each.events for each in summary.by_day), default=0)
    return [
        DayRow(
            date_format(each.day, day_format()),
            reverse("activity_day") + params.query(first=None, last=None, day=each.day),
            people_number(each.people, params, first=None, last=None, day=each.day),
            events_number(each.events, params, first=None, last=None, day=each.day),
            share(each.events, most),
        )
        for each in summary.by_day
    ]


@dataclass(frozen=True)
class CountryRow:
    label: str
    url: str
    bar: str
    people: LinkedNumber
    events: LinkedNumber
    entered: LinkedNumber
    completed: LinkedNumber


def country_rows(params: ActivityParams, found: Sequence[CountryCount]) -> list[CountryRow]:
    most = max((each.people for each in found), default=0)
    return [
        CountryRow(
            country_label(each.country),
            reverse("activity_day") + params.query(country=each.country),
            share(each.people, most),
            people_number(each.people, params, country=each.country),
            events_number(each.events, params, country=each.country),
            people_number(each.entered, params, country=each.country, step=VisitStep.ENTERED),
            people_number(each.completed, params, country=each.country, step=VisitStep.COMPLETED),
        )
        for each in found
    ]
