"""A bulk job that is killed, at any call and several times: each post is changed once, and the undo restores all."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings

from dashboard.core.clock import now, shifted
from dashboard.core.errors import Conflict, Unavailable
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.jobs import parts, runner, services
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.kinds import KINDS
from dashboard.table import write
from dashboard.table.commands import new_command
from forum.actions import Action
from forum.items import Post
from forum.services import decisions
from forum.targets import ForumTarget
from tests.conftest import ACTOR, add_person, real_engines
from tests.faults import bad_network, lose_reply, lose_request
from tests.forum.bulk_jobs import (
    ANA,
    confirm_and_finish,
    create_comments,
    create_posts,
    log_entries_of_job,
    progress_of,
    start_on_list,
    start_on_selection,
    start_undo,
    stored_values,
    stored_values_of,
)
from tests.forum.factories import MARCO, entries_of, reload_item
from tests.jobs.execution import finish, reloaded
from tests.jobs.test_crashes import Killed, Killer
from tests.table.notes import on_dynoxide


# --- kill -9 -------------------------------------------------------------------------------------
def start_process(job: Job) -> subprocess.Popen[bytes]:
    """Start `manage.py run_operation`, which does the same as the requests of the page."""
    environment = {
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "TRASTIENDA_MODE": "test",
        "DYNAMODB_TABLE": settings.DYNAMODB_TABLE,
    }
    command = [sys.executable, "manage.py", "run_operation", job.id]
    return subprocess.Popen(command, cwd=settings.BASE_DIR, env=os.environ | environment, stdout=subprocess.DEVNULL)


def expire_lease(job: Job) -> None:
    """Let the lease of the killed process expire."""
    write.update(job.key, [Job.lease_until.set(now() - timedelta(seconds=1))], Job.lease_until.exists())


def kill_after(job: Job, *done_counts: int) -> None:
    """Start one process after another, kill each when this many posts are done, and let the last one finish."""
    for count in done_counts:
        worker = start_process(job)
        try:
            while reloaded(job).handled < count:
                assert worker.poll() is None, "the process ended before it was killed"
                time.sleep(0.05)
            time.sleep(random.uniform(0, 0.05))
        finally:
            worker.kill()
            worker.wait()
        assert reloaded(job).state == JobState.RUNNING
        expire_lease(job)
    assert start_process(job).wait(120) == 0


@on_dynoxide
def test_a_bulk_ban_of_500_survives_kill_9_and_can_be_undone(table: str) -> None:
    add_person(MARCO.email, Role.MODERATOR, MARCO.name)
    others = create_posts(6, author="beto@example.com")
    items: list[Any] = [*create_posts(440), *create_comments(others, 10)]
    before = stored_values_of([*items, *others])
    waiting = finish(start_on_list(author=ANA))
    assert progress_of(waiting) == ("waiting", 500, 0, 0)
    services.confirm(waiting)

    kill_after(waiting, 40, 250)

    job = reloaded(waiting)
    assert progress_of(job) == ("done", 500, 500, 0)
    assert {each["status"] for each in stored_values_of(items)} == {"banned"}
    assert [reload_item(each).comments_count for each in others] == [0] * 6
    ban_counter = Counter(str(each.target_id) for each in log_entries_of_job(job))
    assert ban_counter == Counter(ForumTarget.of(each).id for each in items), (
        "one log entry for each post, all with the id of the job"
    )

    undone = start_undo(job)
    kill_after(undone, 200)

    assert progress_of(reloaded(undone)) == ("done", 500, 500, 0)
    assert stored_values_of([*items, *others]) == before
    undo_counter = Counter(str(each.target_id) for each in log_entries_of_job(undone))
    assert undo_counter == ban_counter


# --- Killed at every call ------------------------------------------------------------------------
@on_dynoxide
@pytest.mark.parametrize("carried_out", [True, False], ids=["after", "before"])
def test_a_job_killed_at_any_call_changes_and_restores_each_post_once(
    table: str, carried_out: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The saved lines are the counted posts, and each post is changed once and restored once."""
    monkeypatch.setattr(parts, "LINES_A_PART", 2)
    kills, previous_kills = 0, -1
    for calls in range(1, 60):
        if kills == previous_kills:
            break
        previous_kills = kills
        author = f"ana-{calls}@example.com"
        items = create_posts(3, author)
        before = [stored_values(each) for each in items]
        job = start_on_list(author=author)
        for phase in ("count", "act", "undo"):
            with bad_network() as network:
                network.add_random_fault(1, Killer(calls, carried_out=carried_out))
                try:
                    runner.advance(job, seconds=60)
                except Killed:
                    kills += 1
            after = finish(reloaded(job))
            assert progress_of(after)[:2] == ("waiting" if phase == "count" else "done", 3)
            if phase == "count":
                services.confirm(after)
                found = sorted(line["post"] for part in range(2) for line in job_queries.lines_of_part(job.id, part))
                assert found == sorted(ForumTarget.of(each).post for each in items)
            elif phase == "act":
                assert progress_of(after) == ("done", 3, 3, 0)
                assert [len(entries_of(each)) for each in items] == [1] * 3
                job = start_undo(after)
                continue
            job = reloaded(job)
        assert progress_of(job) == ("done", 3, 3, 0)
        assert [stored_values(each) for each in items] == before
        assert [len(entries_of(each)) for each in items] == [2] * 3
    assert kills >= 20, "the job was killed at each of its calls"


@on_dynoxide
def test_a_worker_that_lost_its_lease_does_not_overwrite_the_lines_of_another(table: str) -> None:
    posts = create_posts(60)
    job = start_on_list()
    leased = runner._acquire_lease(job, "slow")
    assert leased is not None
    step = KINDS[leased.kind].step(leased)
    assert step.part is not None and len(step.part[1]) == 50
    # Meanwhile someone approves 30 posts, and another request counts the other 30.
    for post in posts[:30]:
        decisions.decide(ForumTarget.of(post), Action.APPROVE, revision=post.revision, command=new_command(ACTOR))
    waiting = finish(job)
    assert progress_of(waiting) == ("waiting", 30, 0, 0)
    with pytest.raises(runner.LeaseLost):
        runner._save(leased, step, "slow", release=True, must_run=True)
    lines = job_queries.all_lines(job.id, 100)
    assert sorted(line["post"] for line in lines) == sorted(ForumTarget.of(each).post for each in posts[30:])


# --- Lost replies, and colleagues ----------------------------------------------------------------
def approve_as_colleague(posts: list[Post]) -> None:
    """Approve the posts, as a colleague does while the job runs. On a conflict, leave the post."""
    for post in posts:
        command = new_command(ACTOR)
        for _ in range(20):
            try:
                decisions.decide(ForumTarget.of(post), Action.APPROVE, revision=post.revision, command=command)
            except Unavailable:
                continue
            except Conflict:
                pass
            break


@real_engines
def test_lost_replies_while_colleagues_decide_leave_one_outcome_for_each_post(table: str) -> None:
    """The undo restores what the job changed, and nothing that colleagues decided."""
    posts = create_posts(40)
    before = {ForumTarget.of(each).path: stored_values(each) for each in posts}
    with bad_network() as network:
        network.add_random_fault(0.06, lose_reply)
        network.add_random_fault(0.04, lose_request)
        waiting = finish(start_on_list())
        assert progress_of(waiting) == ("waiting", 40, 0, 0)
        services.confirm(waiting)
        with ThreadPoolExecutor(2) as desk:
            colleagues = [
                desk.submit(approve_as_colleague, posts[10:20]),
                desk.submit(approve_as_colleague, posts[15:25]),
            ]
            job = finish(reloaded(waiting))
            for each in colleagues:
                each.result()
        assert network.faults > 10
        network.stop_faults()
    failed = {each.target for each in job_queries.failures(job.id).items}
    assert progress_of(job) == ("done", 40, 40 - len(failed), len(failed))
    for post in posts:
        decided_by_colleague = ForumTarget.of(post).path in failed
        assert [each.admin_id for each in entries_of(post)] == [ACTOR.email if decided_by_colleague else MARCO.email]
        assert reload_item(post).status == ("active" if decided_by_colleague else "banned")
    assert len(log_entries_of_job(job)) == 40 - len(failed)

    with bad_network(seed=11) as network:
        network.add_random_fault(0.06, lose_reply)
        network.add_random_fault(0.04, lose_request)
        undone = finish(start_undo(job))
        network.stop_faults()
    assert progress_of(undone) == ("done", 40 - len(failed), 40 - len(failed), 0)
    for post in posts:
        if (name := ForumTarget.of(post).path) not in failed:
            assert stored_values(post) == before[name]
            assert len(entries_of(post)) == 2


@real_engines
def test_the_comment_count_is_exact_after_a_bulk_ban_of_comments_of_one_post(table: str) -> None:
    posts = create_posts(1)
    comments = create_comments(posts, 24)
    job = finish(start_on_selection(comments))
    assert progress_of(job) == ("done", 24, 24, 0)
    assert reload_item(posts[0]).comments_count == 0
    assert reload_item(posts[0]).gsi4sk.startswith("0000000000#")
    assert progress_of(finish(start_undo(job))) == ("done", 24, 24, 0)
    assert reload_item(posts[0]).comments_count == 24
    assert reload_item(posts[0]).gsi4sk.startswith("0000000024#")


@on_dynoxide
def test_a_job_stopped_in_the_last_counting_step_waits_for_confirmation(table: str) -> None:
    create_posts(3)
    job = start_on_list()
    leased = runner._acquire_lease(job, "mine")
    assert leased is not None
    step = KINDS[leased.kind].step(leased)
    services.stop(job)
    with pytest.raises(runner.StopRequested):
        runner._save(leased, step, "mine", release=True, must_run=True)
    runner._save(leased, step, "mine", release=True, must_run=False)
    assert progress_of(reloaded(job)) == ("waiting", 3, 0, 0)


@on_dynoxide
def test_a_job_stopped_while_counting_can_be_resumed(table: str) -> None:
    create_posts(120)
    job = runner.advance(start_on_list(), seconds=0)
    services.stop(job)
    assert progress_of(runner.advance(job)) == ("stopped", 50, 0, 0)
    services.resume(job)
    with shifted(timedelta(seconds=5)):
        assert progress_of(confirm_and_finish(reloaded(job))) == ("done", 120, 120, 0)
