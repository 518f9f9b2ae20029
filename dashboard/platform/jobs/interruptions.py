"""The list of everybody's interrupted jobs: a job is in it until its person continues it or somebody dismisses it."""

from __future__ import annotations

from pynamodb.expressions.update import Action

from dashboard.core.clock import now
from dashboard.platform.jobs.items import Job, JobState
from dashboard.table import write
from dashboard.table.commands import Actor


def listing(job: Job) -> list[Action]:
    """Changes that put a job into the list."""
    key = job.failed_key
    return [Job.gsistatuspk.set(key.pk), Job.gsistatussk.set(str(key.sk))]


def unlisting() -> list[Action]:
    """Changes that take a job off the list."""
    return [Job.gsistatuspk.remove(), Job.gsistatussk.remove()]


def dismiss(job: Job, by: Actor) -> bool:
    """Take an interrupted job off the list. Its person still sees it and can continue it."""
    actions = [Job.dismissed_at.set(now()), Job.dismissed_by.set(by.email), *unlisting()]
    return _update(job, actions, is_dismissed=False)


def undo_dismissal(job: Job) -> bool:
    return _update(job, [Job.dismissed_at.remove(), Job.dismissed_by.remove(), *listing(job)], is_dismissed=True)


def _update(job: Job, actions: list[Action], *, is_dismissed: bool) -> bool:
    """Returns false if the job is not interrupted any more, or was changed in the same way before."""
    dismissal = Job.dismissed_at.exists() if is_dismissed else Job.dismissed_at.does_not_exist()
    condition = (Job.by == job.by) & (Job.state == JobState.FAILED) & dismissal
    return write.update(job.key, actions, condition) is not None
