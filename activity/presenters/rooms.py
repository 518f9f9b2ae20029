"""The visits to rooms: the funnel with its drop-off points, the heat map and the peaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from activity.event_rooms import EventRooms
from activity.moments import MomentParams
from activity.params import ActivityParams
from activity.presenters.counts import LinkedNumber, people_number
from activity.presenters.names import STEP_LABELS, country_label, whole
from activity.visits import VisitStep
from activity.warehouse.results import RoomHour, RoomPeak, RoomsSummary, RoomVisits

# The parts of everybody who came, in the order of the bar: each is the end of a visit.
ENDS = (VisitStep.COMPLETED, VisitStep.UNFINISHED, VisitStep.LEFT, VisitStep.NOT_OPEN)
COLORS = {
    VisitStep.COMPLETED: "green",
    VisitStep.UNFINISHED: "blue",
    VisitStep.LEFT: "amber",
    VisitStep.NOT_OPEN: "gray",
}
COLUMNS = (
    VisitStep.CAME,
    VisitStep.NOT_OPEN,
    VisitStep.ENTERED,
    VisitStep.LEFT,
    VisitStep.STAYED,
    VisitStep.UNFINISHED,
    VisitStep.COMPLETED,
)
# The shades of the heat map, and the height of its parts in pixels.
SHADES = 5
LABEL, CELL = 18, 22


@dataclass(frozen=True)
class VisitsPart:
    """A part of a bar, in percent."""

    color: str
    x: str
    width: str


@dataclass(frozen=True)
class VisitsRow:
    label: str
    url: str
    parts: list[VisitsPart]
    # What the bar shows, for screen readers.
    text: str
    # One number for each of COLUMNS.
    numbers: list[LinkedNumber]
    peak: LinkedNumber
    peak_at: str = ""

    @property
    def cells(self) -> list[tuple[str, LinkedNumber]]:
        """The numbers with their labels."""
        return list(zip(column_labels(), self.numbers, strict=True))


@dataclass(frozen=True)
class HeatCell:
    shade: int
    x: str
    width: str
    title: str
    url: str


@dataclass(frozen=True)
class HeatRow:
    label: str
    label_y: str
    y: str
    cells: list[HeatCell]
    numbers: list[LinkedNumber]


@dataclass(frozen=True)
class HeatMap:
    rows: list[HeatRow]
    hours: list[str]
    # The position and the text of some hours.
    axis: list[tuple[str, str]]
    height: str
    axis_y: str
    summary: str


def column_labels() -> list[str]:
    return [str(STEP_LABELS[each]) for each in COLUMNS]


def legend() -> list[tuple[str, str]]:
    return [(COLORS[each], str(STEP_LABELS[each])) for each in ENDS]


def value_of(visits: RoomVisits, step: VisitStep) -> int:
    number: int = getattr(visits, step.value)
    return number


def funnel_rows(summary: RoomsSummary, event: EventRooms, params: ActivityParams) -> list[VisitsRow]:
    peaks = {each.room: each for each in summary.peaks}
    return [
        _row(
            visits,
            event.title(visits.room),
            reverse("activity_rooms") + params.query(room=visits.room),
            params,
            peaks.get(visits.room),
            room=visits.room,
        )
        for visits in summary.visits
    ]


def country_rows(summary: RoomsSummary, params: ActivityParams) -> list[VisitsRow]:
    """The visits to the room of the filter, by country."""
    return [
        _row(
            visits,
            country_label(visits.country or ""),
            reverse("activity_rooms") + params.query(country=visits.country),
            params,
            None,
            country=visits.country,
        )
        for visits in summary.by_country
        if visits.room == params.filters.room
    ]


def _row(
    visits: RoomVisits, label: str, url: str, params: ActivityParams, peak: RoomPeak | None, **place: object
) -> VisitsRow:
    numbers = [people_number(value_of(visits, step), params, step=step, **place) for step in COLUMNS]
    texts = [f"{STEP_LABELS[step]} {whole(value_of(visits, step))}" for step in ENDS]
    parts, text = _parts(visits), ", ".join(texts)
    if peak is None:
        return VisitsRow(label, url, parts, text, numbers, LinkedNumber(0))
    moment = MomentParams(peak.at, 5, params.days.zone, peak.room)
    at = date_format(peak.at.astimezone(params.days.zone), "H:i")
    return VisitsRow(label, url, parts, text, numbers, LinkedNumber(peak.people, moment.url), at)


def _parts(visits: RoomVisits) -> list[VisitsPart]:
    """The ends of all visits as parts of one bar. They begin where the one before ends, so that no gap is left."""
    before, found = 0, []
    for step in ENDS:
        value = value_of(visits, step)
        if value > 0 and visits.came > 0:
            start, end = 1000 * before // visits.came, 1000 * (before + value) // visits.came
            found.append(VisitsPart(COLORS[step], str(start), str(end - start)))
        before += value
    return found


def heat_map(summary: RoomsSummary, event: EventRooms, params: ActivityParams) -> HeatMap:
    hours = list(range(params.days.hours))
    labels = [_hour_label(params, each) for each in hours]
    by_room: dict[str, dict[int, RoomHour]] = {}
    for each in summary.heat_map:
        by_room.setdefault(each.room, {})[each.hour] = each
    most = max((each.people for each in summary.heat_map), default=0)
    order = event.in_order(by_room)
    rows = [
        _heat_row(number, room, event.title(room), by_room[room], labels, most, params)
        for number, room in enumerate(order)
    ]
    height = len(rows) * (LABEL + CELL)
    axis = [(f"{100 * hour / len(hours):.2f}%", labels[hour]) for hour in hours[::4]]
    return HeatMap(
        rows, labels, axis, str(height + LABEL), str(height + LABEL - 4), _heat_summary(summary, event, labels)
    )


def _hour_label(params: ActivityParams, hour: int) -> str:
    return date_format(params.days.hour_start(hour), "H:i") if params.days.is_one_day else f"{hour:02}:00"


def _heat_row(
    number: int,
    room: str,
    label: str,
    counts: Mapping[int, RoomHour],
    hours: Sequence[str],
    most: int,
    params: ActivityParams,
) -> HeatRow:
    top, step = number * (LABEL + CELL), 100 / max(1, len(hours))
    cells, numbers = [], []
    for hour, text in enumerate(hours):
        people = counts[hour].people if hour in counts else 0
        # Of several days an hour is an hour of the clock, which no list of people can be limited to.
        changes: dict[str, object] = {"room": room} | ({"hour": hour} if params.days.is_one_day else {})
        found = people_number(people, params, **changes)
        numbers.append(found)
        title = ngettext("%(room)s, %(hour)s: %(n)s person", "%(room)s, %(hour)s: %(n)s people", people)
        shade = 0 if not people else min(SHADES, 1 + SHADES * (people - 1) // max(1, most))
        cells.append(
            HeatCell(
                shade,
                f"{hour * step:.3f}%",
                f"{step * 0.94:.3f}%",
                title % {"room": label, "hour": text, "n": whole(people)},
                found.url,
            )
        )
    return HeatRow(label, str(top + LABEL - 5), str(top + LABEL), cells, numbers)


def _heat_summary(summary: RoomsSummary, event: EventRooms, labels: Sequence[str]) -> str:
    most = max(summary.heat_map, key=lambda each: each.people, default=None)
    if most is None:
        return _("People by room and hour")
    return _("People by room and hour, most in %(room)s at %(hour)s (%(people)s).") % {
        "room": event.title(most.room),
        "hour": labels[most.hour] if most.hour < len(labels) else "–",
        "people": whole(most.people),
    }
