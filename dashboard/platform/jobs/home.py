"""Jobs on the home page: this person's own that were interrupted, and for admins those of everybody."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from functools import partial

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.home.registry import HomeLine, HomePlace, HomeSource, Reads, Results, Urgency, register_home
from dashboard.platform.jobs import queries
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.permissions import Permission

LATEST_JOBS = "jobs.latest"
INTERRUPTED_JOBS = "jobs.interrupted"
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


def interrupted_reads(request: Request) -> Reads:
    return {INTERRUPTED_JOBS: partial(queries.interrupted_jobs, limit=MAX_CHECKED)}


def interrupted_lines(request: Request, results: Results) -> Iterator[HomeLine]:
    """One line about the jobs of other people; each of the person's own has a line already."""
    page = results[INTERRUPTED_JOBS]
    jobs = [job for job in page.items if job.by != request.person.email]
    if not jobs:
        return
    text = ngettext(
        "%(count)s job of other people was interrupted",
        "%(count)s jobs of other people were interrupted",
        len(jobs),
    )
    count = f"{len(jobs)}+" if page.next_start_key else len(jobs)
    detail = " · ".join(f"{job.title} ({job.by_name or job.by})" for job in jobs[:MAX_LINES])
    url = reverse("operations_interrupted")
    yield HomeLine(Urgency.BROKEN, "loader-circle", text % {"count": count}, url, detail=detail)


register_home(
    HomePlace.PLATFORM,
    HomeSource(
        name="interrupted_jobs",
        permission=Permission.ALL_OPERATIONS,
        checked=gettext_lazy("jobs of everybody"),
        reads=interrupted_reads,
        build_lines=interrupted_lines,
    ),
)
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
