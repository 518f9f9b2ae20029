"""Undoes the last decision of a moderator, as their log entries tell it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Refused
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.queries import find_job
from dashboard.table.commands import Command
from dashboard.table.transactions import idempotent
from forum.items import Comment, Post
from forum.jobs import BULK, CAUSE
from forum.queries.own_decisions import last_decision
from forum.services import bulk, decisions


class NothingToUndo(Refused):
    """No decision of the person is in effect any more."""

    def __init__(self) -> None:
        super().__init__(_("None of your decisions is left to undo."))


@idempotent
def undo_last(*, command: Command) -> Post | Comment | Job:
    """Undo the person's latest decision that is still in effect. The next call undoes the one before.

    Decisions that were made together are undone together: then it returns the job that does so.
    """
    found = last_decision(command.by.email)
    if found is None:
        raise NothingToUndo
    job = find_job(found.entry.operation or "")
    if job is not None and job.by == command.by.email and job.kind in {BULK, CAUSE}:
        return bulk.begin_undo(job, command=command)
    return decisions.undo(found.entry, command=command, revision=found.revision)
