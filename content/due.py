"""Due tasks of sites."""

from __future__ import annotations

from content.items import LeadReminder, PageSchedule
from content.services import lead_reminders, schedules
from dashboard.platform.due.registry import due


@due("page schedule")
def publish_scheduled(schedule: PageSchedule) -> str:
    """Runs at the scheduled time."""
    return schedules.publish_due(schedule)


@due("lead reminder")
def remind_of_next_step(reminder: LeadReminder) -> str:
    """Runs in the morning of the day of the step."""
    return lead_reminders.remind(reminder)
