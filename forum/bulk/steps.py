"""The steps of bulk actions and of their undo: a few lines in parallel."""

from __future__ import annotations

from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import JobLine, LineAction, Step
from dashboard.platform.jobs.parts import lines_step, part_of_undo
from dashboard.platform.jobs.parts import undo_step as undo_step_of_parts
from dashboard.table.commands import Command
from forum.actions import Action
from forum.bulk.requests import BulkRequest
from forum.queries import log, posts
from forum.services import decisions
from forum.targets import ForumTarget


def target_of(line: JobLine) -> ForumTarget:
    return ForumTarget(line["post"], line.get("comment", ""))


def name_of(line: JobLine) -> str:
    return target_of(line).path


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
    """Undo one action of a job, once."""
    undo(line, part_of_undo(line, name_of(line), command))


def step(job: Job, act: LineAction) -> Step:
    """The next lines of the job."""
    bulk_request = BulkRequest.from_dict(job.about)
    reason = {"reason": bulk_request.reason} if bulk_request.reason else {}
    return lines_step(job, act, name_of, {"action": bulk_request.action, "together": job.id} | reason)


def undo_step(job: Job) -> Step:
    """The next lines of the job to undo that were done."""
    return undo_step_of_parts(job, undo_part, name_of, "entry")
