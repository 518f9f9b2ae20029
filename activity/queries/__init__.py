"""Reads of the activity log and of its counters."""

from activity.queries.hours import HourCounts, hour_counts
from activity.queries.now import MinuteCount, NowCounts, now_counts
from activity.queries.people import person_events
from activity.queries.periods import events_between

__all__ = [
    "HourCounts",
    "MinuteCount",
    "NowCounts",
    "events_between",
    "hour_counts",
    "now_counts",
    "person_events",
]
