"""Repairs of posts and comments that outside writers changed: their score, the filter's ban and our decisions.

docs/moderation.md states the rules. The index keys follow from the result (dashboard/platform/stream/repairs.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from dashboard.core.clock import now
from dashboard.platform.stream.changes import Change, Write, revision_of
from dashboard.platform.stream.lost_attributes import restore_lost_attributes
from dashboard.platform.stream.rules import repairs_of
from forum.actions import Action
from forum.items import Comment, Decision, Post, hash_of
from forum.profanity import FilterVerdict
from forum.queries.changed_texts import ChangedText, load_changed_text
from forum.queries.log import FILTER
from forum.services.counters import counts_comments
from forum.services.log import build_decision, build_entry
from forum.services.posts import MAX_CONTENT, ban_by_filter, put_score, the_filter
from forum.states import State
from forum.statuses import ACTIVE, DELETED
from forum.targets import ForumTarget

ItemT = TypeVar("ItemT", Post, Decision)
_SCORE, _CONTENT = "profanityScore", "content"
_STATE = frozenset(
    {
        "status",
        "bannedAt",
        "bannedBy",
        "banReason",
        "banReasonId",
        "deletedBy",
        "reviewedAt",
        "reviewedBy",
        "reversedDecision",
    }
)
_DECISION_SOURCES = ("state", "textHash", "itemRevision", "decidedAt", "reversedAt")
# What the index keys of a post depend on.
_POST_SOURCES = ("userId", "status", "createdAt", "likes", "commentsCount", _SCORE, "reviewedAt", "reversedDecision")


def load_text(change: Change) -> ChangedText | None:
    """What the repair of a post or a comment needs; None if it needs none, such as after a like."""
    item = change.new_item
    if not isinstance(item, Post | Comment) or not item.key_parts:
        return None
    needs_score = _needs_score(change, item)
    if not needs_score and change.old is not None and not (change.changed & _STATE or change.is_replaced):
        return None
    return load_changed_text(ForumTarget.of(item), with_rules=needs_score)


@repairs_of("post")
@repairs_of("comment")
def repair_own_attributes(change: Change, _: None) -> Iterable[Write]:
    """What only this product writes: decisions have items of their own."""
    yield from restore_lost_attributes(change, ("authorName", "announcement", "parentId"))


@repairs_of("post", load=load_text)
@repairs_of("comment", load=load_text)
def repair_text(change: Change, loaded: ChangedText | None) -> Iterable[Write]:
    item = change.new_item
    if loaded is None or not isinstance(item, Post | Comment):
        return
    decision = _copy(loaded.decision) or _decision_of(change)
    is_decided = decision is not None and _applies_to(decision, item)
    if decision is not None and is_decided:
        yield from _apply(decision, change, item)
    elif change.old is not None and _CONTENT in change.changed:
        item.reviewed_at = item.reviewed_by = None  # Another text was reviewed.
    if loaded.rules is not None and _needs_score(change, item):
        verdict = loaded.rules.filter.judge((item.content or "")[:MAX_CONTENT])
        put_score(item, loaded.rules, verdict)
        if verdict.banned and item.status == ACTIVE and not is_decided:
            yield from _ban(change, item, verdict, loaded)
    yield Write.of_changed(item)


def _needs_score(change: Change, item: Post | Comment) -> bool:
    """Whether a text arrived without a score, or has changed and kept the score of the previous text."""
    if item.content is None or _SCORE in item.mistyped:
        return False
    is_edited = change.old is not None and _CONTENT in change.changed and _SCORE not in change.changed
    return item.profanity_score is None or is_edited


def _is_decision_lost(change: Change, decision: Decision) -> bool:
    """Whether a Put without our attributes replaced the item after the decision, in this or an earlier change."""
    return change.is_replaced or revision_of(change.new) < int(decision.item_revision or 0)


def _decision_of(change: Change) -> Decision | None:
    """The decision that the previous image contains: decisions before this version have no item of their own."""
    old = change.old_item
    if not isinstance(old, Post | Comment) or not change.is_replaced:
        return None
    state = State.of(old)
    by = state.reviewed_by if state.is_active else state.deleted_by or state.banned_by
    if not by or (by != old.updated_by and not by.startswith(FILTER)):
        return None
    return build_decision(old, state, by=by, revision=old.revision)


def _applies_to(decision: Decision, item: Post | Comment) -> bool:
    """A ban by a person applies to whatever the text becomes, every other decision only to the text it was about."""
    state = State.from_dict(decision.state)
    if state.status == DELETED or (not state.is_active and not (decision.decided_by or "").startswith(FILTER)):
        applies = True
    else:
        applies = decision.text_hash == hash_of(item.content)
    # What the outside writer itself has banned or deleted stays so.
    return applies and (item.status or ACTIVE) in (ACTIVE, state.status)


def _is_reversed(change: Change, decision: Decision, item: Post | Comment) -> bool:
    """Whether the outside writer made active what was banned or deleted, and knew it: it kept our attributes."""
    is_visible = (item.status or ACTIVE) == ACTIVE and not State.from_dict(decision.state).is_active
    return is_visible and not _is_decision_lost(change, decision)


def _apply(decision: Decision, change: Change, item: Post | Comment) -> Iterator[Write]:
    """Give the item the decided state again, or put a reversed decision first in the review queue."""
    state = State.from_dict(decision.state)
    if decision.reversed_at or _is_reversed(change, decision, item):
        if item.status == ACTIVE:
            item.reversed_decision = {"status": state.status, "by": decision.decided_by or ""}
            item.reviewed_at = item.reviewed_by = None
        decision.reversed_at = decision.reversed_at or now()
        yield Write.of_changed(decision, _DECISION_SOURCES)
    elif _is_decision_lost(change, decision):
        state.put(item)
        if not decision.raw:
            yield Write.of_new(decision)


def _ban(change: Change, item: Post | Comment, verdict: FilterVerdict, loaded: ChangedText) -> Iterator[Write]:
    """The filter's ban with its log entry, as our own write path makes it."""
    assert loaded.rules is not None
    before, who = State.of(item), the_filter(loaded.rules.version)
    after, reason = ban_by_filter(before, who, verdict, now())
    # It is a decision: a form that shows the text as active conflicts with it.
    item.revision = max(revision_of(change.new), revision_of(change.old)) + 1
    yield Write.of_new(
        build_entry(Action.BAN, item, before=before, after=after, reason=reason, by=who, revision=item.revision)
    )
    decision = build_decision(item, after, by=who, revision=item.revision)
    previous = _copy(loaded.decision)
    if previous is None:
        yield Write.of_new(decision)
    else:
        for name, value in decision.attribute_values.items():
            setattr(previous, name, value)
        previous.reversed_at = None
        yield Write.of_changed(previous, _DECISION_SOURCES)
    after.put(item)
    post = _copy(loaded.post)
    if post is not None and counts_comments(post):
        # The app that wrote the comment has counted it.
        post.comments_count = (post.comments_count or 0) - 1
        yield Write.of_changed(post, _POST_SOURCES)


def _copy(item: ItemT | None) -> ItemT | None:
    """The item as it was read: what was loaded is not changed."""
    return type(item).of(dict(item.raw)) if item is not None else None
