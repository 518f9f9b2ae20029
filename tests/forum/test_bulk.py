"""Bulk decisions: counting, confirming, executing, and conflicts with decisions of colleagues."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.core.clock import shifted
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import runner, services
from forum.actions import Action
from forum.targets import ForumTarget
from tests.conftest import every_engine
from tests.forum.bulk_jobs import (
    ANA,
    confirm_and_finish,
    create_comments,
    create_posts,
    log_entries_of_job,
    progress_of,
    start_on_list,
    start_on_selection,
)
from tests.forum.factories import CLEAN_TEXT, MARCO, create_comment, create_post, decide, reload_item
from tests.jobs.execution import finish, reloaded


@every_engine
def test_a_selection_starts_immediately_and_its_log_entries_share_one_id(table: str) -> None:
    posts = create_posts(12)
    comment = create_comments(posts[:1], 1)[0]
    job = start_on_selection([*posts[:10], comment])
    assert progress_of(job) == ("running", 11, 0, 0)
    assert job.title == "Ban 11 posts and comments"

    after = finish(job)

    assert progress_of(after) == ("done", 11, 11, 0)
    assert [reload_item(each).status for each in posts] == ["banned"] * 10 + ["active"] * 2
    assert reload_item(comment).status == "banned"
    assert reload_item(posts[0]).comments_count == 0
    entries = log_entries_of_job(job)
    banned = [*map(ForumTarget.of, posts[:10]), ForumTarget.of(comment)]
    assert sorted(str(each.target_id) for each in entries) == sorted(each.id for each in banned)
    assert {(each.action, each.reason, each.admin_id) for each in entries} == {
        ("ban", "Spam or advertising", MARCO.email)
    }


def test_a_job_on_a_whole_list_counts_and_then_waits_for_confirmation(table: str) -> None:
    posts = create_posts(120)
    job = start_on_list()
    assert job.title == "Ban the posts of the review queue"
    counting = runner.advance(job, seconds=0)
    assert progress_of(counting) == ("running", 50, 0, 0) and counting.is_counting
    waiting = finish(counting)
    assert progress_of(waiting) == ("waiting", 120, 0, 0) and not waiting.is_counting
    assert {reload_item(each).status for each in posts[:5]} == {"active"}, "nothing is banned before the confirmation"
    assert progress_of(runner.advance(waiting)) == progress_of(waiting), "it does not start without confirmation"
    lines = job_queries.all_lines(job.id, 200)
    assert sorted(line["post"] for line in lines) == sorted(ForumTarget.of(each).post for each in posts)
    cut_off = waiting.cut_off

    services.confirm(waiting)
    after = finish(reloaded(job))

    assert progress_of(after) == ("done", 120, 120, 0)
    assert after.cut_off == cut_off
    assert len(log_entries_of_job(job)) == 120
    assert {reload_item(each).status for each in posts} == {"banned"}


def test_posts_written_after_the_start_are_not_included(table: str) -> None:
    posts = create_posts(60)
    job = runner.advance(start_on_list(), seconds=0)
    with shifted(timedelta(seconds=2)):
        late = create_post()
        after = confirm_and_finish(job)
    assert progress_of(after) == ("done", 60, 60, 0)
    assert reload_item(late).status == "active"
    assert {reload_item(each).status for each in posts} == {"banned"}


def test_posts_decided_by_a_colleague_meanwhile_fail_and_can_be_retried(table: str) -> None:
    posts = create_posts(5)
    waiting = finish(start_on_list())
    colleague = decide(posts[1], Action.APPROVE, by=MARCO)
    decide(decide(posts[3], Action.BAN, by=MARCO), Action.RESTORE, by=MARCO)
    services.confirm(waiting)
    after = finish(reloaded(waiting))
    assert progress_of(after) == ("done", 5, 3, 2)
    failed = {each.target: each.reason for each in job_queries.failures(after.id).items}
    assert set(failed) == {ForumTarget.of(posts[1]).path, ForumTarget.of(posts[3]).path}
    assert failed[ForumTarget.of(posts[1]).path].startswith("Marco Peña approved it")
    assert reload_item(colleague).status == "active"
    assert len(log_entries_of_job(after)) == 3

    services.retry_failed(after)
    again = finish(reloaded(after))

    assert progress_of(again) == ("done", 5, 5, 0)
    assert {reload_item(each).status for each in posts} == {"banned"}
    assert len(log_entries_of_job(after)) == 5


def test_retrying_a_post_that_is_already_deleted_fails_again(table: str) -> None:
    posts = create_posts(2)
    job = start_on_selection(posts, action="delete", reason="")
    decide(posts[0], Action.DELETE, by=MARCO)
    after = finish(job)
    services.retry_failed(after)
    assert progress_of(finish(reloaded(after))) == ("done", 2, 1, 1)
    assert len(log_entries_of_job(after)) == 1


@pytest.mark.parametrize(
    ("action", "touched"),
    [
        ("ban", {"calm": "banned", "waits": "banned", "comment": "banned"}),
        ("restore", {"banned": "active", "deleted": "active"}),
        ("delete", {"calm": "deleted", "waits": "deleted", "comment": "deleted", "banned": "deleted"}),
        ("approve", {"waits": "active", "comment": "active"}),
    ],
)
def test_a_job_on_one_person_changes_only_their_posts_and_comments(
    table: str, action: str, touched: dict[str, str]
) -> None:
    """It changes those that the action applies to, and nothing of other people."""
    other = create_post(CLEAN_TEXT, author="beto@example.com")
    items = {
        "calm": create_post(CLEAN_TEXT),
        "waits": create_post(),
        "banned": decide(create_post(CLEAN_TEXT), Action.BAN),
        "deleted": decide(create_post(CLEAN_TEXT), Action.DELETE),
        "comment": create_comment(other, author=ANA),
    }
    before = {name: reload_item(item).revision for name, item in items.items()}
    after = confirm_and_finish(start_on_list(action=action, author=ANA))
    assert progress_of(after) == ("done", len(touched), len(touched), 0)
    changed = {
        name: item.status
        for name, item in ((n, reload_item(i)) for n, i in items.items())
        if item.revision != before[name]
    }
    assert changed == touched
    assert reload_item(other).status == "active"


@pytest.mark.parametrize(("show", "kind", "action", "count"), [
    ("review", "posts", "approve", 2),
    ("review", "comments", "ban", 3),
    ("active", "posts", "ban", 3),
    ("active", "comments", "delete", 3),
    ("banned", "posts", "restore", 1),
    ("deleted", "posts", "restore", 1),
    ("deleted", "comments", "restore", 0),
    ("banned", "posts", "ban", 0),
])  # fmt: skip
def test_a_job_on_each_list_changes_all_posts_of_the_list(
    table: str, show: str, kind: str, action: str, count: int
) -> None:
    posts = create_posts(3)
    decide(posts[2], Action.APPROVE)
    create_comments(posts[:1], 3)
    decide(create_post(CLEAN_TEXT), Action.BAN)
    decide(create_post(CLEAN_TEXT), Action.DELETE)
    after = finish(start_on_list(action=action, show=show, kind=kind))
    if not count:
        assert progress_of(after) == ("done", 0, 0, 0), "an empty list needs no confirmation"
        return
    services.confirm(after)
    assert progress_of(finish(reloaded(after))) == ("done", count, count, 0)
