"""What the pages ask: each report is one question about some days, with filters.

A page runs the reads of its reports together with its own, as one round trip, and then takes the answers:

    (answer,), (entries,) = load([day_report(days, filters)], read_entries)

A closed day is answered from the stored result, or from the archive; what is not sealed from the log tables too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any, Generic, TypeVar, cast
from zoneinfo import ZoneInfo

from activity.archive.pseudonyms import archived_names
from activity.params import NO_FILTERS, DayRange, Filters
from activity.visits import PRESENT_MINUTES, VisitStep
from activity.warehouse import questions, rows
from activity.warehouse.engines.local import Row
from activity.warehouse.questions import Question, Statement
from activity.warehouse.results import (
    ActivitySummary,
    CountryCount,
    EventPosition,
    ListedEvents,
    People,
    Returning,
    RoomsSummary,
)
from activity.warehouse.values import Moments, dates_of, other_values, to_sql, values_of

T = TypeVar("T")
_PERSON_NAMES = ("person", "person_second", "person_third", "person_fourth")
# Later than every event.
_END = "9999-01-01 00:00:00.000"


@dataclass(frozen=True)
class ReportKind:
    question: Question
    build: Callable[[Sequence[Row], DayRange], Any]
    # Lists are answered page by page and not stored, where the engine answers at once.
    is_list: bool = False


KINDS = {
    "day": ReportKind(questions.DAY, rows.day_summary),
    "rooms": ReportKind(questions.ROOMS, rows.rooms_summary),
    "countries": ReportKind(questions.COUNTRIES, rows.countries),
    "returning": ReportKind(questions.RETURNING, rows.returning),
    "people": ReportKind(questions.PEOPLE, rows.people, is_list=True),
    "step": ReportKind(questions.PEOPLE_OF_STEP, rows.people, is_list=True),
    "events": ReportKind(questions.EVENTS, rows.events, is_list=True),
}
# The reports that are calculated as soon as a day is closed.
USUAL = ("day", "rooms", "countries")


@dataclass(frozen=True)
class Report(Generic[T]):
    """A question about some days. Two equal reports have the same key."""

    name: str
    days: DayRange
    filters: Filters = NO_FILTERS
    # More filters (`hour`, `person`) and values (`step`, `after`, …) by their names in the SQL.
    options: Mapping[str, Any] = field(default_factory=dict)
    # A period within the days, and the days to compare with.
    between: Moments | None = None
    other: DayRange | None = None

    @property
    def kind(self) -> ReportKind:
        return KINDS[self.name]

    @property
    def period(self) -> Moments:
        return self.between or (self.days.start, self.days.end)

    @property
    def periods(self) -> list[Moments]:
        return [self.period] + ([(self.other.start, self.other.end)] if self.other else [])

    @property
    def dates(self) -> list[tuple[date, date]]:
        """The first and the last date in UTC of each period."""
        return [dates_of(each) for each in self.periods]

    @cached_property
    def statement(self) -> Statement:
        values = values_of(self.days, self.between) | (other_values(self.other) if self.other else {})
        return self.kind.question.statement({**values, **self.options}, self.filters.values | self.more_filters)

    @property
    def more_filters(self) -> dict[str, Any]:
        return {name: value for name, value in self.options.items() if name == "hour" or name.startswith("person")}

    @property
    def is_usual(self) -> bool:
        """Whether it is calculated without being asked for."""
        return self.name in USUAL and self.days.is_one_day and not (self.filters or self.options or self.between)

    @cached_property
    def digest(self) -> str:
        """Differs for reports with different results, also if the SQL of the question changes."""
        text = json.dumps([self.statement.sql, dict(self.statement.values)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def build(self, found: Sequence[Row]) -> T:
        return cast(T, self.kind.build(found, self.days))

    def to_dict(self) -> dict[str, Any]:
        """For a job, which calculates it later."""
        return {
            "name": self.name,
            "days": _range_to_dict(self.days),
            "filters": dict(self.filters.values),
            "options": dict(self.options),
            "between": [each.isoformat() for each in self.between] if self.between else None,
            "other": _range_to_dict(self.other) if self.other else None,
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Report[Any]:
        between = stored.get("between")
        options = {name: int(value) if name == "hour" else value for name, value in stored["options"].items()}
        return Report(
            stored["name"],
            _range_from_dict(stored["days"]),
            Filters(**stored["filters"]),
            options,
            (datetime.fromisoformat(between[0]), datetime.fromisoformat(between[1])) if between else None,
            _range_from_dict(stored["other"]) if stored.get("other") else None,
        )


def _range_to_dict(days: DayRange) -> dict[str, str]:
    return {"first": days.first.isoformat(), "last": days.last.isoformat(), "zone": days.zone.key}


def _range_from_dict(stored: Mapping[str, str]) -> DayRange:
    first, last = date.fromisoformat(stored["first"]), date.fromisoformat(stored["last"])
    return DayRange(first, last, ZoneInfo(stored["zone"]))


def day_report(days: DayRange, filters: Filters = NO_FILTERS) -> Report[ActivitySummary]:
    """ListedEvents and people in total, by hour, day, country, action and room."""
    return Report("day", days, filters)


def rooms_report(days: DayRange, filters: Filters = NO_FILTERS) -> Report[RoomsSummary]:
    """The visits to each room, also by country, each hour of each room, and its fullest minute."""
    return Report("rooms", days, filters)


def countries_report(days: DayRange, filters: Filters = NO_FILTERS) -> Report[list[CountryCount]]:
    return Report("countries", days, filters)


def returning_report(days: DayRange, other: DayRange, filters: Filters = NO_FILTERS) -> Report[Returning]:
    """How many people of some days were there on others too."""
    return Report("returning", days, filters, other=other)


def people_report(
    days: DayRange,
    filters: Filters = NO_FILTERS,
    *,
    step: VisitStep | None = None,
    hour: int | None = None,
    between: Moments | None = None,
    after: str = "",
) -> Report[People]:
    """A page of the people behind a number. `after` is the `next` of the page before.

    With a step: the people who reached it in the room of the filters, or in any room. `between` limits the moments.
    """
    options: dict[str, Any] = {"after": after} | ({} if hour is None else {"hour": hour})
    if step is not None:
        return Report("step", days, filters, options | {"step": step.value}, between)
    return Report("people", days, filters, options, between)


def present_report(days: DayRange, room: str, minute: datetime, filters: Filters = NO_FILTERS) -> Report[People]:
    """The people who were present in a room at a minute."""
    return people_report(
        days, filters._replace(room=room), step=VisitStep.ENTERED, between=present_period(days, minute)
    )


def present_period(days: DayRange, minute: datetime) -> Moments:
    """The minutes in which somebody who is present at this one did something."""
    start = minute.replace(second=0, microsecond=0)
    first = start - timedelta(minutes=PRESENT_MINUTES - 1)
    return max(first, days.start), min(start + timedelta(minutes=1), days.end)


def events_report(
    days: DayRange,
    filters: Filters = NO_FILTERS,
    *,
    user: str = "",
    hour: int | None = None,
    between: Moments | None = None,
    before: EventPosition | None = None,
) -> Report[ListedEvents]:
    """A page of events, newest first. `before` is the `next` of the page before."""
    position = {"before": to_sql(before.at), "before_id": before.event_id} if before else {"before": _END}
    options = {"before_id": "", **position} | ({} if hour is None else {"hour": hour})
    return Report("events", days, filters, options | _person_options(user), between)


def _person_options(user: str) -> dict[str, str]:
    """The names of a person in the archive: by the newest keys of pseudonyms, and the address."""
    if not user:
        return {}
    *pseudonyms, address = archived_names(user)
    names = [*pseudonyms[: len(_PERSON_NAMES) - 1], address]
    return dict(zip(_PERSON_NAMES, names + [address] * len(_PERSON_NAMES), strict=False))
