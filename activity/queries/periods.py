"""The events of all people within a short period: who was where at a point in time."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import partial

from django.utils.translation import gettext_lazy as _

from activity.countries import known_countries, learn_countries
from activity.events import Event
from activity.queries.countries import sources_of
from activity.queries.hours import HourCounts, counts_of_day, days_between
from activity.queries.merge import Answer, EventPartition, Period, merge, readers
from dashboard.core.errors import Refused
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.read import Page
from dashboard.table.registry import access_pattern

# Longer periods are questions for the warehouse.
LONGEST = timedelta(hours=26)


@access_pattern("What did people do within a period?", keys.ACTIVITY_BY_COUNTRY)
def events_between(
    start: datetime,
    end: datetime,
    start_key: Raw | None = None,
    *,
    room: str | None = None,
    country: str | None = None,
    action: str | None = None,
    limit: int = 50,
) -> Page[Event]:
    """A page of the events from `start` until before `end`, newest first; optionally of one room, country or action."""
    if end - start > LONGEST:
        raise Refused(_("Choose a period of at most a day."))
    period = Period(start, end).continued(start_key)

    def keep(event: Event) -> bool:
        return (room is None or event.room == room) and (action is None or event.action == action)

    filters = room is not None or action is not None
    per_shard = limit if filters else limit // 20 + 10

    def sources(countries: list[str]) -> list[EventPartition]:
        return [source for name in countries for day in period.dates for source in sources_of(name, day, per_shard)]

    if country is not None:
        answers = read.gather_all(readers(sources([country]), period))
    else:
        hours: list[HourCounts] = []
        reads = readers(sources(known_countries()), period)
        days = [partial(_learn, hours, day) for day in days_between(start, end)]
        answers = read.gather_all([*reads, *days])
        unknown = learn_countries(name for hour in hours for name in hour.by_country)
        if unknown:
            answers += read.gather_all(readers(sources(unknown), period))
    return merge(answers, period, limit=limit, keep=keep if filters else None)


def _learn(hours: list[HourCounts], day: date) -> Answer:
    """Read the counters of a day, which name its countries, together with the events."""
    hours += counts_of_day(day).values()
    return {}, ""
