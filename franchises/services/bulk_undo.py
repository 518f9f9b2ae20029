"""Undo of a whole job of stores: a count, a transfer or an import. Each line is found by the command that made it."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from dashboard.core.errors import NotFound, Refused
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.kinds import AT_ONCE, Step, attempt
from dashboard.table.commands import Command
from dashboard.table.transactions import find_subject
from franchises.causes import Cause, CauseKind
from franchises.items import Movement
from franchises.services import bulk_transfer, counts, stock_import
from franchises.services.stock import undo_movement

UNDO = "stores.undo"
UNDOABLE = (counts.APPLY, bulk_transfer.TRANSFER, stock_import.IMPORT)

JobLine = dict[str, Any]


def begin_undo(job: Job, *, command: Command) -> Job:
    """Undo what the job has done so far, as another job."""
    if job.kind not in UNDOABLE:
        raise NotFound
    if job.state in {JobState.WAITING, JobState.RUNNING}:
        raise Refused(_("Stop the job first: it is still running."))
    return job_services.start(
        UNDO,
        _("Undo: %(title)s") % {"title": job.title},
        command=command,
        total=int(job.total or 0),
        first=job.excluded,
        business=job.business_id,
        about={"of": job.id},
    )


def undo_lines(job: Job) -> Step:
    """Reverse the next lines of the other job."""
    at, original = int(job.cursor or 0), job_queries.find_job(str((job.about or {}).get("of", "")))
    if original is None:
        return Step()
    lines, more = job_queries.lines_from(original, at, AT_ONCE)
    targets = [(target_of(line), line) for line in lines]
    failed = attempt(job, partial(_undo_line, original, Cause(CauseKind.UNDO, job.id, job.title)), targets)
    return Step(at + len(lines) if more and lines else None, len(lines) - len(failed), tuple(failed))


def target_of(line: JobLine) -> str:
    """The name of a line in its job: its number in a file, else its product."""
    return f"{line['n']:06}" if "n" in line else str(line["product"])


def _undo_line(original: Job, cause: Cause, line: JobLine, command: Command) -> None:
    made_by = original.command.part(target_of(line))
    if original.kind == stock_import.IMPORT:
        stock_import.undo_line(made_by, line, cause, command)
        return
    if original.kind == counts.APPLY:
        made_by = counts.line_commands(line["count"], original.command).part(line["product"])
    else:
        made_by = made_by.part("move")
    movement = find_subject(made_by)
    # A line that failed has nothing to undo.
    if isinstance(movement, Movement):
        undo_movement(line["business"], movement.product_id, movement.seq, cause=cause, command=command)
