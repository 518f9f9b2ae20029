"""Due tasks of sites."""

from __future__ import annotations

from content.items import PageSchedule
from content.services import schedules
from dashboard.platform.due.registry import due


@due("page schedule")
def publish_scheduled(schedule: PageSchedule) -> str:
    """Runs at the scheduled time."""
    return schedules.publish_due(schedule)
