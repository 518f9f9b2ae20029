"""Decisions of moderators: one transaction holds the status, its index keys, the post's count and the log entry."""

from __future__ import annotations

from typing import Any, cast

from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from pynamodb.expressions.condition import Condition

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.platform.configs.items import Config
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent
from dashboard.web.moments import spoken
from forum.configs.reasons import REASONS, reasons_of
from forum.items import BANNED, DELETED, Comment, ModerationEntry, Post
from forum.queries.cases import Case, case_of
from forum.services import counters, log
from forum.states import LED_TO, Action, Reason, State, after, between, came_from, may
from forum.targets import Target

MAX_REASON = 300
NO_REASON = gettext_lazy("Say why, or choose one of the reasons.")


class Overtaken(Conflict):
    """A colleague was faster: what they did, and when."""

    def __init__(self, item: Post | Comment | None) -> None:
        super().__init__(item, _what_happened(item))


def _what_happened(item: Post | Comment | None) -> str:
    if item is None:
        return _("It is not there any more.")
    who = item.updated_by_name or item.updated_by or _("Another service")
    said = {"who": who, "when": spoken(item.updated_at, get_current_timezone_name()) if item.updated_at else "–"}
    if item.status == BANNED:
        return _("%(who)s banned it (%(when)s).") % said
    if item.status == DELETED:
        return _("%(who)s deleted it (%(when)s).") % said
    # mypy takes a timestamp for one that is always there.
    if bool(item.reviewed_at):
        return _("%(who)s looked at it and let it stay (%(when)s).") % said
    return _("%(who)s put it back (%(when)s).") % said


@idempotent
def decide(
    target: Target, action: Action, *, reason: str = "", revision: int, command: Command, together: str = ""
) -> Post | Comment:
    """Do one thing to one post or comment, if it still is as the person saw it."""
    case = case_of(target)
    if case.item.revision != revision or not may(action, case.state):
        raise Overtaken(case.item)
    why = _reason(reason, case.reasons)
    if action is Action.BAN and not why.text:
        raise Refused(NO_REASON, "reason")
    leaves = after(action, case.state, command.by.email, now(), why)
    return _move(case, action, leaves, why, command, together)


@idempotent
def undo(entry: ModerationEntry, *, command: Command, together: str = "") -> Post | Comment:
    """Take back what an entry of the log says, if nothing has been decided since."""
    about = entry.metadata or {}
    case = case_of(target_of(entry))
    if "revision" in about:
        if case.item.revision != about["revision"]:
            raise Overtaken(case.item)
        back = State.from_dict(about.get("before"))
    else:
        # Another service wrote the entry, without saying what stood before.
        if case.state.status != LED_TO.get(cast(Action, entry.action)):
            raise Overtaken(case.item)
        back = came_from(entry.action or "", entry.reason)
    action = between(case.state, back)
    why = Reason(back.ban_reason or "", back.ban_reason_id or "") if action is Action.BAN else Reason()
    return _move(case, action, back, why, command, together, undoes=entry.address)


def target_of(entry: ModerationEntry) -> Target:
    about = entry.metadata or {}
    if entry.target_type == "comment":
        return Target(str(about.get("postId") or ""), entry.target_id or "")
    return Target(entry.target_id or "")


def _move(
    case: Case, action: Action, leaves: State, why: Reason, command: Command, together: str, **more: Any
) -> Post | Comment:
    item, before, stood = case.item, case.state, case.item.status
    revision, placed = item.revision, (item.gsi3sk, item.gsi4sk)
    transaction = Transaction(command)
    entry = log.record(transaction, action, item, before=before, after=leaves, reason=why, together=together, **more)
    leaves.put(item)
    transaction.save(item, revision=revision, also=_still(item, stood), otherwise=_overtaken)
    moved = leaves.is_active - before.is_active if isinstance(item, Comment) else 0
    post = case.post if case.post is not None and counters.counts_comments(case.post) else None
    if moved and post is not None:
        count = counters.add(comments_count=moved)
        transaction.update(post.key, count, Post.pk.exists(), lambda _: NotFound())
    result = {"action": action, "entry": entry.address, "before": before.to_dict(), "reason": why.text}
    decided = transaction.commit(item, result)
    if moved and post is not None:
        counters.settle(post.key)
    elif isinstance(item, Post) and placed != (item.gsi3sk, item.gsi4sk):
        counters.settle(item.key)  # By counters as they were read: they may have moved since.
    return decided


def _overtaken(item: Any) -> Overtaken:
    return Overtaken(item if isinstance(item, Post | Comment) else None)


def _still(item: Post | Comment, status: str | None) -> Condition:
    """Other services move the status without counting revisions."""
    attribute = type(item).status
    if attribute.attr_name in item.mistyped:
        return cast(Condition, ~attribute.is_type())  # type: ignore[no-untyped-call]
    return cast(Condition, attribute.does_not_exist() if status is None else attribute == status)


def _reason(given: str, config: Config | None) -> Reason:
    """The preset of this id, in the language of who chose it; else the text as it was written."""
    text = given.strip()[:MAX_REASON]
    language = (get_language() or "en")[:2]
    for each in reasons_of(REASONS.body_of(config)):
        if each["id"] == text:
            return Reason(each.get(language) or each["en"], each["id"])
    return Reason(text)
