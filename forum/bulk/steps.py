"""The steps of bulk actions and of their undo: a few lines in parallel."""

from __future__ import annotations

import time
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import AT_ONCE, JobLine, LineAction, Step, attempt
from dashboard.table.commands import Command
from forum.actions import Action
from forum.bulk.requests import BulkRequest
from forum.queries import bulk, log, posts
from forum.services import decisions
from forum.targets import ForumTarget

# A stopped job finishes its step: seconds until it is checked again.
PATIENCE = 0.2
UNDO = "undo"


def target_of(line: JobLine) -> ForumTarget:
    return ForumTarget(line["post"], line.get("comment", ""))


def decide(line: JobLine, command: Command) -> None:
    """With the revision that the person saw: a later decision of a colleague is kept."""
    _decide(line, int(line["seen"]), command)


def decide_on_current(line: JobLine, command: Command) -> None:
    """A retry applies to the current revision: the person has read why the first try failed."""
    _decide(line, posts.load_item(target_of(line)).revision, command)


def _decide(line: JobLine, revision: int, command: Command) -> None:
    action, reason = Action(line["action"]), line.get("reason", "")
    decisions.decide(
        target_of(line), action, reason=reason, revision=revision, command=command, bulk_id=line["together"]
    )


def undo(line: JobLine, command: Command) -> None:
    """Undo one log entry."""
    decisions.undo(log.load_entry(line["entry"]), command=command, bulk_id=line["together"])


def undo_part(line: JobLine, command: Command) -> None:
    """Each action of a job is undone once, even if the undo is started twice: the command id is the job's."""
    undo(line, Command(line["of"], command.by).part(f"{UNDO} {target_of(line).path}"))


def step(job: Job, act: LineAction) -> Step:
    """The next lines of the job."""
    bulk_request = BulkRequest.from_dict(job.about)
    given = {"action": bulk_request.action, "together": job.id} | (
        {"reason": bulk_request.reason} if bulk_request.reason else {}
    )
    lines, cursor = _next(job, job.id)
    failed = attempt(job, act, [(target_of(line).path, line | given) for line in lines])
    return Step(cursor, len(lines) - len(failed), tuple(failed))


def undo_step(job: Job) -> Step:
    """The next lines of the job to undo that were done."""
    of = str((job.about or {})["of"])
    if job.cursor["at"] == job.cursor["part"] == 0 and _is_running(of):
        time.sleep(PATIENCE)
        return Step(job.cursor)
    lines, cursor = _next(job, of)
    paths = [target_of(line).path for line in lines]
    entries = bulk.done_parts(Command(of, job.command.by), paths)
    done_lines = [(path, line) for path, line in zip(paths, lines, strict=True) if path in entries]
    given = [(path, line | {"of": of, "entry": entries[path], "together": job.id}) for path, line in done_lines]
    failed = attempt(job, undo_part, given)
    done = len(given) - len(failed)
    # A job that crashed has done a little more than it has counted.
    total = job.handled + len(given) if cursor is None else None
    return Step(cursor, done, tuple(failed), total=total)


def _is_running(of: str) -> bool:
    """Whether a request still works on it: its current step would not be undone."""
    bulk_job = job_queries.find_job(of)
    return bulk_job is not None and bulk_job.is_leased


def _next(job: Job, source: str) -> tuple[list[JobLine], dict[str, Any] | None]:
    """A few lines of one part from the cursor on, and the next cursor. A part is read once for many steps."""
    part, at, parts = job.cursor["part"], job.cursor["at"], job.cursor["parts"]
    known: tuple[int, list[JobLine]] | None = getattr(job, "_part", None)
    if known is None or known[0] != part:
        known = (part, job_queries.lines_of_part(source, part))
        job._part = known  # type: ignore[attr-defined]
    lines = known[1]
    if not lines:
        raise NotFound  # The lines have expired.
    if at + AT_ONCE < len(lines):
        return lines[at : at + AT_ONCE], {"part": part, "at": at + AT_ONCE, "parts": parts}
    following = {"part": part + 1, "at": 0, "parts": parts} if part + 1 < parts else None
    return lines[at:], following
