"""Executes jobs the way a page does."""

from __future__ import annotations

from datetime import timedelta

from dashboard.core.clock import shifted
from dashboard.core.errors import Unavailable
from dashboard.platform.jobs import queries, runner
from dashboard.platform.jobs.items import Job, JobState


def reloaded(job: Job) -> Job:
    found = queries.find_job(job.id)
    assert found is not None
    return found


def finish(job: Job, tries: int = 400) -> Job:
    """Retry after an error, and wait for the lease of another request to end."""
    passed = timedelta()
    for _ in range(tries):
        with shifted(passed):
            try:
                job = runner.advance(job)
            except Unavailable:
                continue
            if job.state != JobState.RUNNING:
                return job
            if job.is_leased:
                passed += runner.LEASE + timedelta(seconds=1)
    raise AssertionError("the job does not finish")
