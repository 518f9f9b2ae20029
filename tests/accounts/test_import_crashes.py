"""However an import is interrupted: everybody is invited exactly once, with one entry and one link that works."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.core.clock import shifted
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.services import links
from dashboard.platform.jobs import kinds, runner
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs.items import Job, State
from tests.accounts import audit_entries
from tests.accounts.imports import begun, many, reloaded
from tests.conftest import real_engines
from tests.faults import bad_network, lose_reply, lose_request
from tests.jobs.execution import finish
from tests.jobs.test_crashes import Killed, Killer
from tests.table.notes import on_dynoxide


def exact(job: Job, count: int, prefix: str) -> None:
    end = reloaded(job)
    assert (end.state, end.done, end.failed) == (State.DONE, count, 0)
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
def test_killed_at_every_call(table: str, carried_out: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "AT_ONCE", 3)
    for calls in range(1, 100):
        prefix = f"killed{calls}"
        job = begun(many(5, prefix=prefix))
        died = False
        with bad_network() as network:
            network.add_random_fault(1, Killer(calls, carried_out=carried_out))
            try:
                runner.advance(job, seconds=60)
            except Killed:
                died = True
        finish(reloaded(job))
        exact(job, 5, prefix)
        if not died:
            break
    assert calls > 12, "every read and write of five people was the last one once"


@real_engines
def test_on_a_network_that_loses_what_it_carries(table: str) -> None:
    job = begun(many(30))
    with bad_network() as network:
        network.add_random_fault(0.06, lose_reply)
        network.add_random_fault(0.04, lose_request)
        finish(job)
        assert network.faults > 5
    exact(job, 30, "many")


@on_dynoxide
def test_killed_and_gone_on_until_it_is_finished(table: str) -> None:
    """Every request dies somewhere else; each time half a minute passes."""
    job, passed, requests = begun(many(40)), timedelta(), 0
    while reloaded(job).state == State.RUNNING:
        requests += 1
        with shifted(passed), bad_network() as network:
            network.add_random_fault(1, Killer(20 + requests * 7 % 13, carried_out=requests % 2 == 0))
            try:
                runner.advance(reloaded(job), seconds=60)
            except Killed:
                passed += timedelta(seconds=31)
        assert requests < 60
    assert requests > 3
    exact(job, 40, "many")
