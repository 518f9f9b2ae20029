"""The time zone of a job's pages."""

from __future__ import annotations

from contextlib import AbstractContextManager

from django.utils import timezone

from dashboard.platform.jobs.items import Job
from dashboard.web.locale import zone

# In `about` of a job whose pages use another time zone than the person's.
ZONE = "zone"


def show_times_of(job: Job) -> AbstractContextManager[object]:
    """Show times in the job's time zone; in the person's if it names none."""
    name = (job.about or {}).get(ZONE)
    return timezone.override(zone(name) if name else timezone.get_current_timezone())
