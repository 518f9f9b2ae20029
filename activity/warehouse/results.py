"""The typed results of the questions. Hours, days and minutes are counted from the start of the range."""

from __future__ import annotations

import datetime as dt
from datetime import datetime
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from activity.params import DayRange

T = TypeVar("T")


class EventCount(NamedTuple):
    """ListedEvents, and the different people who caused them."""

    events: int = 0
    people: int = 0


class HourCount(NamedTuple):
    # Of one day: hours since its start. Of several days: the hour of the clock.
    hour: int
    events: int
    people: int


class DayCount(NamedTuple):
    day: dt.date
    events: int
    people: int


class NamedCount(NamedTuple):
    """A country, an action or a room. ListedEvents without room are not in the counts by room."""

    name: str
    events: int
    people: int


class ActivitySummary(NamedTuple):
    """Every hour and day is present, also without events. Names are in the order of their people."""

    total: EventCount
    by_hour: list[HourCount]
    by_day: list[DayCount]
    by_country: list[NamedCount]
    by_action: list[NamedCount]
    by_room: list[NamedCount]


class RoomVisits(NamedTuple):
    """People in a room, of all countries or of one."""

    room: str
    country: str | None
    came: int
    not_open: int
    entered: int
    stayed: int
    completed: int

    @property
    def left(self) -> int:
        return self.entered - self.stayed

    @property
    def unfinished(self) -> int:
        return self.stayed - self.completed


class RoomHour(NamedTuple):
    room: str
    hour: int
    events: int
    people: int


class RoomPeak(NamedTuple):
    """The first minute in which most people were present."""

    room: str
    people: int
    at: datetime


class RoomsSummary(NamedTuple):
    visits: list[RoomVisits]
    heat_map: list[RoomHour]
    peaks: list[RoomPeak]
    by_country: list[RoomVisits]


class CountryCount(NamedTuple):
    country: str
    events: int
    people: int
    # People who were in at least one open room, and who completed at least one.
    entered: int
    completed: int


class PersonCount(NamedTuple):
    """One of the people behind a number. `user` is a pseudonym if the archive has no e-mails."""

    user: str
    country: str
    events: int
    first_at: datetime
    last_at: datetime


class People(NamedTuple):
    people: list[PersonCount]
    # All people behind the number, not only those of this page.
    total: int
    # The start of the next page, or an empty text.
    next: str


class ListedEvent(NamedTuple):
    event_id: str
    user: str
    at: datetime
    action: str
    room: str | None
    domain: str | None
    country: str
    metadata: str | None


class EventPosition(NamedTuple):
    """The place of an event in a list with the newest first."""

    at: datetime
    event_id: str


class ListedEvents(NamedTuple):
    events: list[ListedEvent]
    next: EventPosition | None


class Returning(NamedTuple):
    """People of a day, of the day it is compared with, and of both."""

    people: int
    other: int
    both: int


class AnswerState(StrEnum):
    READY = "ready"
    # Athena is answering; the page asks again.
    CALCULATING = "calculating"
    # It could not be calculated: `problem` says why.
    FAILED = "failed"


class AnswerSource(StrEnum):
    STORED = "stored"
    ARCHIVE = "archive"
    LOG = "log"


class ReportAnswer(NamedTuple, Generic[T]):
    """A result, or why there is none yet."""

    result: T
    days: DayRange
    state: AnswerState = AnswerState.READY
    source: AnswerSource = AnswerSource.ARCHIVE
    # Until when the events are complete; None if the range is closed.
    as_of: datetime | None = None
    # If not all events could be read: only those since this moment are counted.
    searched_since: datetime | None = None
    # Whether rows beyond the limit were left out.
    is_truncated: bool = False
    problem: str = ""
    # While it is to be calculated: the signed question, for the form that starts the calculation.
    question: str = ""
