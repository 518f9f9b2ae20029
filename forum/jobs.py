"""Jobs of the forum: bulk actions and their undo."""

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
    again=steps.decide_on_current,
    result=RESULT,
    waits_at=WAITS_AT,
    names=NAMES,
)
def decide(work: Job) -> Step:
    """Count, wait for the person, then apply the action to each."""
    return selection.count(work) if work.is_counting else steps.step(work, steps.decide)


@work(CAUSE, permission=Permission.MODERATE, again=steps.undo, result=RESULT, waits_at=WAITS_AT, names=NAMES)
def restore(work: Job) -> Step:
    """Count the unchanged bans of a filter version, wait for the person, then undo each."""
    return selection.count(work) if work.is_counting else steps.step(work, steps.undo)


@work(UNDO, permission=Permission.MODERATE, again=steps.undo_part, result="forum/bulk_undone.html", names=NAMES)
def undo(work: Job) -> Step:
    """Undo a bulk action, line by line."""
    return steps.undo_step(work)


@work(impact_job.IMPACT, permission=Permission.FILTER, result="forum/profanity/impact_result.html")
def impact(work: Job) -> Step:
    """Judge what was written last by the filter that holds, and by the one that someone is about to save."""
    return impact_job.step(work)
