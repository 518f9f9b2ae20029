"""A bulk that dies, wherever and however often: each is done once, and all of it comes back."""

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
from dashboard.platform.jobs import queries as operations
from dashboard.platform.jobs import runner, services
from dashboard.platform.jobs.items import Job, State
from dashboard.platform.jobs.kinds import KINDS
from dashboard.table import write
from dashboard.table.commands import new_command
from forum.actions import Action
from forum.bulk import selection
from forum.items import Post
from forum.services import decisions
from forum.targets import Target
from tests.conftest import ACTOR, add_person, real_engines
from tests.faults import bad_network, lose_reply, lose_request
from tests.forum.bulks import (
    ANA,
    counted_and_done,
    counts,
    many_comments,
    many_posts,
    of_chosen,
    of_list,
    raw,
    raws,
    together,
    undo_of,
)
from tests.forum.factories import MARCO, entries_of
from tests.forum.factories import reloaded as stands
from tests.jobs.execution import finish, reloaded
from tests.jobs.test_crashes import Killed, Killer
from tests.table.notes import on_dynoxide


# --- kill -9 -------------------------------------------------------------------------------------
def process(work: Job) -> subprocess.Popen[bytes]:
    """`manage.py run_operation`, which does what the page's requests do."""
    chosen = {
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "TRASTIENDA_MODE": "test",
        "DYNAMODB_TABLE": settings.DYNAMODB_TABLE,
    }
    command = [sys.executable, "manage.py", "run_operation", work.id]
    return subprocess.Popen(command, cwd=settings.BASE_DIR, env=os.environ | chosen, stdout=subprocess.DEVNULL)


def half_a_minute_passes(work: Job) -> None:
    """The lease of whoever was killed lapses."""
    write.update(work.key, [Job.lease_until.set(now() - timedelta(seconds=1))], Job.lease_until.exists())


def killed_at(work: Job, *counts: int) -> None:
    """One process after the other, each killed somewhere after so many are done; the last one comes to the end."""
    for count in counts:
        worker = process(work)
        try:
            while reloaded(work).handled < count:
                assert worker.poll() is None, "it ended before it was killed"
                time.sleep(0.05)
            time.sleep(random.uniform(0, 0.05))
        finally:
            worker.kill()
            worker.wait()
        assert reloaded(work).state == State.RUNNING
        half_a_minute_passes(work)
    assert process(work).wait(120) == 0


@on_dynoxide
def test_a_bulk_ban_of_500_survives_kill_9_and_comes_back(table: str) -> None:
    add_person(MARCO.email, Role.MODERATOR, MARCO.name)
    others = many_posts(6, author="beto@example.com")
    items: list[Any] = [*many_posts(440), *many_comments(others, 10)]
    before = raws([*items, *others])
    waiting = finish(of_list(author=ANA))
    assert counts(waiting) == ("waiting", 500, 0, 0)
    services.confirm(waiting)

    killed_at(waiting, 40, 250)

    work = reloaded(waiting)
    assert counts(work) == ("done", 500, 500, 0)
    assert {each["status"] for each in raws(items)} == {"banned"}
    assert [stands(each).comments_count for each in others] == [0] * 6
    done = Counter(str(each.target_id) for each in together(work))
    assert done == Counter(Target.of(each).id for each in items), "one entry for each, under one id"

    undone = undo_of(work)
    killed_at(undone, 200)

    assert counts(reloaded(undone)) == ("done", 500, 500, 0)
    assert raws([*items, *others]) == before
    back = Counter(str(each.target_id) for each in together(undone))
    assert back == done


# --- At every call -------------------------------------------------------------------------------
@on_dynoxide
@pytest.mark.parametrize("carried_out", [True, False], ids=["after", "before"])
def test_killed_at_every_call_from_counting_to_undo(
    table: str, carried_out: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it dies, what is put down is what was counted, and each is done and undone once."""
    monkeypatch.setattr(selection, "LINES_A_PART", 2)
    died, last = 0, -1
    for calls in range(1, 60):
        if died == last:
            break
        last = died
        author = f"ana-{calls}@example.com"
        items = many_posts(3, author)
        before = [raw(each) for each in items]
        work = of_list(author=author)
        for phase in ("count", "act", "undo"):
            with bad_network() as network:
                network.add_random_fault(1, Killer(calls, carried_out=carried_out))
                try:
                    runner.advance(work, seconds=60)
                except Killed:
                    died += 1
            after = finish(reloaded(work))
            assert counts(after)[:2] == ("waiting" if phase == "count" else "done", 3)
            if phase == "count":
                services.confirm(after)
                found = sorted(line["post"] for part in range(2) for line in operations.lines_of_part(work.id, part))
                assert found == sorted(Target.of(each).post for each in items)
            elif phase == "act":
                assert counts(after) == ("done", 3, 3, 0)
                assert [len(entries_of(each)) for each in items] == [1] * 3
                work = undo_of(after)
                continue
            work = reloaded(work)
        assert counts(work) == ("done", 3, 3, 0)
        assert [raw(each) for each in items] == before
        assert [len(entries_of(each)) for each in items] == [2] * 3
    assert died >= 20, "it was killed at every one of its calls"


@on_dynoxide
def test_a_slow_one_puts_nothing_down_over_another_s_lines(table: str) -> None:
    posts = many_posts(60)
    work = of_list()
    held = runner._acquire_lease(work, "slow")
    assert held is not None
    step = KINDS[held.kind].step(held)
    assert step.part is not None and len(step.part[1]) == 50
    # Meanwhile someone decides, and another request counts what is left.
    for post in posts[:30]:
        decisions.decide(Target.of(post), Action.APPROVE, revision=post.revision, command=new_command(ACTOR))
    waiting = finish(work)
    assert counts(waiting) == ("waiting", 30, 0, 0)
    with pytest.raises(runner.LeaseLost):
        runner._save(held, step, "slow", release=True, must_run=True)
    lines = operations.all_lines(work.id, 100)
    assert sorted(line["post"] for line in lines) == sorted(Target.of(each).post for each in posts[30:])


# --- Lost replies, and colleagues ----------------------------------------------------------------
def colleague(posts: list[Post]) -> None:
    """Approves what she can get; whoever is faster has it."""
    for post in posts:
        command = new_command(ACTOR)
        for _ in range(20):
            try:
                decisions.decide(Target.of(post), Action.APPROVE, revision=post.revision, command=command)
            except Unavailable:
                continue
            except Conflict:
                pass
            break


@real_engines
def test_lost_replies_while_colleagues_decide(table: str) -> None:
    """One outcome a post, told as it is; and the undo takes back what the bulk did, and nothing of theirs."""
    posts = many_posts(40)
    before = {Target.of(each).path: raw(each) for each in posts}
    with bad_network() as network:
        network.add_random_fault(0.06, lose_reply)
        network.add_random_fault(0.04, lose_request)
        waiting = finish(of_list())
        assert counts(waiting) == ("waiting", 40, 0, 0)
        services.confirm(waiting)
        with ThreadPoolExecutor(2) as desk:
            at_it = [desk.submit(colleague, posts[10:20]), desk.submit(colleague, posts[15:25])]
            work = finish(reloaded(waiting))
            for each in at_it:
                each.result()
        assert network.faults > 10
        network.stop_faults()
    failed = {each.target for each in operations.failures(work.id).items}
    assert counts(work) == ("done", 40, 40 - len(failed), len(failed))
    for post in posts:
        theirs = Target.of(post).path in failed
        assert [each.admin_id for each in entries_of(post)] == [ACTOR.email if theirs else MARCO.email]
        assert stands(post).status == ("active" if theirs else "banned")
    assert len(together(work)) == 40 - len(failed)

    with bad_network(seed=11) as network:
        network.add_random_fault(0.06, lose_reply)
        network.add_random_fault(0.04, lose_request)
        undone = finish(undo_of(work))
        network.stop_faults()
    assert counts(undone) == ("done", 40 - len(failed), 40 - len(failed), 0)
    for post in posts:
        if (name := Target.of(post).path) not in failed:
            assert raw(post) == before[name]
            assert len(entries_of(post)) == 2


@real_engines
def test_many_comments_of_one_post_at_once_are_counted_exactly(table: str) -> None:
    posts = many_posts(1)
    comments = many_comments(posts, 24)
    work = finish(of_chosen(comments))
    assert counts(work) == ("done", 24, 24, 0)
    assert stands(posts[0]).comments_count == 0
    assert stands(posts[0]).gsi4sk.startswith("0000000000#")
    assert counts(finish(undo_of(work))) == ("done", 24, 24, 0)
    assert stands(posts[0]).comments_count == 24
    assert stands(posts[0]).gsi4sk.startswith("0000000024#")


@on_dynoxide
def test_stopped_in_the_last_step_of_counting_it_waits_all_the_same(table: str) -> None:
    many_posts(3)
    work = of_list()
    held = runner._acquire_lease(work, "mine")
    assert held is not None
    step = KINDS[held.kind].step(held)
    services.stop(work)
    with pytest.raises(runner.StopRequested):
        runner._save(held, step, "mine", release=True, must_run=True)
    runner._save(held, step, "mine", release=True, must_run=False)
    assert counts(reloaded(work)) == ("waiting", 3, 0, 0)


@on_dynoxide
def test_stopped_while_counting_it_goes_on_counting(table: str) -> None:
    many_posts(120)
    work = runner.advance(of_list(), seconds=0)
    services.stop(work)
    assert counts(runner.advance(work)) == ("stopped", 50, 0, 0)
    services.resume(work)
    with shifted(timedelta(seconds=5)):
        assert counts(counted_and_done(reloaded(work))) == ("done", 120, 120, 0)
