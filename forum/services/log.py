"""Writes the moderation log: an entry is part of the transaction that it describes."""

from __future__ import annotations

from typing import Any

from dashboard.core.clock import now
from dashboard.core.errors import Conflict
from dashboard.core.ids import new_id
from dashboard.platform.outbox.registry import mark
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction
from forum.actions import Action
from forum.items import Comment, Decision, ModerationEntry, Post, hash_of
from forum.states import Reason, State
from forum.targets import ForumTarget

# An entry is never deleted and is in five indexes: it has only the beginning of a very long text.
MAX_CONTENT = 4_000
_KEY = ("pk", "sk")


def record(
    transaction: Transaction,
    action: Action,
    item: Post | Comment,
    *,
    before: State | None,
    after: State,
    reason: Reason,
    bulk_id: str = "",
    by: str = "",
    **metadata: Any,
) -> ModerationEntry:
    """Add the entry of a decision, and the decision itself, to its transaction.

    `bulk_id` is the id that all decisions of a bulk action share.
    """
    actor, revision = transaction.command.by, item.revision + 1 if before is not None else 1
    entry = build_entry(
        action, item, before=before, after=after, reason=reason, by=by or actor.email, revision=revision, **metadata
    )
    entry.admin_name = (actor.name or None) if not by else None
    entry.operation = bulk_id or transaction.command.id
    transaction.create(entry)
    decision = build_decision(item, after, by=by or actor.email, revision=revision)
    attributes = decision.get_attributes()
    actions = [attributes[name].set(value) for name, value in decision.attribute_values.items() if name not in _KEY]
    transaction.update(decision.key, [*actions, Decision.reversed_at.remove()], None, Conflict)
    return entry


def build_entry(
    action: Action,
    item: Post | Comment,
    *,
    before: State | None,
    after: State,
    reason: Reason,
    by: str,
    revision: int,
    **metadata: Any,
) -> ModerationEntry:
    """The entry of a decision. An undo requires `revision`, the item's revision after the decision."""
    target, at = ForumTarget.of(item), now()
    entry = ModerationEntry.new(date=to_wire(at)[:10], at=at, admin=by, action=new_id())
    entry.action, entry.target_type, entry.target_id = action, target.kind, target.id
    entry.admin_id, entry.created_at = by, at
    entry.reason, entry.reason_id = reason.text or None, reason.id or None
    entry.original_content = (item.content or "")[:MAX_CONTENT] or None
    about: dict[str, Any] = {
        "userId": item.user_id,
        "userName": item.author_name,
        "postId": target.post,
        "commentId": target.comment or None,
        "createdAt": to_wire(item.created_at) if item.created_at else None,
        "score": item.profanity_score,
        "revision": revision,
        "before": before.to_dict() if before is not None else None,
        "after": after.to_dict(),
    }
    entry.metadata = {name: value for name, value in (about | metadata).items() if value is not None}
    mark(entry, entry.change_name, at)
    return entry


def build_decision(item: Post | Comment, state: State, *, by: str, revision: int) -> Decision:
    """The decision as an item that only this product writes."""
    decision = Decision.new_at_key(ForumTarget.of(item).decision_key)
    decision.state, decision.text_hash = state.to_dict(), hash_of(item.content)
    decision.decided_by, decision.decided_at, decision.item_revision = by, now(), revision
    return decision
