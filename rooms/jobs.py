"""Jobs of the event."""

from __future__ import annotations

import time

from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import Step, job_kind
from rooms.permissions import Permission
from rooms.services import shift_job
from rooms.services.shifts import SHIFT

# Seconds between checks whether a stopped shift has finished its step.
POLL_SECONDS = 0.2


@job_kind(
    SHIFT,
    permission=Permission.ROOMS,
    retry=shift_job.retry_shift,
    result_template="rooms/shift_result.html",
    confirm_page="rooms_shift_preview",
    target_template="rooms/_shift_target.html",
)
def shift(job: Job) -> Step:
    """Move the next few rooms."""
    at, about = int(job.cursor or 0), job.about or {}
    if at == 0 and _is_running(str(about.get("undoes", ""))):
        time.sleep(POLL_SECONDS)
        return Step(0)
    lines, more = job_queries.lines_from(job, at, shift_job.AT_ONCE)
    handled, total = at + len(lines), int(job.total or 0)
    if not lines:
        return Step()
    mark = shift_job.ShiftMark(job.id, int(about.get("minutes", 0)), handled, total)
    step = job.command.part(f"lines from {at}")
    failed = shift_job.shift(lines, mark, undoes="undoes" in about, command=step)
    if handled >= total:
        shift_job.finish_shift(job.id)
    cursor = handled if more and handled < total else None
    return Step(cursor, len(lines) - len(failed), tuple(failed))


def _is_running(job_id: str) -> bool:
    """Whether the shift to undo still runs a step: the undo would miss what that moves."""
    job = job_queries.find_job(job_id) if job_id else None
    return job is not None and job.is_leased
