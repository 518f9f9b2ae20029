"""Deletes an announcement. Its author may do so until a moderator has acted on it."""

from __future__ import annotations

from dashboard.core.errors import NotFound
from dashboard.platform.audit.services import record
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent
from forum.actions import Action
from forum.items import Post
from forum.queries.posts import load_item
from forum.services import counters, log
from forum.services.decisions import Overtaken
from forum.states import Reason, State
from forum.targets import ForumTarget


def may_withdraw(post: Post, email: str) -> bool:
    """Whether it is this person's own, and no moderator has acted on it."""
    state = State.of(post)
    return bool(post.announcement) and post.user_id == email and state.is_active and state.reviewed_by == email


@idempotent
def withdraw(target: ForumTarget, *, revision: int, command: Command) -> Post:
    """Delete one's own announcement: recorded in the moderation log and in the audit trail."""
    by = command.by.email
    post = load_item(target)
    if not isinstance(post, Post) or not post.announcement or post.user_id != by:
        raise NotFound
    if post.revision != revision or not may_withdraw(post, by):
        raise Overtaken(post)
    before = State.of(post)
    after = State.from_dict(before.to_dict() | {"status": "deleted"})
    transaction = Transaction(command)
    log.record(transaction, Action.DELETE, post, before=before, after=after, reason=Reason())
    after.put(post)
    transaction.save(post, revision=revision, on_failure=lambda now: Overtaken(now if isinstance(now, Post) else None))
    content = post.content or ""
    values = {"content": content}
    record(transaction, "forum.withdraw", target=target.id, kind="post", title=content[:80], before=values)
    done = transaction.commit(post, {"content": content})
    # The counters may have changed since they were read.
    counters.settle(post.key)
    return done
