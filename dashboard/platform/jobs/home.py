"""Jobs on the home page: those of this person that were interrupted. Nobody else can continue them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.home.registry import HomeLine, HomePlace, HomeSource, Reads, Results, Urgency, register_home
from dashboard.platform.jobs import queries
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.permissions import Permission

LATEST_JOBS = "jobs.latest"
# The jobs that are checked, and the number of lines.
MAX_CHECKED, MAX_LINES = 20, 3
RECENT = timedelta(days=7)
# A job works while its page is open. One that nobody has continued for so long is listed.
IDLE = timedelta(minutes=10)


def job_reads(request: Request) -> Reads:
    return {LATEST_JOBS: partial(queries.jobs_of, request.person.email, limit=MAX_CHECKED)}


def job_lines(request: Request, results: Results) -> Iterator[HomeLine]:
    found = [job for job in results[LATEST_JOBS].items if job.started_at > now() - RECENT and _is_interrupted(job)]
    for job in found[:MAX_LINES]:
        text = _("%(job)s: interrupted, it can be continued") % {"job": job.title}
        yield HomeLine(Urgency.WAITING, "loader-circle", text, job.url(), since=job.started_at)


def _is_interrupted(job: Job) -> bool:
    if job.state == JobState.FAILED:
        return True
    return bool(job.state == JobState.RUNNING and not job.is_leased and job.started_at < now() - IDLE)


register_home(
    HomePlace.PLATFORM,
    HomeSource(
        name="jobs",
        permission=Permission.OPERATIONS,
        checked=gettext_lazy("your jobs"),
        reads=job_reads,
        build_lines=job_lines,
    ),
)
