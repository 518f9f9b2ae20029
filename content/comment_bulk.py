"""Decisions about many comments, and their undo, as jobs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from content.comment_lists import CommentList
from content.comment_refs import CommentRef
from content.comment_statuses import DECISIONS, CommentDecision
from content.items import PageComment
from content.queries import comments as queries
from content.services import comments as services
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import JobLine, Step
from dashboard.platform.jobs.parts import beginning, count_step, first_line, lines_step, part_of_undo
from dashboard.platform.jobs.parts import undo_step as undo_step_of_parts
from dashboard.platform.jobs.queries import LINES_A_PART, find_job
from dashboard.table.commands import Command
from dashboard.table.read import Page
from dashboard.table.transactions import idempotent

DECIDE, UNDO = "site.comments", "site.comments_undo"
# The largest selection. For more there are the decisions about everything in a list.
MOST = 100
# A revision never has so many digits.
MAX_REVISION = 12
# A line is short: fifty of them are stored in one item.
EXCERPT, MAX_NAME = 120, 80


class NoDecisionLeft(Refused):
    """No decision of the person is in effect any more."""

    def __init__(self) -> None:
        super().__init__(_("None of your decisions is left to undo."))


# --- Start ---------------------------------------------------------------------------------------
def selected(business: str, values: Sequence[str]) -> dict[CommentRef, int]:
    """The selection: the revision that the person saw, by comment."""
    words = list(dict.fromkeys(word for value in values for word in value.split()))
    if not words or len(words) > MOST:
        raise Refused(_("Select 1 to %(most)s, or act on everything in the list.") % {"most": MOST})
    return dict(_selected(business, word) for word in words)


def _selected(business: str, word: str) -> tuple[CommentRef, int]:
    revision, _colon, token = word.partition(":")
    try:
        ref = CommentRef.of_token(token)
        _key = ref.key(business)
    except (ValueError, NotFound):
        ref = None
    if ref is None or not (revision.isascii() and revision.isdigit() and len(revision) <= MAX_REVISION):
        raise Refused(_("This selection is not valid. Reload the page and try again."))
    return ref, int(revision)


def begin_with(
    business: str, decision: CommentDecision, chosen: dict[CommentRef, int], back: str, *, command: Command
) -> Job:
    """A selection: its number is known, so it starts immediately."""
    found = queries.find_comments(business, list(chosen))
    lines = [
        _line(found[ref.token], seen) if ref.token in found else {"comment": ref.token, "seen": seen}
        for ref, seen in chosen.items()
    ]
    title = str(decision.job_title % {"count": len(lines)})
    first = first_line(-(-len(lines) // LINES_A_PART))
    about = _about(decision, back)
    return job_services.start(DECIDE, title, command=command, inputs=lines, first=first, business=business, about=about)


def begin_with_all(
    business: str, decision: CommentDecision, comments: CommentList, back: str, *, command: Command
) -> Job:
    """Everything in a list: it is counted first."""
    title = f"{decision.label}: {comments.title}"
    about = _about(decision, back) | comments.to_dict()
    return job_services.start(DECIDE, title, command=command, first=beginning(), business=business, about=about)


def begin_undo(job: Job, *, command: Command) -> Job:
    """Undo what the job has done so far, as another job. A running one is stopped first."""
    if job.kind != DECIDE:
        raise NotFound
    return job_services.start_undo(UNDO, job, command=command)


@idempotent
def undo_last(business: str, *, command: Command) -> PageComment | Job:
    """Undo the person's latest decision that is still in effect. The next call undoes the one before.

    Decisions that were made together are undone together: then it returns the job that does so.
    """
    last = queries.last_decision(business, command.by.email)
    if last is None:
        raise NoDecisionLeft
    job = find_job(str((last.entry.after or {}).get("job", "")))
    if job is not None and (job.by, job.business_id, job.kind) == (command.by.email, business, DECIDE):
        return begin_undo(job, command=command)
    return services.undo(business, last.ref, revision=last.revision, command=command)


def _about(decision: CommentDecision, back: str) -> dict[str, str]:
    return {"decision": decision.name} | ({"back": back} if back else {})


def _line(comment: PageComment, revision: int) -> JobLine:
    """What the decision needs, and the text by which people recognise the comment."""
    text = " ".join((comment.content or "").split())
    line = {
        "comment": comment.ref.token,
        "seen": revision,
        "text": text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…",
        "who": (comment.author_name or comment.author_email or "")[:MAX_NAME],
    }
    return {name: value for name, value in line.items() if value != ""}


def name_of(line: JobLine) -> str:
    return str(line["comment"])


def decision_of(job: Job) -> CommentDecision | None:
    return DECISIONS.get(str((job.about or {}).get("decision", "")))


# --- Steps ---------------------------------------------------------------------------------------
def step(job: Job) -> Step:
    """Count, wait for the person, then decide about each."""
    comments, business = CommentList.from_dict(job.about or {}), str(job.business_id)
    if job.is_counting:
        return count_step(job, [partial(comments.read, business)], partial(_countable, job, comments))
    given = {"business": business, "decision": (job.about or {}).get("decision"), "together": job.id}
    return lines_step(job, decide, name_of, given)


def _countable(job: Job, comments: CommentList, page: Page[Any]) -> Iterable[JobLine]:
    decision = decision_of(job)
    for comment in page.items:
        # Comments that were written after the request are not included.
        at = comment.written_at
        is_old_enough = at is None or job.cut_off is None or at <= job.cut_off
        if decision and is_old_enough and decision.is_possible(comment.status) and comments.matches(comment):
            yield _line(comment, comment.revision)


def decide(line: JobLine, command: Command) -> None:
    """With the revision that the person saw: a later decision of a colleague is kept."""
    _decide(line, int(line["seen"]), command)


def decide_on_current(line: JobLine, command: Command) -> None:
    """A retry applies to the current revision: the person has read why the first try failed."""
    comment = queries.load_comment(line["business"], CommentRef.of_token(line["comment"]))
    _decide(line, comment.revision, command)


def _decide(line: JobLine, revision: int, command: Command) -> None:
    ref, decision = CommentRef.of_token(line["comment"]), DECISIONS[line["decision"]]
    services.decide(line["business"], ref, decision, revision=revision, command=command, job=line["together"])


def undo_step(job: Job) -> Step:
    """Undo the next decisions of the other job. A comment that was decided again since is a failure."""
    return undo_step_of_parts(job, partial(undo_part, str(job.business_id)), name_of, "revision")


def undo_part(business: str, line: JobLine, command: Command) -> None:
    """Undo one decision of a job, once."""
    own = part_of_undo(line, name_of(line), command)
    ref, revision = CommentRef.of_token(line["comment"]), int(line["revision"])
    services.undo(business, ref, revision=revision, command=own, job=line["together"])
