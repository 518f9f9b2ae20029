"""Bulk decisions: what is begun, counted and done, and what a colleague was faster with."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.core.clock import shifted
from dashboard.platform.jobs import queries as operations
from dashboard.platform.jobs import runner, services
from forum.actions import Action
from forum.targets import Target
from tests.conftest import every_engine
from tests.forum.bulks import (
    ANA,
    counted_and_done,
    counts,
    many_comments,
    many_posts,
    of_chosen,
    of_list,
    together,
)
from tests.forum.factories import CLEAN_TEXT, MARCO, a_comment, a_post, decided
from tests.forum.factories import reloaded as stands
from tests.jobs.execution import finish, reloaded


@every_engine
def test_a_selection_begins_at_once_and_has_one_id_in_the_log(table: str) -> None:
    posts = many_posts(12)
    comment = many_comments(posts[:1], 1)[0]
    work = of_chosen([*posts[:10], comment])
    assert counts(work) == ("running", 11, 0, 0)
    assert work.title == "Ban 11 posts and comments"

    after = finish(work)

    assert counts(after) == ("done", 11, 11, 0)
    assert [stands(each).status for each in posts] == ["banned"] * 10 + ["active"] * 2
    assert stands(comment).status == "banned"
    assert stands(posts[0]).comments_count == 0
    entries = together(work)
    banned = [*map(Target.of, posts[:10]), Target.of(comment)]
    assert sorted(str(each.target_id) for each in entries) == sorted(each.id for each in banned)
    assert {(each.action, each.reason, each.admin_id) for each in entries} == {
        ("ban", "Spam or advertising", MARCO.email)
    }


def test_everything_of_a_list_is_counted_and_waits(table: str) -> None:
    posts = many_posts(120)
    work = of_list()
    assert work.title == "Ban the posts of the review queue"
    counting = runner.advance(work, seconds=0)
    assert counts(counting) == ("running", 50, 0, 0) and counting.is_counting
    waiting = finish(counting)
    assert counts(waiting) == ("waiting", 120, 0, 0) and not waiting.is_counting
    assert {stands(each).status for each in posts[:5]} == {"active"}, "nothing has happened yet"
    assert counts(runner.advance(waiting)) == counts(waiting), "it does not begin by itself"
    lines = operations.all_lines(work.id, 200)
    assert sorted(line["post"] for line in lines) == sorted(Target.of(each).post for each in posts)
    began = waiting.cut_off

    services.confirm(waiting)
    after = finish(reloaded(work))

    assert counts(after) == ("done", 120, 120, 0)
    assert after.cut_off == began
    assert len(together(work)) == 120
    assert {stands(each).status for each in posts} == {"banned"}


def test_what_is_written_later_does_not_belong_to_it(table: str) -> None:
    posts = many_posts(60)
    work = runner.advance(of_list(), seconds=0)
    with shifted(timedelta(seconds=2)):
        late = a_post()
        after = counted_and_done(work)
    assert counts(after) == ("done", 60, 60, 0)
    assert stands(late).status == "active"
    assert {stands(each).status for each in posts} == {"banned"}


def test_what_a_colleague_decides_meanwhile_is_named_and_can_be_tried_again(table: str) -> None:
    posts = many_posts(5)
    waiting = finish(of_list())
    colleague = decided(posts[1], Action.APPROVE, by=MARCO)
    decided(decided(posts[3], Action.BAN, by=MARCO), Action.RESTORE, by=MARCO)
    services.confirm(waiting)
    after = finish(reloaded(waiting))
    assert counts(after) == ("done", 5, 3, 2)
    failed = {each.target: each.reason for each in operations.failures(after.id).items}
    assert set(failed) == {Target.of(posts[1]).path, Target.of(posts[3]).path}
    assert failed[Target.of(posts[1]).path].startswith("Marco Peña approved it")
    assert stands(colleague).status == "active"
    assert len(together(after)) == 3

    services.retry_failed(after)
    again = finish(reloaded(after))

    assert counts(again) == ("done", 5, 5, 0)
    assert {stands(each).status for each in posts} == {"banned"}
    assert len(together(after)) == 5


def test_what_is_deleted_already_stays_a_failure_when_tried_again(table: str) -> None:
    posts = many_posts(2)
    work = of_chosen(posts, action="delete", reason="")
    decided(posts[0], Action.DELETE, by=MARCO)
    after = finish(work)
    services.retry_failed(after)
    assert counts(finish(reloaded(after))) == ("done", 2, 1, 1)
    assert len(together(after)) == 1


@pytest.mark.parametrize(
    ("action", "touched"),
    [
        ("ban", {"calm": "banned", "waits": "banned", "comment": "banned"}),
        ("restore", {"banned": "active", "deleted": "active"}),
        ("delete", {"calm": "deleted", "waits": "deleted", "comment": "deleted", "banned": "deleted"}),
        ("approve", {"waits": "active", "comment": "active"}),
    ],
)
def test_everything_of_one_person(table: str, action: str, touched: dict[str, str]) -> None:
    """Posts and comments, where the action makes sense; of nobody else."""
    other = a_post(CLEAN_TEXT, author="beto@example.com")
    made = {
        "calm": a_post(CLEAN_TEXT),
        "waits": a_post(),
        "banned": decided(a_post(CLEAN_TEXT), Action.BAN),
        "deleted": decided(a_post(CLEAN_TEXT), Action.DELETE),
        "comment": a_comment(other, author=ANA),
    }
    before = {name: stands(item).revision for name, item in made.items()}
    after = counted_and_done(of_list(action=action, author=ANA))
    assert counts(after) == ("done", len(touched), len(touched), 0)
    changed = {
        name: item.status for name, item in ((n, stands(i)) for n, i in made.items()) if item.revision != before[name]
    }
    assert changed == touched
    assert stands(other).status == "active"


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
def test_every_list(table: str, show: str, kind: str, action: str, count: int) -> None:
    posts = many_posts(3)
    decided(posts[2], Action.APPROVE)
    many_comments(posts[:1], 3)
    decided(a_post(CLEAN_TEXT), Action.BAN)
    decided(a_post(CLEAN_TEXT), Action.DELETE)
    after = finish(of_list(action=action, show=show, kind=kind))
    if not count:
        assert counts(after) == ("done", 0, 0, 0), "there is nothing to begin"
        return
    services.confirm(after)
    assert counts(finish(reloaded(after))) == ("done", count, count, 0)
