"""Long work, driven as people drive it."""

from __future__ import annotations

from datetime import timedelta

from dashboard.core.clock import shifted
from dashboard.core.errors import Unavailable
from dashboard.platform.jobs import queries, runner
from dashboard.platform.jobs.items import Job, State


def now_is(work: Job) -> Job:
    found = queries.find_job(work.id)
    assert found is not None
    return found


def finish(work: Job, tries: int = 400) -> Job:
    """As people do: press again after an error, come back later where someone seems to be at it."""
    passed = timedelta()
    for _ in range(tries):
        with shifted(passed):
            try:
                work = runner.advance(work)
            except Unavailable:
                continue
            if work.state != State.RUNNING:
                return work
            if work.is_leased:
                passed += runner.LEASE + timedelta(seconds=1)
    raise AssertionError("it does not come to an end")
