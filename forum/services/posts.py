"""Writes posts and comments: the rule for domains, the filter's result and its ban are in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from dashboard.core.clock import now
from dashboard.core.errors import NotFound, Refused
from dashboard.core.ids import new_id
from dashboard.platform.audit.services import record as record_in_trail
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent
from forum.actions import Action, apply
from forum.items import Comment, Post
from forum.profanity import FilterVerdict
from forum.queries.posting_rules import PostingRules, load_posting_rules
from forum.services import counters, log
from forum.states import Reason, State
from forum.statuses import ACTIVE
from forum.targets import ForumTarget

MAX_CONTENT, MAX_IMAGES, MAX_ADDRESS = 10_000, 10, 1_000
# At most so many matches are stored; the score includes all.
MAX_MATCHES = 50


def the_filter(version: int) -> str:
    """The filter as moderator, with its version."""
    return f"profanity@v{version:08d}"


@idempotent
def write_post(author: str, content: str, *, name: str = "", images: Sequence[str] = (), command: Command) -> Post:
    """A post of an attendee. A post that the filter bans is stored as banned, with an entry in the log."""
    gate, _none = load_posting_rules()
    gate.check_author(author)
    post = Post.new(post=new_id())
    post.images = [str(each)[:MAX_ADDRESS] for each in images[:MAX_IMAGES]] or None
    post.likes = post.comments_count = 0
    transaction = Transaction(command)
    _write(transaction, post, author, name, content, gate)
    return transaction.commit(post)


@idempotent
def write_comment(
    target: ForumTarget, author: str, content: str, *, name: str = "", reply_to: str = "", command: Command
) -> Comment:
    """A comment on an active post, or a reply to one of its comments; the comment count of the post changes with it."""
    gate, (post,) = load_posting_rules(target.post_key)
    if not isinstance(post, Post) or post.status != ACTIVE:
        raise NotFound
    gate.check_author(author)
    comment = Comment.new(post=target.post, comment=new_id())
    comment.parent_id = reply_to or None
    transaction = Transaction(command)
    _write(transaction, comment, author, name, content, gate)
    is_active = Post.status == ACTIVE
    if comment.status == ACTIVE and counters.counts_comments(post):
        transaction.update(post.key, counters.add(comments_count=1), is_active, lambda _: NotFound())
    else:
        transaction.check(post.key, is_active, lambda _: NotFound())
    comment = transaction.commit(comment)
    counters.settle(post.key)
    return comment


@idempotent
def announce(content: str, *, command: Command) -> Post:
    """An announcement of the staff. If the filter would ban it, it is refused."""
    gate, _none = load_posting_rules()
    verdict = gate.filter.judge(content)
    if verdict.banned:
        words = ", ".join(dict.fromkeys(match.word for match in verdict.matches))
        raise Refused(_("The profanity filter would ban this: %(words)s.") % {"words": words}, "content")
    post = Post.new(post=new_id())
    post.announcement = True
    post.likes = post.comments_count = 0
    transaction = Transaction(command)
    _fill(post, command.by.email, command.by.name, content, gate, verdict)
    # An announcement does not need a review.
    State(reviewed_at=now(), reviewed_by=command.by.email).put(post)
    transaction.create(post)
    record_in_trail(
        transaction,
        "forum.announce",
        target=ForumTarget.of(post).id,
        kind="post",
        title=content[:80],
        after={"content": content},
    )
    return transaction.commit(post)


def _write(
    transaction: Transaction, item: Post | Comment, author: str, name: str, content: str, gate: PostingRules
) -> None:
    """Store it, banned if the filter says so."""
    verdict = gate.filter.judge(content)
    _fill(item, author, name, content, gate, verdict)
    if verdict.banned:
        who = the_filter(gate.version)
        after, reason = ban_by_filter(State(), who, verdict, now())
        after.put(item)
        log.record(transaction, Action.BAN, item, before=None, after=after, reason=reason, by=who)
    transaction.create(item)


def ban_by_filter(state: State, who: str, verdict: FilterVerdict, moment: datetime) -> tuple[State, Reason]:
    """The state after the filter's ban, and its reason."""
    reason = Reason(_reason_of(verdict), "profanity")
    return apply(Action.BAN, state, who, moment, reason), reason


def _fill(
    item: Post | Comment, author: str, name: str, content: str, gate: PostingRules, verdict: FilterVerdict
) -> None:
    if not content.strip():
        raise Refused(_("Write a text."), "content")
    if len(content) > MAX_CONTENT:
        raise Refused(_("Use at most %(most)s characters.") % {"most": f"{MAX_CONTENT:,}"}, "content")
    item.user_id, item.author_name, item.content = author, name or None, content
    item.status, item.created_at = ACTIVE, item.created_at or now()
    put_score(item, gate, verdict)


def put_score(item: Post | Comment, gate: PostingRules, verdict: FilterVerdict) -> None:
    """Set the score of a text and the data behind it."""
    item.profanity_score = verdict.score
    item.profanity = stamp(gate.version, gate.filter.threshold, verdict)


def stamp(version: int, threshold: float, verdict: FilterVerdict) -> dict[str, Any]:
    """The data behind a score: it can be explained after the filter has changed."""
    matches = [
        {"start": each.start, "end": each.end, "word": each.word, "severity": each.severity.value}
        for each in verdict.matches[:MAX_MATCHES]
    ]
    return {"version": version, "threshold": threshold, "matches": matches}


def _reason_of(verdict: FilterVerdict) -> str:
    return ", ".join(dict.fromkeys(match.word for match in verdict.matches))[:200]
