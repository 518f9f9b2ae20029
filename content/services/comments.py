"""Decisions about comments: one transaction has the status, its index keys and the audit entry."""

from __future__ import annotations

from typing import Any

from django.utils.text import Truncator
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _

from content.comment_refs import COMMENT, CommentRef
from content.comment_statuses import DECISIONS, CommentDecision, badge_of
from content.items import PageComment
from content.queries.comments import load_comment
from dashboard.core.errors import Conflict
from dashboard.platform.audit.services import record
from dashboard.table.commands import Command
from dashboard.table.nested import StoredMap
from dashboard.table.transactions import Transaction, idempotent
from dashboard.web.local_times import moment_text

UNDO = "undo"
MAX_TITLE = 80
# How many decisions about one comment can be undone one after the other.
MAX_EARLIER = 5


class CommentOvertaken(Conflict):
    """Someone else decided first. The text says who, when and what."""

    def __init__(self, item: Any) -> None:
        super().__init__(item, _what_happened(item))


def _what_happened(item: Any) -> str:
    if not isinstance(item, PageComment):
        return _("It no longer exists.")
    return _("%(who)s: now “%(status)s” (%(when)s).") % {
        "who": item.updated_by_name or item.updated_by or _("An outside service"),
        "status": badge_of(item.status).label,
        "when": moment_text(item.updated_at, get_current_timezone_name()) if item.updated_at else "–",
    }


@idempotent
def decide(
    business: str, ref: CommentRef, decision: CommentDecision, *, revision: int, command: Command, job: str = ""
) -> PageComment:
    """Give a comment the status of a decision, if its revision is the one that the person saw. `job` is the id of the
    bulk action that it belongs to."""
    comment = load_comment(business, ref)
    if comment.revision != revision or not decision.is_possible(comment.status):
        raise CommentOvertaken(comment)
    made = {"name": decision.name, "revision": revision + 1} | ({"before": comment.status} if comment.status else {})
    comment.stored_decision = _with_earlier(made, comment.decision)
    result = {"decision": decision.name, "revision": revision + 1}
    return _change(business, comment, decision.name, decision.status, _job_values(job), result, command)


@idempotent
def undo(business: str, ref: CommentRef, *, revision: int, command: Command, job: str = "") -> PageComment:
    """Undo the decision in effect at this revision, if nothing has been decided since."""
    comment = load_comment(business, ref)
    decision = DECISIONS.get(comment.decision.text("name"))
    # An outside writer changes the status without a new revision.
    if comment.revision != revision or decision is None or comment.status != decision.status:
        raise CommentOvertaken(comment)
    undone = comment.decision
    details = {"undoes": undone.whole_number("revision") or revision} | _job_values(job)
    comment.stored_decision = dict(undone.map("earlier")) or None
    return _change(business, comment, UNDO, undone.text("before") or None, details, {"undone": decision.name}, command)


def _change(
    business: str,
    comment: PageComment,
    action: str,
    status: str | None,
    details: dict[str, Any],
    result: dict[str, Any],
    command: Command,
) -> PageComment:
    revision, before, is_unchanged = comment.revision, comment.status, comment.unchanged("status")
    comment.status = status
    transaction = Transaction(command)
    record(
        transaction,
        f"{COMMENT}.{action}",
        target=comment.ref.target,
        kind=COMMENT,
        title=title_of(comment),
        before=_status_values(before),
        after=_status_values(status) | {"revision": revision + 1, **details},
        business=business,
    )
    transaction.save(comment, revision=revision, condition=is_unchanged, on_failure=CommentOvertaken)
    return transaction.commit(comment, result)


def _with_earlier(record: dict[str, Any], earlier: StoredMap, depth: int = MAX_EARLIER) -> dict[str, Any]:
    """What Undo needs: a decision, and those before it. The oldest are dropped."""
    if not depth or earlier.text("name") not in DECISIONS:
        return record
    own = {name: value for name, value in earlier.items() if name in ("name", "before", "revision")}
    return record | {"earlier": _with_earlier(own, earlier.map("earlier"), depth - 1)}


def _job_values(job: str) -> dict[str, Any]:
    return {"job": job} if job else {}


def _status_values(status: str | None) -> dict[str, Any]:
    """Without an empty text, which one engine refuses inside maps."""
    return {"status": status} if status else {}


def title_of(comment: PageComment) -> str:
    """How the log names a comment: its author and the beginning of its text."""
    author = comment.author_name or comment.author_email or _("Unknown")
    text = Truncator(" ".join((comment.content or "").split())).chars(MAX_TITLE)
    return f"{author}: {text}" if text else author
