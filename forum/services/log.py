"""Writes the moderation log: an entry is part of the transaction that it describes."""

from __future__ import annotations

from typing import Any

from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction
from forum.actions import Action
from forum.items import Comment, ModerationEntry, Post
from forum.states import Reason, State
from forum.targets import ForumTarget

# An entry is never deleted and is in five indexes: it has only the beginning of a very long text.
MAX_CONTENT = 4_000


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
    """Add the entry of a decision to its transaction. `bulk_id` is the id that all decisions of a bulk action share."""
    actor, target, at = transaction.command.by, ForumTarget.of(item), now()
    admin = by or actor.email
    entry = ModerationEntry.new(date=to_wire(at)[:10], at=at, admin=admin, action=new_id())
    entry.action, entry.target_type, entry.target_id = action, target.kind, target.id
    entry.admin_id, entry.admin_name = admin, (actor.name or None) if not by else None
    entry.reason, entry.reason_id = reason.text or None, reason.id or None
    entry.original_content = (item.content or "")[:MAX_CONTENT] or None
    entry.operation = bulk_id or transaction.command.id
    about: dict[str, Any] = {
        "userId": item.user_id,
        "userName": item.author_name,
        "postId": target.post,
        "commentId": target.comment or None,
        "createdAt": to_wire(item.created_at) if item.created_at else None,
        "score": item.profanity_score,
        # The item's revision after this transaction: an undo requires it.
        "revision": item.revision + 1 if before is not None else 1,
        "before": before.to_dict() if before is not None else None,
        "after": after.to_dict(),
    }
    entry.metadata = {name: value for name, value in (about | metadata).items() if value is not None}
    transaction.create(entry)
    return entry
