"""Today's events until now, so that the live page has something to show when the demo starts."""

from __future__ import annotations

from datetime import timedelta

from activity.demo.journeys import day_of_event, visitors
from activity.queries.hours import counts_of_day
from activity.queries.now import now_counts
from activity.services import LogStatus, log
from dashboard.core.clock import now
from rooms.public import load_plans

PEOPLE, HOURS = 50, 3.0
# With fewer events in the last hour, the live page looks empty.
FEW = 50


def seed(size: int) -> int:
    """Log the last hours; if that was done today already, the last hour only. The demo's rooms open around now."""
    moment, plans = now(), load_plans()
    if now_counts().events >= FEW:
        return 0
    since = moment - timedelta(hours=1 if counts_of_day(moment.date()) else HOURS)
    rooms = {room: plan.open_at for room, plan in sorted(plans.items()) if plan.open_at is not None}
    opens = moment - timedelta(hours=HOURS)
    events = day_of_event(visitors(PEOPLE * size), opens, HOURS, rooms, arrivals=(2.2, 0.9))
    recent = [event for event in events if since < event.at <= moment]
    return sum(result.status == LogStatus.LOGGED for result in log(recent))
