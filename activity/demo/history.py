"""The days of the event before today. They are written in batches, and into the archive."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings

from activity.archive.storage import default_storage
from activity.archive.writer import write_events
from activity.counters import group_of, hour_counter
from activity.demo.journeys import Visitor, day_of_event, visitors
from activity.events import Event
from activity.items import Activity, new_item
from dashboard.core.clock import now
from dashboard.table import read
from dashboard.table.admin import create_log_table
from dashboard.table.appends import CounterChange, put_all
from dashboard.table.retries import MissingTable

DAYS, PEOPLE, ROOMS = 3, 40, 7
# In UTC: the morning of Latin America.
OPENS, HOURS = 14, 7.0


def seed(size: int) -> int:
    """Add the days that are missing, and return the number of their events."""
    people, today = visitors(PEOPLE * size), now().replace(hour=OPENS, minute=0, second=0)
    days = [_day(people, today - timedelta(days=number)) for number in range(DAYS, 0, -1)]
    missing = [event for events in days if events and not _is_logged(events[0]) for event in events]
    for name in sorted({new_item(event).table for event in missing}):
        create_log_table(name)  # At the beginning of a month, some days are in the month before.
    put_all([new_item(event) for event in missing], _hours(missing))
    if missing and settings.ACTIVITY_ARCHIVE:
        write_events(default_storage(), missing)
    return len(missing)


def _day(people: list[Visitor], opens: datetime) -> list[Event]:
    """The rooms open one after the other, half an hour apart."""
    rooms = {f"sala{number}": opens + timedelta(minutes=30 * (number - 1)) for number in range(1, ROOMS + 1)}
    return day_of_event(people, opens, HOURS, rooms)


def _is_logged(event: Event) -> bool:
    item = new_item(event)
    try:
        return read.get(Activity, item.key) is not None
    except MissingTable:
        return False


def _hours(events: list[Event]) -> list[CounterChange]:
    """The counters of the hours, each with all events that it counts."""
    found: dict[tuple[datetime, int], list[Event]] = {}
    for event in events:
        group = group_of(event)
        found.setdefault((group.minute.replace(minute=0), group.shard), []).append(event)
    return [hour_counter(group_of(each[0]), each) for each in found.values()]
