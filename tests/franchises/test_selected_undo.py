"""Undo of everything that one cause or one person changed: counted first, then each movement once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from dashboard.core.clock import frozen, now
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import runner
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.table.commands import Actor, new_command
from dashboard.table.timestamps import to_wire
from franchises.causes import Cause, CauseKind
from franchises.reasons import MovementReason
from franchises.services import selected_undo
from franchises.services.stock import change_stock, undo_movement
from franchises.services.transfers import transfer
from tests.franchises.chain import (
    BUSINESS,
    IN_NORTE,
    NORTE,
    PRODUCT,
    command,
    ledger_of,
    put_product,
    stored_stock,
)

pytestmark = pytest.mark.usefixtures("table")
FILE = Cause(CauseKind.FILE, "f1", "monday.csv")
PERLA = Actor("perla@example.com", "Perla")


def change(number: int, product: str = PRODUCT, by: Actor | None = None, **options: Any) -> Any:
    given = command() if by is None else new_command(by)
    return change_stock(BUSINESS, product, change=number, reason=MovementReason.SALE, command=given, **options)


def run(job: Job) -> Job:
    while job.state == JobState.RUNNING:
        job = runner.advance(job)
    return job


def undo_cause(cause: str = FILE.id) -> Job:
    """The job, after it has counted and was confirmed."""
    return confirmed(run(selected_undo.begin_undo_of_cause(BUSINESS, cause, command=command())))


def confirmed(job: Job) -> Job:
    if job.state == JobState.DONE:
        return job
    assert job.state == JobState.WAITING
    job_services.confirm(job)
    found = job_queries.find_job(job.id)
    assert found is not None
    return run(found)


def test_what_a_file_changed_is_counted_and_undone() -> None:
    put_product()
    put_product(IN_NORTE, branch=NORTE)
    change(-2, cause=FILE)
    change(-3)
    change(5, IN_NORTE, cause=FILE)
    job = run(selected_undo.begin_undo_of_cause(BUSINESS, FILE.id, command=command()))
    assert (job.state, job.total) == (JobState.WAITING, 2)
    assert stored_stock() == 5, "nothing is undone before the person confirms"
    lines = job_queries.lines_of_part(job.id, 0)
    assert {(line["product"], line["change"], line["title"]) for line in lines} == {
        (PRODUCT, -2, "Big Mac"),
        (IN_NORTE, 5, "Big Mac"),
    }
    job = confirmed(job)
    assert (job.state, job.done, job.failed) == (JobState.DONE, 2, 0)
    assert (stored_stock(), stored_stock(IN_NORTE)) == (7, 10)
    assert ledger_of()[-1].cause == {"kind": "undo", "id": job.id, "title": "Undo: monday.csv"}


def test_the_undo_itself_can_be_undone() -> None:
    put_product()
    change(-2, cause=FILE)
    undone = undo_cause()
    assert stored_stock() == 10
    undo_cause(undone.id)
    assert stored_stock() == 8


def test_a_second_undo_finds_nothing() -> None:
    put_product()
    change(-2, cause=FILE)
    undo_cause()
    job = undo_cause()
    assert (job.state, job.total, stored_stock()) == (JobState.DONE, 0, 10)


def test_movements_of_one_stock_are_undone_from_the_newest_on() -> None:
    """The delivery can only be taken back after the sales that used it."""
    put_product(stock=0)
    change(10, cause=FILE)
    for _ in range(9):
        change(-1, cause=FILE)
    job = undo_cause()
    assert (job.done, job.failed, stored_stock()) == (10, 0, 0)


def test_what_a_person_changed_since_a_time_is_undone() -> None:
    put_product()
    since = now() - timedelta(minutes=5)
    with frozen(since - timedelta(seconds=1)):
        change(-1, by=PERLA)
    change(-2, by=PERLA)
    change(-3)
    job = selected_undo.begin_undo_of_person(BUSINESS, PERLA.email, to_wire(since), command=command())
    job = confirmed(run(job))
    assert (job.total, job.done, stored_stock()) == (1, 1, 6)


def test_what_a_person_has_undone_already_stays_undone() -> None:
    put_product()
    sale = change(-1, by=PERLA)
    undo_movement(BUSINESS, PRODUCT, sale.seq, command=new_command(PERLA))
    change(-4, by=PERLA)
    since = now() - timedelta(hours=1)
    job = selected_undo.begin_undo_of_person(BUSINESS, PERLA.email, to_wire(since), command=command())
    assert (confirmed(run(job)).done, stored_stock()) == (1, 10)


def test_a_transfer_of_a_cause_is_undone_once() -> None:
    put_product()
    put_product(IN_NORTE, branch=NORTE, stock=1)
    cause = Cause(CauseKind.TRANSFER, "t1", "For Saturday")
    transfer(BUSINESS, PRODUCT, IN_NORTE, units=4, cause=cause, command=command())
    job = undo_cause(cause.id)
    assert (job.total, job.done, job.failed) == (1, 1, 0)
    assert (stored_stock(), stored_stock(IN_NORTE)) == (10, 1)


def test_what_cannot_be_undone_is_a_failure_that_can_be_retried() -> None:
    put_product(stock=0)
    change(5, cause=FILE)
    change(-4)
    job = undo_cause()
    assert (job.done, job.failed, stored_stock()) == (0, 1, 1)
    (failure,) = job_queries.failures_after(job.id, "", 8).items
    assert "only 1" in failure.reason
    change(4)
    job_services.retry_failed(job)
    found = job_queries.find_job(job.id)
    assert found is not None
    assert (run(found).failed, stored_stock()) == (0, 0)


def test_a_step_that_is_repeated_undoes_nothing_twice() -> None:
    put_product()
    change(-2, cause=FILE)
    job = run(selected_undo.begin_undo_of_cause(BUSINESS, FILE.id, command=command()))
    selected_undo.undo_selected(job)
    assert confirmed(job).done == 1
    assert stored_stock() == 10 and len(ledger_of()) == 2
