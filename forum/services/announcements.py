"""Taking an announcement back. Whoever made it may, while nobody has decided about it; others are moderators."""

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
from forum.targets import Target


def may_withdraw(post: Post, email: str) -> bool:
    """Whether it is this person's own, and stands as they left it."""
    state = State.of(post)
    return bool(post.announcement) and post.user_id == email and state.is_active and state.reviewed_by == email


@idempotent
def withdraw(target: Target, *, revision: int, command: Command) -> Post:
    """Delete one's own announcement: in the moderation log as any deletion, and in the trail as what it was."""
    by = command.by.email
    post = load_item(target)
    if not isinstance(post, Post) or not post.announcement or post.user_id != by:
        raise NotFound
    if post.revision != revision or not may_withdraw(post, by):
        raise Overtaken(post)
    before = State.of(post)
    # It is gone as it stood: who made it had looked at it.
    after = State.from_dict(before.to_dict() | {"status": "deleted"})
    transaction = Transaction(command)
    log.record(transaction, Action.DELETE, post, before=before, after=after, reason=Reason())
    after.put(post)
    transaction.save(post, revision=revision, otherwise=lambda now: Overtaken(now if isinstance(now, Post) else None))
    content = post.content or ""
    told = {"content": content}
    record(transaction, "forum.withdraw", target=target.id, kind="post", title=content[:80], before=told)
    done = transaction.commit(post, {"content": content})
    # By counters as they were read: they may have moved since.
    counters.settle(post.key)
    return done
