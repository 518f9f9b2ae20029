"""Actions of moderators: one transaction has the status, its index keys, the post's comment count and the log entry."""

from __future__ import annotations

from typing import Any

from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.platform.configs.items import Config
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent
from dashboard.web.local_times import moment_text
from forum.actions import ACTIONS, Action, action_between, apply, assumed_state_before, is_possible
from forum.configs.reasons import REASONS, reasons_of
from forum.items import Comment, ModerationEntry, Post
from forum.queries.cases import Case, load_case
from forum.reversals import mistake_metadata, reversal_metadata
from forum.services import counters, log
from forum.states import Reason, State
from forum.targets import ForumTarget

MAX_REASON = 300
NO_REASON = gettext_lazy("Choose or write a reason.")


class Overtaken(Conflict):
    """A colleague decided first. The text says what they did and when."""

    def __init__(self, item: Post | Comment | None) -> None:
        super().__init__(item, _what_happened(item))


def _what_happened(item: Post | Comment | None) -> str:
    if item is None:
        return _("It no longer exists.")
    # The item does not store its last action: it follows from the state.
    action = action_between(State(), State.of(item))
    return _("%(who)s %(action)s (%(when)s).") % {
        "who": item.updated_by_name or item.updated_by or _("An outside service"),
        "action": ACTIONS[action].history_text,
        "when": moment_text(item.updated_at, get_current_timezone_name()) if item.updated_at else "–",
    }


@idempotent
def decide(
    target: ForumTarget, action: Action, *, reason: str = "", revision: int, command: Command, bulk_id: str = ""
) -> Post | Comment:
    """Apply one action to one post or comment, if its revision is the one that the person saw."""
    case = load_case(target)
    if case.item.revision != revision or not is_possible(action, case.state):
        raise Overtaken(case.item)
    why = _reason(reason, case.reasons)
    if ACTIONS[action].needs_reason and not why.text:
        raise Refused(NO_REASON, "reason")
    after = apply(action, case.state, command.by.email, now(), why)
    return _change(case, action, after, why, command, bulk_id)


@idempotent
def undo(entry: ModerationEntry, *, command: Command, bulk_id: str = "", revision: int | None = None) -> Post | Comment:
    """Undo the action of a log entry, if nothing has been decided since.

    `revision` is the target's if later decisions were made and undone; without it, it is the entry's.
    """
    details = entry.details
    case = load_case(target_of(entry))
    if "revision" in details:
        if case.item.revision != (details.whole_number("revision") if revision is None else revision):
            raise Overtaken(case.item)
        previous = State.from_dict(details.map("before"))
    else:
        # The entry of an outside writer, without the state before.
        spec = ACTIONS.get(entry.action or "")
        if spec is None or not spec.changes_status or case.state.status != spec.status_after:
            raise Overtaken(case.item)
        previous = assumed_state_before(spec.name, entry.reason)
    action = action_between(case.state, previous)
    needs_reason = ACTIONS[action].needs_reason
    why = Reason(previous.ban_reason or "", previous.ban_reason_id or "") if needs_reason else Reason()
    return _change(case, action, previous, why, command, bulk_id, undone=entry)


def target_of(entry: ModerationEntry) -> ForumTarget:
    if entry.target_type == "comment":
        return ForumTarget(entry.details.text("postId"), entry.target_id or "")
    return ForumTarget(entry.target_id or "")


def _change(
    case: Case,
    action: Action,
    after: State,
    why: Reason,
    command: Command,
    bulk_id: str,
    undone: ModerationEntry | None = None,
) -> Post | Comment:
    item, before = case.item, case.state
    if undone:
        metadata = _undo_metadata(undone, command)
    else:
        metadata = mistake_metadata(action, before, item.updated_at, by=command.by.email, at=now())
    revision, sort_keys = item.revision, (item.gsi3sk, item.gsi4sk)
    transaction = Transaction(command)
    entry = log.record(transaction, action, item, before=before, after=after, reason=why, bulk_id=bulk_id, **metadata)
    after.put(item)
    item.reversed_decision = None
    # Outside writers change the status without a new revision.
    transaction.save(item, revision=revision, condition=item.unchanged("status"), on_failure=_overtaken)
    difference = after.is_active - before.is_active if isinstance(item, Comment) else 0
    post = case.post if case.post is not None and counters.counts_comments(case.post) else None
    if difference and post is not None:
        count = counters.add(comments_count=difference)
        transaction.update(post.key, count, Post.pk.exists(), lambda _: NotFound())
    result = {"action": action, "entry": entry.address, "before": before.to_dict(), "reason": why.text}
    result |= {"undone": undone.action} if undone else {}
    decided = transaction.commit(item, result)
    if difference and post is not None:
        counters.settle(post.key)
    elif isinstance(item, Post) and sort_keys != (item.gsi3sk, item.gsi4sk):
        counters.settle(item.key)  # The counters may have changed since they were read.
    return decided


def _undo_metadata(entry: ModerationEntry, command: Command) -> dict[str, Any]:
    return {"undoes": entry.address, **reversal_metadata(entry, by=command.by.email, at=now())}


def _overtaken(item: Any) -> Overtaken:
    return Overtaken(item if isinstance(item, Post | Comment) else None)


def _reason(given: str, config: Config | None) -> Reason:
    """The preset with this id, in the language of the person who chose it; otherwise the text itself."""
    text = given.strip()[:MAX_REASON]
    language = (get_language() or "en")[:2]
    for each in reasons_of(REASONS.body_of(config)):
        if each["id"] == text:
            return Reason(each.get(language) or each["en"], each["id"])
    return Reason(text)
