"""An interrupted import still invites everyone exactly once, with one audit entry and one valid link."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.core.clock import shifted
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.services import links
from dashboard.platform.jobs import kinds, runner
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs.items import Job, JobState
from tests.accounts import audit_entries
from tests.accounts.imports import csv_of_people, reload, start_import
from tests.conftest import real_engines
from tests.faults import bad_network, lose_reply, lose_request
from tests.jobs.execution import finish
from tests.jobs.test_crashes import Killed, Killer
from tests.table.notes import on_dynoxide


def assert_invited_once(job: Job, count: int, prefix: str) -> None:
    finished = reload(job)
    assert (finished.state, finished.done, finished.failed) == (JobState.DONE, count, 0)
    assert job_queries.failures(job.id).items == []
    for number in range(count):
        email = f"{prefix}-{number:04}@example.com"
        person = queries.load_account(email)
        assert (person.state, person.revision, person.name) == ("invited", 1, f"Name {number}")
        assert audit_entries.actions(email) == ["person.invite"]
        token = links.token_of(person, job.command.part(email))
        assert token is not None and links.load_person_by_token(token).email == email


@on_dynoxide
@pytest.mark.parametrize("carried_out", [True, False], ids=["after", "before"])
def test_an_import_killed_at_any_call_invites_everyone_once(
    table: str, carried_out: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kinds, "AT_ONCE", 3)
    for calls in range(1, 100):
        prefix = f"killed{calls}"
        job = start_import(csv_of_people(5, prefix=prefix))
        was_killed = False
        with bad_network() as network:
            network.add_random_fault(1, Killer(calls, carried_out=carried_out))
            try:
                runner.advance(job, seconds=60)
            except Killed:
                was_killed = True
        finish(reload(job))
        assert_invited_once(job, 5, prefix)
        if not was_killed:
            break
    assert calls > 12, "the import was killed once at each of its calls"


@real_engines
def test_an_import_on_a_bad_network_invites_everyone_once(table: str) -> None:
    job = start_import(csv_of_people(30))
    with bad_network() as network:
        network.add_random_fault(0.06, lose_reply)
        network.add_random_fault(0.04, lose_request)
        finish(job)
        assert network.faults > 5
    assert_invited_once(job, 30, "many")


@on_dynoxide
def test_an_import_killed_many_times_invites_everyone_once(table: str) -> None:
    """Every request is killed at another call. Each time half a minute passes."""
    job, passed, requests = start_import(csv_of_people(40)), timedelta(), 0
    while reload(job).state == JobState.RUNNING:
        requests += 1
        with shifted(passed), bad_network() as network:
            network.add_random_fault(1, Killer(30 + requests * 7 % 13, carried_out=requests % 2 == 0))
            try:
                runner.advance(reload(job), seconds=60)
            except Killed:
                passed += timedelta(seconds=31)
        assert requests < 60
    assert requests > 3
    assert_invited_once(job, 40, "many")
