"""Decisions about posts and comments: their effects, their refusals, and their undo."""

from __future__ import annotations

import pytest

from dashboard.core.errors import NotFound, Refused
from dashboard.table.commands import new_command
from forum.actions import Action
from forum.items import Comment, Post
from forum.queries import posts
from forum.queries.posts import Order
from forum.services import counters, decisions
from forum.services.decisions import Overtaken
from forum.targets import ForumTarget
from tests.conftest import every_engine
from tests.forum.factories import (
    CLEAN_TEXT,
    MARCO,
    TEXT_TO_BAN,
    TEXT_TO_REVIEW,
    create_comment,
    create_post,
    decide,
    entries_of,
    reload_item,
)


def ids(found: list[Post] | list[Comment]) -> list[str]:
    return [ForumTarget.of(each).id for each in found]


@every_engine
def test_a_ban_moves_the_post_to_the_banned_list_and_writes_a_log_entry(table: str) -> None:
    post = create_post()
    assert ids(posts.posts_to_review().items) == [ForumTarget.of(post).id]

    banned = decide(post, Action.BAN, "spam")

    assert isinstance(banned, Post)
    assert (banned.status, banned.banned_by, banned.ban_reason) == ("banned", MARCO.email, "Spam or advertising")
    assert banned.banned_at is not None
    stored = {name: value for name, value in banned.attribute_values.items() if value is not None}
    assert reload_item(post).attribute_values == stored
    assert posts.posts_to_review().items == []
    assert posts.posts_by_status("active").items == []
    for order in Order:
        assert ids(posts.posts_by_status("banned", order).items) == [ForumTarget.of(post).id]
        assert posts.posts_by_status("active", order).items == []
    (entry,) = entries_of(post)
    assert (entry.action, entry.admin_id, entry.admin_name) == ("ban", MARCO.email, MARCO.name)
    assert (entry.target_type, entry.target_id, entry.original_content) == (
        "post",
        ForumTarget.of(post).id,
        TEXT_TO_REVIEW,
    )
    assert (entry.reason, entry.reason_id, entry.author_id) == ("Spam or advertising", "spam", "ana@example.com")


@pytest.mark.parametrize(
    ("actions", "status", "is_waiting"),
    [
        ([Action.APPROVE], "active", False),
        ([Action.APPROVE, Action.REOPEN], "active", True),
        ([Action.BAN, Action.RESTORE], "active", False),
        ([Action.DELETE], "deleted", False),
        ([Action.BAN, Action.DELETE], "deleted", False),
        ([Action.BAN, Action.DELETE, Action.RESTORE], "active", False),
    ],
)
def test_the_status_of_a_post_after_a_sequence_of_actions(
    table: str, actions: list[Action], status: str, is_waiting: bool
) -> None:
    item: Post | Comment = create_post()
    for action in actions:
        item = decide(item, action)
    assert item.status == status
    assert bool(posts.posts_to_review().items) is is_waiting
    assert [each.action for each in entries_of(item)] == actions
    assert item.revision == len(actions) + 1


@pytest.mark.parametrize("action", Action)
def test_a_decision_on_an_old_revision_is_refused_and_names_who_decided(table: str, action: Action) -> None:
    post = create_post()
    decide(post, Action.BAN)
    before = reload_item(post).attribute_values

    with pytest.raises(Overtaken) as refusal:
        decide(post, action, by=MARCO)

    assert str(refusal.value.text).startswith("Marco Peña banned it (")
    assert reload_item(post).attribute_values == before
    assert len(entries_of(post)) == 1


def test_a_status_changed_by_an_outside_writer_is_a_conflict(table: str) -> None:
    post = create_post()
    stale = reload_item(post)
    stale.status = "deleted"
    stale.save()
    with pytest.raises(Overtaken):
        decide(post, Action.BAN)


def test_a_ban_needs_a_reason_and_accepts_free_text(table: str) -> None:
    post = create_post()
    with pytest.raises(Refused):
        decide(post, Action.BAN, "  ")
    banned = decide(post, Action.BAN, "Sells tickets")
    assert banned.ban_reason == "Sells tickets"
    assert not banned.ban_reason_id


def test_a_decision_on_a_missing_post_raises_not_found(table: str) -> None:
    for target in (ForumTarget("none"), ForumTarget("none", "none"), ForumTarget(""), ForumTarget("a#b")):
        with pytest.raises(NotFound):
            decisions.decide(target, Action.BAN, reason="spam", revision=0, command=new_command(MARCO))


@every_engine
def test_a_ban_of_a_comment_lowers_the_count_and_a_restore_raises_it(table: str) -> None:
    post = create_post(CLEAN_TEXT)
    comment = create_comment(post)
    other = create_comment(post, CLEAN_TEXT)
    assert (reload_item(post).comments_count, reload_item(post).gsi4sk.split("#")[0]) == (2, "0000000002")
    assert ids(posts.comments_to_review().items) == [ForumTarget.of(comment).id]

    banned = decide(comment, Action.BAN)
    assert (reload_item(post).comments_count, reload_item(post).gsi4sk.split("#")[0]) == (1, "0000000001")
    assert ids(posts.comments_of(ForumTarget.of(post).post).items) == [ForumTarget.of(other).id]

    deleted = decide(banned, Action.DELETE)
    assert reload_item(post).comments_count == 1, "a banned comment was already not counted"
    decide(deleted, Action.RESTORE)
    assert reload_item(post).comments_count == 2
    assert reload_item(post).revision == post.revision, "comments do not change the revision of the post"


@pytest.mark.parametrize(
    ("actions", "undone"),
    [
        ([Action.BAN], Action.RESTORE),
        ([Action.DELETE], Action.RESTORE),
        ([Action.APPROVE], Action.REOPEN),
        ([Action.BAN, Action.RESTORE], Action.BAN),
        ([Action.BAN, Action.DELETE], Action.BAN),
        ([Action.APPROVE, Action.REOPEN], Action.APPROVE),
    ],
)
def test_undo_of_each_action_restores_the_previous_state(table: str, actions: list[Action], undone: Action) -> None:
    item: Post | Comment = create_comment(create_post(CLEAN_TEXT))
    states = [item]
    for action in actions:
        states.append(item := decide(item, action))
    last = entries_of(item)[-1]

    restored = decisions.undo(last, command=new_command(MARCO))

    previous = states[-2]
    for name in ("status", "banned_by", "ban_reason", "reviewed_by", "gsistatuspk", "gsi2pk"):
        assert getattr(restored, name) == getattr(previous, name), name
    assert [each.action for each in entries_of(item)] == [*actions, undone]
    with pytest.raises(Overtaken):
        decisions.undo(last, command=new_command(MARCO))


def test_a_ban_by_the_filter_names_its_version_and_can_be_undone(table: str) -> None:
    post = create_post(TEXT_TO_BAN)
    assert (post.status, post.banned_by) == ("banned", "profanity@v00000000")
    assert post.profanity_score is not None and post.profanity is not None
    assert post.profanity["matches"][0]["severity"] == "high"
    (entry,) = entries_of(post)
    assert entry.admin_id == "profanity@v00000000"
    restored = decisions.undo(entry, command=new_command(MARCO))
    assert restored.status == "active"


def test_likes_change_the_order_of_the_feed_and_not_the_revision(table: str) -> None:
    unliked, liked = create_post(CLEAN_TEXT), create_post(CLEAN_TEXT)
    counters.like(ForumTarget.of(liked), command=new_command(MARCO))
    assert ids(posts.posts_by_status("active", Order.LIKES).items)[0] == ForumTarget.of(liked).id
    assert reload_item(liked).revision == liked.revision
    decide(liked, Action.BAN)
    assert ids(posts.posts_by_status("active", Order.LIKES).items) == [ForumTarget.of(unliked).id]
