"""Long work of the forum: decisions about many, and taking them back."""

from __future__ import annotations

from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import Step, work
from forum import impact_job
from forum.bulk import selection, steps
from forum.permissions import Permission

BULK, CAUSE, UNDO = "forum.bulk", "forum.cause", "forum.undo"
WAITS_AT, NAMES, RESULT = "forum_bulk_preview", "forum/_bulk_target.html", "forum/bulk_result.html"


@work(
    BULK,
    permission=Permission.MODERATE,
    again=steps.decide_as_it_is,
    result=RESULT,
    waits_at=WAITS_AT,
    names=NAMES,
)
def decide(work: Job) -> Step:
    """Count what a list shows, wait, then decide about each."""
    return selection.count(work) if work.is_counting else steps.step(work, steps.decide)


@work(CAUSE, permission=Permission.MODERATE, again=steps.undo, result=RESULT, waits_at=WAITS_AT, names=NAMES)
def restore(work: Job) -> Step:
    """Count what a version of the filter banned and nobody has touched since, wait, then take each ban back."""
    return selection.count(work) if work.is_counting else steps.step(work, steps.undo)


@work(UNDO, permission=Permission.MODERATE, again=steps.undo_part, result="forum/bulk_undone.html", names=NAMES)
def undo(work: Job) -> Step:
    """Take back what a bulk did, line by line."""
    return steps.undo_step(work)


@work(impact_job.IMPACT, permission=Permission.FILTER, result="forum/profanity/impact_result.html")
def impact(work: Job) -> Step:
    """Compare the saved filter and the edited one on the latest texts."""
    return impact_job.step(work)
