"""Decisions about selected comments, and their undo, as jobs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from content.comment_refs import CommentRef
from content.comment_statuses import DECISIONS, CommentDecision
from content.items import PageComment
from content.services import comments as services
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.kinds import AT_ONCE, JobLine, Step, attempt
from dashboard.table.commands import Command
from dashboard.table.transactions import find_subject

DECIDE, UNDO = "site.comments", "site.comments_undo"
# The largest selection.
MOST = 100
# A revision never has so many digits.
MAX_REVISION = 12


def selected_lines(business: str, values: Sequence[str]) -> list[JobLine]:
    """The selection: a revision and a comment each."""
    words = list(dict.fromkeys(word for value in values for word in value.split()))
    if not words or len(words) > MOST:
        raise Refused(_("Select 1 to %(most)s comments.") % {"most": MOST})
    return list({line["comment"]: line for line in (_line(business, word) for word in words)}.values())


def _line(business: str, word: str) -> JobLine:
    revision, _colon, token = word.partition(":")
    is_number = revision.isascii() and revision.isdigit() and len(revision) <= MAX_REVISION
    try:
        CommentRef.of_token(token).key(business)
    except (ValueError, NotFound):
        is_number = False
    if not is_number:
        raise Refused(_("This selection is not valid. Reload the page and try again."))
    return {"business": business, "comment": token, "seen": int(revision)}


def begin(business: str, decision: CommentDecision, lines: list[JobLine], back: str, *, command: Command) -> Job:
    about = {"decision": decision.name} | ({"back": back} if back else {})
    title = str(decision.job_title % {"count": len(lines)})
    lines = [line | {"decision": decision.name} for line in lines]
    return job_services.start(DECIDE, title, command=command, inputs=lines, business=business, about=about)


def target_of(line: JobLine) -> str:
    return str(line["comment"])


def decide_line(line: JobLine, command: Command) -> PageComment:
    """With the revision that the person saw: a later decision of a colleague is kept."""
    ref, decision = CommentRef.of_token(line["comment"]), DECISIONS[line["decision"]]
    return services.decide(line["business"], ref, decision, revision=int(line["seen"]), command=command)


def begin_undo(job: Job, *, command: Command) -> Job:
    """Undo what the job has done so far, as another job."""
    if job.kind != DECIDE:
        raise NotFound
    if job.state in {JobState.WAITING, JobState.RUNNING}:
        raise Refused(_("Stop the job first: it is still running."))
    return job_services.start(
        UNDO,
        _("Undo: %(title)s") % {"title": job.title},
        command=command,
        total=int(job.total or 0),
        business=job.business_id,
        about={"of": job.id},
    )


def undo_lines(job: Job) -> Step:
    """Undo the next decisions of the other job. A comment that was decided again since is a failure."""
    at, original = int(job.cursor or 0), job_queries.find_job(str((job.about or {}).get("of", "")))
    if original is None:
        return Step()
    lines, more = job_queries.lines_from(original, at, AT_ONCE)
    failed = attempt(job, partial(_undo_line, original), [(target_of(line), line) for line in lines])
    return Step(at + len(lines) if more and lines else None, len(lines) - len(failed), tuple(failed))


def _undo_line(original: Job, line: JobLine, command: Command) -> None:
    decided: Any = find_subject(original.command.part(target_of(line)))
    # A line that failed has nothing to undo.
    if isinstance(decided, PageComment):
        revision = int(decided.outcome.result["revision"])
        services.undo(line["business"], decided.ref, revision=revision, command=command)
