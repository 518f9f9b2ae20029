"""Decisions: what they leave, what they refuse, and the way back."""

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
from forum.targets import Target
from tests.conftest import every_engine
from tests.forum.factories import (
    CLEAN_TEXT,
    MARCO,
    TEXT_TO_BAN,
    TEXT_TO_REVIEW,
    a_comment,
    a_post,
    decided,
    entries_of,
    reloaded,
)


def ids(found: list[Post] | list[Comment]) -> list[str]:
    return [Target.of(each).id for each in found]


@every_engine
def test_a_ban_moves_the_post_and_is_in_the_log(table: str) -> None:
    post = a_post()
    assert ids(posts.posts_to_review().items) == [Target.of(post).id]

    banned = decided(post, Action.BAN, "spam")

    assert isinstance(banned, Post)
    assert (banned.status, banned.banned_by, banned.ban_reason) == ("banned", MARCO.email, "Spam or advertising")
    assert banned.banned_at is not None
    stands = {name: value for name, value in banned.attribute_values.items() if value is not None}
    assert reloaded(post).attribute_values == stands
    assert posts.posts_to_review().items == []
    assert posts.posts_by_status("active").items == []
    for order in Order:
        assert ids(posts.posts_by_status("banned", order).items) == [Target.of(post).id]
        assert posts.posts_by_status("active", order).items == []
    (entry,) = entries_of(post)
    assert (entry.action, entry.admin_id, entry.admin_name) == ("ban", MARCO.email, MARCO.name)
    assert (entry.target_type, entry.target_id, entry.original_content) == ("post", Target.of(post).id, TEXT_TO_REVIEW)
    assert (entry.reason, entry.reason_id, entry.author_id) == ("Spam or advertising", "spam", "ana@example.com")


@pytest.mark.parametrize(
    ("ways", "status", "waits"),
    [
        ([Action.APPROVE], "active", False),
        ([Action.APPROVE, Action.REOPEN], "active", True),
        ([Action.BAN, Action.RESTORE], "active", False),
        ([Action.DELETE], "deleted", False),
        ([Action.BAN, Action.DELETE], "deleted", False),
        ([Action.BAN, Action.DELETE, Action.RESTORE], "active", False),
    ],
)
def test_what_actions_leave(table: str, ways: list[Action], status: str, waits: bool) -> None:
    item: Post | Comment = a_post()
    for action in ways:
        item = decided(item, action)
    assert item.status == status
    assert bool(posts.posts_to_review().items) is waits
    assert [each.action for each in entries_of(item)] == ways
    assert item.revision == len(ways) + 1


@pytest.mark.parametrize("action", Action)
def test_what_has_been_decided_meanwhile_says_by_whom(table: str, action: Action) -> None:
    post = a_post()
    decided(post, Action.BAN)
    before = reloaded(post).attribute_values

    with pytest.raises(Overtaken) as refusal:
        decided(post, action, by=MARCO)

    assert str(refusal.value.text).startswith("Marco Peña banned it (")
    assert reloaded(post).attribute_values == before
    assert len(entries_of(post)) == 1


def test_a_status_that_another_service_moved_is_no_longer_what_was_seen(table: str) -> None:
    post = a_post()
    stale = reloaded(post)
    stale.status = "deleted"
    stale.save()
    with pytest.raises(Overtaken):
        decided(post, Action.BAN)


def test_a_ban_needs_a_reason_and_takes_a_free_one(table: str) -> None:
    post = a_post()
    with pytest.raises(Refused):
        decided(post, Action.BAN, "  ")
    banned = decided(post, Action.BAN, "Sells tickets")
    assert banned.ban_reason == "Sells tickets"
    assert not banned.ban_reason_id


def test_nothing_is_decided_about_what_is_not_there(table: str) -> None:
    for target in (Target("none"), Target("none", "none"), Target(""), Target("a#b")):
        with pytest.raises(NotFound):
            decisions.decide(target, Action.BAN, reason="spam", revision=0, command=new_command(MARCO))


@every_engine
def test_a_banned_comment_no_longer_counts_and_counts_again(table: str) -> None:
    post = a_post(CLEAN_TEXT)
    comment = a_comment(post)
    other = a_comment(post, CLEAN_TEXT)
    assert (reloaded(post).comments_count, reloaded(post).gsi4sk.split("#")[0]) == (2, "0000000002")
    assert ids(posts.comments_to_review().items) == [Target.of(comment).id]

    banned = decided(comment, Action.BAN)
    assert (reloaded(post).comments_count, reloaded(post).gsi4sk.split("#")[0]) == (1, "0000000001")
    assert ids(posts.comments_of(Target.of(post).post).items) == [Target.of(other).id]

    deleted = decided(banned, Action.DELETE)
    assert reloaded(post).comments_count == 1, "it was not counted any more"
    decided(deleted, Action.RESTORE)
    assert reloaded(post).comments_count == 2
    assert reloaded(post).revision == post.revision, "no moderator's form of the post grows old by its comments"


@pytest.mark.parametrize(
    ("ways", "undone"),
    [
        ([Action.BAN], Action.RESTORE),
        ([Action.DELETE], Action.RESTORE),
        ([Action.APPROVE], Action.REOPEN),
        ([Action.BAN, Action.RESTORE], Action.BAN),
        ([Action.BAN, Action.DELETE], Action.BAN),
        ([Action.APPROVE, Action.REOPEN], Action.APPROVE),
    ],
)
def test_the_way_back_from_each(table: str, ways: list[Action], undone: Action) -> None:
    item: Post | Comment = a_comment(a_post(CLEAN_TEXT))
    states = [item]
    for action in ways:
        states.append(item := decided(item, action))
    last = entries_of(item)[-1]

    back = decisions.undo(last, command=new_command(MARCO))

    was = states[-2]
    for name in ("status", "banned_by", "ban_reason", "reviewed_by", "gsistatuspk", "gsi2pk"):
        assert getattr(back, name) == getattr(was, name), name
    assert [each.action for each in entries_of(item)] == [*ways, undone]
    with pytest.raises(Overtaken):
        decisions.undo(last, command=new_command(MARCO))


def test_what_the_filter_banned_is_banned_by_its_version_and_can_be_put_back(table: str) -> None:
    post = a_post(TEXT_TO_BAN)
    assert (post.status, post.banned_by) == ("banned", "profanity@v00000000")
    assert post.profanity_score is not None and post.profanity is not None
    assert post.profanity["matches"][0]["severity"] == "high"
    (entry,) = entries_of(post)
    assert entry.admin_id == "profanity@v00000000"
    back = decisions.undo(entry, command=new_command(MARCO))
    assert back.status == "active"


def test_likes_move_the_post_in_its_feed_and_nobody_s_form(table: str) -> None:
    some, liked = a_post(CLEAN_TEXT), a_post(CLEAN_TEXT)
    counters.like(Target.of(liked), command=new_command(MARCO))
    assert ids(posts.posts_by_status("active", Order.LIKES).items)[0] == Target.of(liked).id
    assert reloaded(liked).revision == liked.revision
    decided(liked, Action.BAN)
    assert ids(posts.posts_by_status("active", Order.LIKES).items) == [Target.of(some).id]
