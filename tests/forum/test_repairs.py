"""Posts and comments of outside writers are scored, and our decisions outlive their writes."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.platform.stream import batches, writer
from dashboard.platform.stream.changes import Change
from dashboard.platform.stream.records import Record
from dashboard.table import keys, read
from dashboard.table.items import Raw
from forum.actions import Action
from forum.items import Comment, Decision, Post
from forum.queries import posts
from forum.targets import ForumTarget
from tests import outside_writes
from tests.conftest import every_engine, real_engines
from tests.forum.factories import (
    CLEAN_TEXT,
    TEXT_TO_BAN,
    TEXT_TO_REVIEW,
    create_comment,
    create_post,
    decide,
    entries_of,
    reload_item,
)
from tests.forum.outside_posts import AT, ids, raw_comment, raw_post
from tests.outside_writes import follow


def as_apps_know_it(item: Post | Comment, **more: Any) -> Raw:
    """The item with only the attributes that the apps know, active: what their Put of a whole item contains."""
    known = ("PK", "SK", "userId", "content", "createdAt", "likes", "commentsCount")
    return {name: value for name, value in reload_item(item).raw.items() if name in known} | {
        "status": {"S": "active"},
        **more,
    }


def post_of(id: str = "p1") -> Post:
    found = read.get(Post, keys.POST.key(post=id))
    assert found is not None
    return found


def comment_of(id: str = "c1", post: str = "p1") -> Comment:
    found = read.get(Comment, keys.COMMENT.key(post=post, comment=id))
    assert found is not None
    return found


def waiting() -> list[str]:
    return ids(posts.posts_to_review().items) + ids(posts.comments_to_review().items)


# --- Scores --------------------------------------------------------------------------------------
@every_engine
def test_a_post_without_a_score_is_scored_and_waits_for_review(table: str) -> None:
    ours = create_post(TEXT_TO_REVIEW)
    assert follow(outside_writes.put(raw_post()))
    post = post_of()
    assert (post.profanity_score, post.profanity) == (ours.profanity_score, ours.profanity)
    assert set(waiting()) == {"p1", ForumTarget.of(ours).id}
    assert ids(posts.posts_by_status("active", posts.Order.LIKES).items)[0] == "p1"
    assert entries_of(post) == []
    assert outside_writes.raw_at(post.key)["createdAt"] == {"S": AT}, "what they wrote stays"  # type: ignore[index]


@every_engine
def test_a_comment_is_banned_by_the_filter_where_our_own_would_be(table: str) -> None:
    follow(outside_writes.put(raw_post(content=CLEAN_TEXT)))
    ours = create_comment(post_of(), TEXT_TO_BAN)
    before = post_of().comments_count
    assert before == 1, "our own comment was banned when it was written, and not counted"
    assert follow(outside_writes.put(raw_comment(content=TEXT_TO_BAN)))
    comment = comment_of()
    for name in ("status", "banned_by", "ban_reason", "ban_reason_id", "profanity_score", "profanity"):
        assert getattr(comment, name) == getattr(ours, name)
    assert comment.revision == 1
    (entry,) = entries_of(comment)
    assert entry.metadata is not None and entry.metadata["revision"] == 1
    assert (entry.action, entry.admin_id) == ("ban", comment.banned_by)
    assert post_of().comments_count == 0, "the app had counted it"
    assert post_of().gsi4sk == "0000000000#2026-03-01T10:00:00Z"
    # It can be undone like every other ban.
    restored = decide(comment, Action.RESTORE)
    assert restored.status == "active" and post_of().comments_count == 1


def test_the_same_record_twice_bans_and_counts_once(table: str) -> None:
    follow(outside_writes.put(raw_post(content=CLEAN_TEXT)))
    change = outside_writes.put(raw_comment(content=TEXT_TO_BAN))
    assert follow(change)
    assert not follow(change)
    assert post_of().comments_count == 0 and len(entries_of(comment_of())) == 1


def test_a_changed_text_is_scored_again(table: str) -> None:
    follow(outside_writes.put(raw_post(content=CLEAN_TEXT)))
    assert waiting() == []
    assert follow(outside_writes.update(post_of().key, content={"S": TEXT_TO_REVIEW}))
    assert waiting() == ["p1"]
    decide(post_of(), Action.APPROVE)
    assert waiting() == []
    assert follow(outside_writes.update(post_of().key, content={"S": f"{TEXT_TO_REVIEW}!"}))
    assert waiting() == ["p1"], "the approval was about another text"
    assert follow(outside_writes.update(post_of().key, content={"S": TEXT_TO_BAN}))
    assert post_of().status == "banned"
    assert [each.action for each in entries_of(post_of())] == ["approve", "ban"]


@pytest.mark.parametrize(
    "odd",
    [
        {"content": {"N": "3"}},
        {"content": None},
        {"status": None},
        {"status": {"L": []}},
        {"createdAt": {"N": "3"}},
        {"profanityScore": {"S": "high"}},
        {"commentsCount": {"S": "many"}, "likes": {"NULL": True}},
        {"content": {"S": TEXT_TO_BAN}, "status": {"S": "deleted"}},
        {"content": {"S": TEXT_TO_BAN}, "status": {"S": "HIDDEN"}},
    ],
)
def test_unusual_posts_are_repaired_without_errors(table: str, odd: dict[str, Any]) -> None:
    raw = {name: value for name, value in (raw_post() | odd).items() if value is not None}
    assert follow(outside_writes.put(raw))
    stored = outside_writes.raw_at(keys.POST.key(post="p1")) or {}
    assert {name: stored.get(name) for name in raw} == raw


def test_a_like_reads_nothing(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    follow(outside_writes.put(raw_post()))
    change = outside_writes.update(post_of().key, likes={"N": "4"})
    monkeypatch.setattr("forum.repairs.load_changed_text", None)
    assert follow(change)
    assert post_of().gsi3sk == "0000000004#2026-03-01T10:00:00Z"


# --- Decisions -----------------------------------------------------------------------------------
@every_engine
def test_a_ban_is_applied_again_after_a_put(table: str) -> None:
    post = create_post(TEXT_TO_REVIEW)
    banned = decide(post, Action.BAN)
    assert follow(outside_writes.put(as_apps_know_it(banned, likes={"N": "9"})))
    after = reload_item(post)
    for name in ("status", "banned_at", "banned_by", "ban_reason", "ban_reason_id"):
        assert getattr(after, name) == getattr(banned, name)
    assert (after.likes, after.revision) == (9, banned.revision + 1)
    assert after.profanity_score == post.profanity_score and waiting() == []
    assert after.gsi3pk == "POSTS#SORTED#banned" and not after.gsi1pk
    assert len(entries_of(post)) == 1, "it is the same decision"
    # Again, with another text: a person's ban stays.
    assert follow(outside_writes.put(as_apps_know_it(after, content={"S": CLEAN_TEXT})))
    assert (reload_item(post).status, reload_item(post).content) == ("banned", CLEAN_TEXT)


def late_record(change: Change) -> Record:
    return {"dynamodb": {"OldImage": change.old, "NewImage": change.new, "ApproximateCreationDateTime": 1.0}}


@real_engines
def test_a_late_record_of_a_ban_knows_that_a_put_has_removed_it(table: str) -> None:
    """The follower finds the post of the Put when it reads the record of the ban, which needs no rule itself."""
    post = create_post(TEXT_TO_REVIEW)
    original = outside_writes.raw_at(post.key)
    decide(post, Action.BAN)
    ban = Change(original, outside_writes.raw_at(post.key))
    put = outside_writes.put(as_apps_know_it(post))
    for change in (ban, put):
        batches.process([late_record(change)], tally := batches.RepairTally())
        assert tally.failures == []
    after = reload_item(post)
    assert (after.status, after.revision) == ("banned", post.revision + 2)
    assert not after.reversed_decision and waiting() == []


@pytest.mark.parametrize(
    ("text", "actions", "status"),
    [
        (TEXT_TO_REVIEW, [Action.APPROVE], "active"),
        (TEXT_TO_BAN, [Action.RESTORE], "active"),
        (CLEAN_TEXT, [Action.DELETE], "deleted"),
        (TEXT_TO_REVIEW, [Action.BAN, Action.RESTORE], "active"),
        (TEXT_TO_BAN, [], "banned"),
    ],
)
def test_every_decision_is_applied_again_after_a_put(table: str, text: str, actions: list[Action], status: str) -> None:
    post = create_post(CLEAN_TEXT)
    item: Post | Comment = create_comment(post, text)
    for action in actions:
        item = decide(item, action)
    count = reload_item(post).comments_count
    assert follow(outside_writes.put(as_apps_know_it(item)))
    after = reload_item(item)
    assert (after.status, after.reviewed_at, after.reviewed_by) == (status, item.reviewed_at, item.reviewed_by)
    assert waiting() == [] and reload_item(post).comments_count == count


def test_a_post_that_is_deleted_and_written_again_is_banned_again(table: str) -> None:
    post = decide(create_post(CLEAN_TEXT), Action.BAN)
    raw = as_apps_know_it(post)
    follow(outside_writes.delete(post.key))
    assert follow(outside_writes.put(raw))
    assert reload_item(post).status == "banned"


def test_a_decision_from_before_decisions_were_stored_is_applied_again(table: str) -> None:
    post = decide(create_post(TEXT_TO_REVIEW), Action.APPROVE)
    decision = keys.DECISION.key(post=ForumTarget.of(post).post)
    outside_writes.delete(decision)
    for _ in range(2):
        assert follow(outside_writes.put(as_apps_know_it(post)))
        assert reload_item(post).reviewed_by == post.reviewed_by and waiting() == []
    assert read.get(Decision, decision) is not None


def test_what_an_outside_writer_hides_stays_hidden(table: str) -> None:
    approved = decide(create_post(TEXT_TO_REVIEW), Action.APPROVE)
    assert follow(outside_writes.put(as_apps_know_it(approved, status={"S": "deleted"})))
    assert reload_item(approved).status == "deleted"
    banned = decide(create_post(TEXT_TO_REVIEW), Action.BAN)
    assert follow(outside_writes.update(banned.key, status={"S": "deleted"}))
    assert reload_item(banned).status == "deleted"


def test_a_reversed_decision_is_presented_to_a_person(table: str) -> None:
    """The outside writer changed only the status: it knew the item as we had left it."""
    create_post(TEXT_TO_REVIEW)
    banned = decide(create_post(CLEAN_TEXT), Action.BAN)
    id = ForumTarget.of(banned).id
    assert follow(outside_writes.update(banned.key, status={"S": "active"}))
    after = reload_item(banned)
    assert after.status == "active" and after.reversed_decision == {"status": "banned", "by": "marco@example.com"}
    assert waiting()[0] == id, "it is first in the queue"
    # A later Put does not ban it again either: the person has not decided yet.
    assert follow(outside_writes.put(as_apps_know_it(after)))
    assert reload_item(banned).status == "active" and waiting()[0] == id
    approved = decide(reload_item(banned), Action.APPROVE)
    assert not approved.reversed_decision and id not in waiting()
    assert follow(outside_writes.put(as_apps_know_it(approved)))
    assert reload_item(banned).reviewed_by == approved.reviewed_by and id not in waiting()


@real_engines
def test_a_decision_made_while_a_put_is_repaired_is_not_overwritten(table: str) -> None:
    post = decide(create_post(TEXT_TO_REVIEW), Action.APPROVE)
    change = outside_writes.put(as_apps_know_it(post))
    writes = outside_writes.writes_for(change)
    decided = decide(reload_item(post), Action.BAN)
    assert not writer.apply(writes)
    assert (reload_item(post).status, reload_item(post).revision) == ("banned", decided.revision)
    follow(change)
    assert (reload_item(post).status, reload_item(post).banned_by) == ("banned", decided.banned_by)


@real_engines
def test_a_comment_counted_while_the_filter_bans_another_is_not_lost(table: str) -> None:
    follow(outside_writes.put(raw_post(content=CLEAN_TEXT)))
    change = outside_writes.put(raw_comment(content=TEXT_TO_BAN))
    writes = outside_writes.writes_for(change)
    create_comment(post_of(), CLEAN_TEXT)
    assert not writer.apply(writes), "the count was read before"
    assert follow(change), "read again and computed again"
    assert post_of().comments_count == 1
