"""Crashes at any point and concurrent requests: every target is done once and counted once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse

from dashboard.core.clock import shifted
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.jobs import queries, runner, services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.kinds import KINDS
from tests.conftest import ACTOR, add_person, real_engines, sign_in
from tests.faults import Send, bad_network, lose_reply, lose_request
from tests.jobs import count_job
from tests.jobs.count_job import lines, start_count, times_counted
from tests.jobs.execution import finish, reloaded
from tests.table.notes import on_dynoxide


class Killed(BaseException):
    """The process is killed: no later code of it runs."""


class Killer:
    """Lets a number of calls through, then kills the process after or before the last one is sent."""

    def __init__(self, calls: int, *, carried_out: bool) -> None:
        self.left, self.carried_out = calls, carried_out
        self._lock = threading.Lock()

    def __call__(self, send: Send, request: AWSPreparedRequest) -> AWSResponse:
        with self._lock:
            self.left -= 1
            left = self.left
        if left > 0:
            return send(request)
        if left == 0 and self.carried_out:
            send(request)
        raise Killed


def check_finished(job: Job, given: list[dict[str, Any]]) -> None:
    """Check that the job is done, with every target and every failure counted once."""
    failing = [line["name"] for line in given if line["fails"]]
    end = reloaded(job)
    assert (end.state, end.done, end.failed) == (JobState.DONE, len(given) - len(failing), len(failing))
    assert [times_counted(line["name"]) for line in given] == [0 if line["fails"] else 1 for line in given]
    assert [each.target for each in queries.failures(job.id).items] == sorted(failing)


@on_dynoxide
@pytest.mark.parametrize("carried_out", [True, False], ids=["after", "before"])
def test_a_job_killed_at_any_call_is_continued(table: str, carried_out: bool) -> None:
    """From the lease to the last write of the progress: the job continues where it was killed."""
    died = 0
    for calls in range(1, 200):
        given = lines(11, fails=(2, 9))
        job = start_count(ACTOR, *given)
        with bad_network() as network:
            network.add_random_fault(1, Killer(calls, carried_out=carried_out))
            try:
                runner.advance(job, seconds=60)
            except Killed:
                died += 1
        finish(reloaded(job))
        check_finished(job, given)
        if died < calls:
            break
    assert died >= 15, "it was killed at every one of its calls"
    # It continued from the saved progress and did not start over.
    assert max(count_job.tried.values()) <= 2


@on_dynoxide
def test_a_retry_killed_several_times_is_continued(table: str) -> None:
    given = lines(30, fails=tuple(range(20)))
    job = finish(start_count(ACTOR, *given))
    count_job.resolved.update(line["name"] for line in given[:12])
    services.retry_failed(job)
    for time, calls in enumerate((2, 3, 9, 6, 4, 8)):
        later = time * (runner.LEASE + timedelta(seconds=1))
        with shifted(later), bad_network() as network, pytest.raises(Killed):
            network.add_random_fault(1, Killer(calls, carried_out=calls % 2 == 0))
            runner.advance(reloaded(job), seconds=60)
    finish(reloaded(job))
    check_finished(job, [line | {"fails": line["name"] not in count_job.resolved and line["fails"]} for line in given])


@real_engines
def test_lost_replies_and_requests_change_no_result(table: str) -> None:
    given = lines(40, fails=(0, 17, 39))
    job = start_count(ACTOR, *given)
    with bad_network() as network:
        network.add_random_fault(0.08, lose_reply)
        network.add_random_fault(0.05, lose_request)
        finish(job)
        assert network.faults > 5
        network.stop_faults()
    check_finished(job, given)


@on_dynoxide
def test_a_lease_with_a_lost_reply_belongs_to_the_request(table: str) -> None:
    job = start_count(ACTOR, *lines(3))
    with bad_network() as network:
        network.next("UpdateItem", lose_reply)
        after = runner.advance(job)
    assert (after.state, after.done) == (JobState.DONE, 3)


@real_engines
def test_sixteen_tabs_at_once_try_each_target_once(table: str) -> None:
    """One tab works and the others watch; every target is tried exactly once."""
    given = lines(100, fails=(5, 50, 95))
    job = start_count(ACTOR, *given)
    alma = add_person(ACTOR.email, Role.ADMIN, ACTOR.name)
    url = f"/operations/{job.id}/next/"
    start = threading.Barrier(16)

    def tab(_: int) -> None:
        browser = sign_in(alma)
        start.wait(timeout=30)
        for _try in range(400):
            assert browser.post(url, headers={"HX-Request": "true", "HX-Target": "operation"}).status_code == 200
            if reloaded(job).state == JobState.DONE:
                return
        raise AssertionError("the job does not finish")

    with ThreadPoolExecutor(16) as tabs:
        list(tabs.map(tab, range(16)))
    check_finished(job, given)
    assert set(count_job.tried.values()) == {1}


@real_engines
def test_a_request_that_lost_its_lease_changes_nothing(table: str) -> None:
    """The first is delayed beyond its lease, the second finishes the job, and the first then changes nothing."""
    given = lines(16, fails=(1,))
    job = start_count(ACTOR, *given)
    leased = runner._acquire_lease(job, "slow")
    assert leased is not None
    step = KINDS[leased.kind].step(leased)
    finish(job)
    with pytest.raises(runner.LeaseLost):
        runner._save(leased, step, "slow", release=True, must_run=True)
    check_finished(job, given)
