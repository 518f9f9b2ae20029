"""Long work of the event."""

from __future__ import annotations

import time

from dashboard.platform.jobs import queries as operations
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import Step, job_kind
from rooms.permissions import Permission
from rooms.services import shift_job
from rooms.services.shifts import SHIFT

# A shift that was stopped ends its step first; so long until it is looked at again.
PATIENCE = 0.2


@job_kind(
    SHIFT,
    permission=Permission.ROOMS,
    retry=shift_job.shift_as_it_is,
    result_template="rooms/shift_result.html",
    confirm_page="rooms_shift_preview",
    target_template="rooms/_shift_target.html",
)
def shift(work: Job) -> Step:
    """Move the next few rooms."""
    at, about = int(work.cursor or 0), work.about or {}
    if at == 0 and _still_moves(str(about.get("undoes", ""))):
        time.sleep(PATIENCE)
        return Step(0)
    lines, more = operations.lines_from(work, at, shift_job.AT_ONCE)
    handled, total = at + len(lines), int(work.total or 0)
    if not lines:
        return Step()
    mark = shift_job.Mark(work.id, int(about.get("minutes", 0)), handled, total)
    step = work.command.part(f"lines from {at}")
    failed = shift_job.shift(lines, mark, undoes="undoes" in about, command=step)
    if handled >= total:
        shift_job.end(work.id)
    cursor = handled if more and handled < total else None
    return Step(cursor, len(lines) - len(failed), tuple(failed))


def _still_moves(of: str) -> bool:
    """Whether a request is still at what is to be undone: what it moves now would escape."""
    undone = operations.find_job(of) if of else None
    return undone is not None and undone.is_leased
