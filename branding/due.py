"""A brand's work for later."""

from __future__ import annotations

from branding.items import ScheduledPublication
from branding.services import schedules
from dashboard.due.registry import due


@due("scheduled publication")
def publish_scheduled(schedule: ScheduledPublication) -> str:
    return schedules.carry_out(schedule)
