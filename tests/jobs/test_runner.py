"""Jobs run in steps, count exactly, and can be stopped, continued and retried."""

from __future__ import annotations

import logging
from datetime import timedelta

import pytest

from dashboard.core.clock import shifted
from dashboard.core.errors import NotFound, Refused, Unavailable
from dashboard.platform.jobs import kinds, queries, runner, services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.kinds import FailedTarget, Step
from dashboard.platform.jobs.permissions import Permission
from dashboard.table import keys, tenancy, write
from dashboard.table.commands import Actor, new_command
from tests.conftest import ACTOR, every_engine
from tests.jobs import count_job
from tests.jobs.count_job import lines, start_count, times_counted
from tests.jobs.execution import finish, reloaded
from tests.ui.walk import values


def counts(job: Job) -> tuple[str, int, int, int]:
    return job.state, int(job.total or 0), int(job.done), int(job.failed)


@every_engine
def test_a_job_runs_in_steps_until_it_is_done(table: str) -> None:
    given = lines(55, fails=(3, 53))
    job = start_count(ACTOR, *given)
    assert counts(job) == ("running", 55, 0, 0)
    after = runner.advance(job, seconds=0)
    assert counts(after) == ("running", 55, 7, 1), "one step of eight lines"
    assert not reloaded(job).is_leased, "the lease ends with the request"
    end = finish(after)
    assert counts(end) == counts(reloaded(job)) == ("done", 55, 53, 2)
    assert values(reloaded(job), "cursor", "lease_by", "lease_until") == (None, None, None)
    assert reloaded(job).finished_at is not None
    assert set(count_job.tried.values()) == {1}
    assert [times_counted(line["name"]) for line in given] == [0 if line["fails"] else 1 for line in given]
    failed = queries.failures(job.id).items
    assert [(each.target, each.reason) for each in failed] == sorted(
        (line["name"], f"{line['name']} cannot be counted.") for line in given if line["fails"]
    )
    assert counts(runner.advance(end)) == counts(end), "a finished job does nothing more"


def test_a_job_without_lines_is_done_at_once(table: str) -> None:
    assert counts(runner.advance(start_count(ACTOR))) == ("done", 0, 0, 0)


def test_a_request_runs_steps_until_its_time_is_over(table: str) -> None:
    job = runner.advance(start_count(ACTOR, *lines(20)), seconds=60)
    assert counts(job) == ("done", 20, 20, 0)


def test_a_form_sent_twice_creates_one_job_with_the_first_inputs(table: str) -> None:
    command = new_command(ACTOR)
    first = services.start(count_job.COUNT, "Count", command=command, inputs=lines(3))
    again = services.start(count_job.COUNT, "Count", command=command, inputs=lines(5))
    assert again.id == first.id and counts(again) == ("running", 3, 0, 0)
    assert len(queries.all_lines(first.id, 100)) == 3
    assert [each.id for each in queries.jobs_of(ACTOR.email).items] == [first.id]


def test_a_waiting_job_does_nothing_until_it_is_confirmed(table: str) -> None:
    job = services.start(count_job.COUNT, "Count", command=new_command(ACTOR), inputs=lines(3), waiting=True)
    assert counts(runner.advance(job)) == ("waiting", 3, 0, 0)
    assert values(reloaded(job), "cut_off") == (None,)
    services.confirm(job)
    services.confirm(job)
    assert values(reloaded(job), "cut_off") != (None,)
    assert counts(runner.advance(job)) == ("done", 3, 3, 0)
    services.confirm(job)
    assert reloaded(job).state == JobState.DONE, "the job does not start again"


def test_stopping_during_a_step_counts_that_step(table: str) -> None:
    given = lines(40)
    job = start_count(ACTOR, *given)
    count_job.after.append(lambda name: services.stop(job) if name == given[10]["name"] else None)
    stopped = runner.advance(job, seconds=60)
    assert counts(reloaded(job)) == ("stopped", 40, 16, 0)
    assert not stopped.is_leased
    assert counts(runner.advance(job)) == ("stopped", 40, 16, 0), "a page that still asks does not resume it"
    services.resume(job)
    assert counts(finish(reloaded(job))) == ("done", 40, 40, 0)
    assert set(count_job.tried.values()) == {1}
    services.stop(job)
    services.resume(job)
    assert reloaded(job).state == JobState.DONE


def test_stopping_during_the_last_step_leaves_it_finished(table: str) -> None:
    job = start_count(ACTOR, *lines(3))
    count_job.after.append(lambda name: services.stop(job))
    runner.advance(job, seconds=0)
    assert counts(reloaded(job)) == ("done", 3, 3, 0)


def test_failed_targets_are_retried(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "PAGE", 10)
    given = lines(20, fails=tuple(range(15)))
    job = finish(start_count(ACTOR, *given))
    assert counts(job) == ("done", 20, 5, 15)
    assert len(queries.failures(job.id).items) == 10 and queries.failures(job.id).next_start_key
    count_job.resolved.update(line["name"] for line in given[:9])
    services.retry_failed(job)
    assert counts(reloaded(job)) == ("running", 20, 5, 15)
    assert values(reloaded(job), "finished_at") == (None,)
    after = finish(reloaded(job))
    assert counts(after) == ("done", 20, 14, 6)
    left = [each.target for each in queries.failures(job.id).items]
    assert left == sorted(line["name"] for line in given[9:15])
    assert [times_counted(line["name"]) for line in given] == [1] * 9 + [0] * 6 + [1] * 5
    assert all(count_job.tried[line["name"]] == (2 if line["fails"] else 1) for line in given)


def test_a_job_without_failures_is_not_retried(table: str) -> None:
    job = finish(start_count(ACTOR, *lines(2)))
    services.retry_failed(job)
    assert reloaded(job).state == JobState.DONE


def test_an_exception_in_a_line_fails_only_that_line(table: str, caplog: pytest.LogCaptureFixture) -> None:
    given = [*lines(4), {"name": "bad", "breaks": True}]
    with caplog.at_level(logging.ERROR, "trastienda.operations"):
        job = finish(start_count(ACTOR, *given))
    assert counts(job) == ("done", 5, 4, 1)
    assert [each.reason for each in queries.failures(job.id).items] == ["Something went wrong on our side."]
    assert "a target broke" in caplog.text


def test_an_exception_in_a_step_interrupts_the_job_and_it_can_be_continued(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_fixed: list[bool] = []

    @kinds.job_kind("test.replay", permission=Permission.OPERATIONS)
    def replay(job: Job) -> Step:
        if job.cursor == 2 and not is_fixed:
            raise ZeroDivisionError
        at = int(job.cursor or 0) + 1
        return Step(at if at < 5 else None, done=1, result={"sum": (job.result or {}).get("sum", 0) + at})

    job = services.start("test.replay", "Replay", command=new_command(ACTOR), total=5)
    assert counts(runner.advance(job)) == ("failed", 5, 2, 0)
    assert not reloaded(job).is_leased
    is_fixed.append(True)
    services.resume(job)
    end = runner.advance(reloaded(job))
    assert counts(end) == ("done", 5, 5, 0) and reloaded(job).result == {"sum": 15}
    with pytest.raises(Refused, match="cannot be retried"):
        services.retry_failed(end)
    del kinds.KINDS["test.replay"]
    assert counts(runner.advance(end)) == counts(end)


def test_too_many_failures_in_a_step_interrupt_the_job_and_write_nothing(table: str) -> None:
    @kinds.job_kind("test.greedy", permission=Permission.OPERATIONS)
    def greedy(job: Job) -> Step:
        return Step(1, failed=tuple(FailedTarget(str(n), "no") for n in range(9)))

    job = services.start("test.greedy", "Greedy", command=new_command(ACTOR), total=9)
    assert counts(runner.advance(job)) == ("failed", 9, 0, 0)
    assert queries.failures(job.id).items == []
    del kinds.KINDS["test.greedy"]


def test_an_unavailable_table_is_not_a_failure_of_a_target(table: str) -> None:
    given, pending_error = lines(8), [True]

    def raise_once(name: str) -> None:
        if name == given[5]["name"] and pending_error:
            pending_error.clear()
            raise Unavailable

    count_job.before.append(raise_once)
    job = start_count(ACTOR, *given)
    with pytest.raises(Unavailable):
        runner.advance(job)
    assert counts(reloaded(job)) == ("running", 8, 0, 0) and not reloaded(job).is_leased
    assert counts(runner.advance(job)) == ("done", 8, 8, 0)
    assert [times_counted(line["name"]) for line in given] == [1] * 8


def test_only_one_request_runs_a_job_and_an_expired_lease_frees_it(table: str) -> None:
    job = start_count(ACTOR, *lines(8))
    leased = runner._acquire_lease(job, "someone")
    assert leased is not None and leased.is_leased
    watched = runner.advance(job)
    assert counts(watched) == ("running", 8, 0, 0) and watched.is_leased and not count_job.tried
    with shifted(timedelta(seconds=31)):
        assert counts(runner.advance(job)) == ("done", 8, 8, 0)
    # The first request comes back after its lease: its result is not saved.
    with pytest.raises(runner.LeaseLost):
        runner._save(leased, Step(8, done=8, failed=(FailedTarget("x", "no"),)), "someone", release=True, must_run=True)
    assert counts(reloaded(job)) == ("done", 8, 8, 0)
    assert queries.failures(job.id).items == []


def test_a_job_and_its_lines_expire_after_thirty_days(table: str) -> None:
    job = start_count(ACTOR, *lines(8))
    with shifted(timedelta(days=29)):
        assert queries.load_own_job(job.id, ACTOR.email).id == job.id
    with shifted(timedelta(days=30)):
        with pytest.raises(NotFound):
            queries.load_own_job(job.id, ACTOR.email)
        assert queries.lines_of_part(job.id, 0) == []
        assert queries.jobs_of(ACTOR.email).items == []
        with pytest.raises(NotFound):
            runner.advance(job)


def test_a_job_of_a_business_is_visible_only_in_that_business(table: str) -> None:
    owner = Actor("olivia@example.com", "Olivia")
    job = services.start(count_job.COUNT, "Count", command=new_command(owner), inputs=lines(3), business="andina")
    assert queries.load_own_job(job.id, owner.email, "andina").business_id == "andina"
    for business in (None, "harbour"):
        with pytest.raises(NotFound):
            queries.load_own_job(job.id, owner.email, business)
    with tenancy.bind(tenancy.Binding("harbour", owner.email)), pytest.raises(NotFound):
        queries.find_job(job.id)
    with tenancy.bind(tenancy.Binding("andina", "other@example.com")), pytest.raises(NotFound):
        queries.lines_of_part(job.id, 0)
    with tenancy.bind(tenancy.Binding("andina", owner.email)):
        leased = runner._acquire_lease(job, "mine")
        assert leased is not None
        runner._save(leased, Step(3, done=2, failed=(FailedTarget("x", "no"),)), "mine", release=True, must_run=True)
        assert [each.reason for each in queries.failures(job.id).items] == ["no"]
        assert [each.id for each in queries.jobs_of(owner.email).items] == [job.id]


def test_an_unknown_kind_interrupts_the_job(table: str) -> None:
    job = start_count(ACTOR, *lines(2))
    write.update(keys.OPERATION.key(operation=job.id), [Job.kind.set("no.such.kind")])
    assert counts(runner.advance(job)) == ("failed", 2, 0, 0)
