"""Jobs of the forum: bulk actions and their undo."""

from __future__ import annotations

from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import Step, job_kind
from forum import impact_job
from forum.bulk import selection, steps
from forum.permissions import Permission

BULK, CAUSE, UNDO = "forum.bulk", "forum.cause", "forum.undo"
WAITS_AT, NAMES, RESULT = "forum_bulk_preview", "forum/_bulk_target.html", "forum/bulk_result.html"


@job_kind(
    BULK,
    permission=Permission.MODERATE,
    retry=steps.decide_on_current,
    result_template=RESULT,
    confirm_page=WAITS_AT,
    target_template=NAMES,
)
def decide(job: Job) -> Step:
    """Count, wait for the person, then apply the action to each."""
    return selection.count(job) if job.is_counting else steps.step(job, steps.decide)


@job_kind(
    CAUSE,
    permission=Permission.MODERATE,
    retry=steps.undo,
    result_template=RESULT,
    confirm_page=WAITS_AT,
    target_template=NAMES,
)
def restore(job: Job) -> Step:
    """Count the unchanged bans of a filter version, wait for the person, then undo each."""
    return selection.count(job) if job.is_counting else steps.step(job, steps.undo)


@job_kind(
    UNDO,
    permission=Permission.MODERATE,
    retry=steps.undo_part,
    result_template="forum/bulk_undone.html",
    target_template=NAMES,
)
def undo(job: Job) -> Step:
    """Undo a bulk action, line by line."""
    return steps.undo_step(job)


@job_kind(impact_job.IMPACT, permission=Permission.FILTER, result_template="forum/profanity/impact_result.html")
def impact(job: Job) -> Step:
    """Compare the saved filter and the edited one on the latest texts."""
    return impact_job.step(job)
