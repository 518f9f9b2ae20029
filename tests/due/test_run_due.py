"""Due tasks are executed once when they are due, and a failure stops no other task."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from dashboard.core.clock import frozen
from dashboard.core.errors import Unavailable
from dashboard.platform.due import registry, runner
from dashboard.platform.due.management.commands import run_due
from dashboard.platform.due.registry import HANDLERS, before_each_run, due
from dashboard.table import keys, oplog, schema, write
from dashboard.table.commands import SYSTEM, new_command
from dashboard.table.index_keys import index_keys_of
from dashboard.table.items import Item
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction
from tests.conftest import every_engine
from tests.due.chores import CHORE, NOON, Chore, OddJob, add, do, get, key
from tests.table.notes import load_raw, put

MINUTE = timedelta(minutes=1)


def run(**options: Any) -> tuple[list[str], list[str], int]:
    """The lines of both output streams and the exit code."""
    out, err = io.StringIO(), io.StringIO()
    status = 0
    try:
        call_command("run_due", stdout=out, stderr=err, **options)
    except CommandError as error:
        status = error.returncode
    return out.getvalue().splitlines(), err.getvalue().splitlines(), status


def due_key_of(name: str) -> str | None:
    """The sort key of the item in the index of due tasks."""
    raw = load_raw(key(name)) or {}
    return raw.get("GSIStatusSK", {}).get("S")


@every_engine
def test_due_tasks_are_executed_and_later_ones_are_not(table: str, noon: None) -> None:
    add("overdue", NOON - timedelta(days=3))
    add("just now", NOON)
    add("later", NOON + timedelta(seconds=1))
    with oplog.recording() as log:
        output, failures, status = run()
    assert output == [
        "test chore CHORE#overdue / CHORE: did it, 1 in all",
        "test chore CHORE#just now / CHORE: did it, 1 in all",
    ]
    assert (failures, status) == ([], 0)
    assert (get("overdue").times, get("just now").times, get("later").times) == (1, 1, 0)
    assert due_key_of("overdue") is None
    assert due_key_of("later") == "2025-09-21T12:00:01Z"
    assert "Scan" not in {call.operation for call in log.calls}
    assert run() == ([], [], 0)


def test_a_failing_handler_does_not_stop_other_tasks(table: str, noon: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail_for_b(chore: Chore) -> str:
        if "b" in chore.pk:
            raise LookupError("no broom")
        return do(chore)

    monkeypatch.setitem(HANDLERS, CHORE.kind, fail_for_b)
    for number, name in enumerate(["a", "b", "c"]):
        add(name, NOON - (3 - number) * MINUTE / 6)
    output, failures, status = run()
    assert [line.split()[2] for line in output] == ["CHORE#a", "CHORE#c"]
    assert failures == ["test chore CHORE#b / CHORE: LookupError: no broom (again at 2025-09-21T12:01:00Z)"]
    assert status == 1
    assert (get("a").times, get("b").times, get("c").times) == (1, 0, 1)


def test_a_failed_task_is_retried_after_longer_and_longer_waits(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[datetime] = []

    def fail(chore: Chore) -> str:
        raise LookupError

    monkeypatch.setitem(HANDLERS, CHORE.kind, fail)
    add("a", NOON)
    at = NOON
    while at < NOON + timedelta(hours=6):
        with frozen(at):
            if run()[2]:
                tries.append(at)
        at += MINUTE
    waits = [(later - sooner) / MINUTE for sooner, later in pairwise(tries)]
    assert waits == [1, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60]
    assert get("a").due_at == NOON, "the due date that people see does not change"

    monkeypatch.setitem(HANDLERS, CHORE.kind, do)
    with frozen(NOON + timedelta(hours=8)):
        assert run()[2] == 0
    assert get("a").times == 1


def test_a_kind_without_a_handler_is_reported_and_kept(table: str, noon: None) -> None:
    add("b", NOON, OddJob)
    add("c", NOON)
    output, failures, status = run()
    (failure,) = failures
    assert failure.startswith("test odd job ODDJOB#b / ODDJOB: no handler for this kind; again at 2025")
    assert (len(output), status) == (1, 1)
    assert get("b", OddJob).due_at == NOON
    with frozen(NOON + 5 * MINUTE):
        assert run()[1:] != ([], 0), "it is reported again"


def test_an_item_with_an_unknown_key_is_reported(table: str, noon: None) -> None:
    put({"PK": {"S": "WEATHER"}, "SK": {"S": "W"}, "GSIStatusPK": {"S": "DUE"}, "GSIStatusSK": {"S": to_wire(NOON)}})
    (failure,) = run()[1]
    assert failure.startswith("unknown kind WEATHER / W: no handler for")


def test_a_handler_that_leaves_its_item_due_is_reported(
    table: str, noon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the task would run again and again without a report."""
    monkeypatch.setitem(HANDLERS, CHORE.kind, lambda chore: "done")
    add("a", NOON)
    output, (failure,), status = run()
    assert (output, status) == ([], 1)
    assert failure.endswith("its handler did not reschedule it; it will run again")
    assert due_key_of("a") == "2025-09-21T12:01:00Z"


def test_a_handler_that_fails_after_its_write_is_reported_and_not_repeated(
    table: str, noon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def do_and_fail(chore: Chore) -> str:
        do(chore)
        raise LookupError

    monkeypatch.setitem(HANDLERS, CHORE.kind, do_and_fail)
    add("a", NOON)
    _, (failure,), status = run()
    assert failure.endswith("LookupError (it was rescheduled meanwhile)")
    assert status == 1
    with frozen(NOON + timedelta(hours=1)):
        assert run() == ([], [], 0)
    assert get("a").times == 1


def test_one_run_stops_at_its_limits(table: str, noon: None) -> None:
    for number in range(5):
        add(f"n{number}", NOON)
    output, _, status = run(limit=3)
    assert output[3:] == ["run_due: more tasks are due; the next run continues"]
    assert status == 0
    assert sum(get(f"n{number}").times for number in range(5)) == 3
    assert len(run()[0]) == 2

    add("late", NOON)
    assert [str(result) for result in runner.run(max_seconds=-1)] == [
        "run_due: more tasks are due; the next run continues"
    ]
    assert get("late").times == 0


def test_more_than_one_page_of_tasks_is_executed(table: str, noon: None) -> None:
    for number in range(60):
        add(f"n{number}", NOON)
    assert len(run()[0]) == 60
    assert {get(f"n{number}").times for number in range(60)} == {1}


def test_an_expired_task_is_not_executed(table: str, noon: None) -> None:
    add("gone", NOON)
    write.update(key("gone"), [Item.ttl.set(int(NOON.timestamp()) - 1)])
    assert run() == ([], [], 0)


def test_a_task_of_a_killed_run_is_executed_after_its_lease(
    table: str, noon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def die(chore: Chore) -> str:
        raise Killed

    monkeypatch.setitem(HANDLERS, CHORE.kind, die)
    add("a", NOON)
    with pytest.raises(Killed):
        run()
    monkeypatch.setitem(HANDLERS, CHORE.kind, do)
    assert run() == ([], [], 0), "the lease is still valid"
    with frozen(NOON + runner.LEASE):
        assert len(run()[0]) == 1
    assert get("a").times == 1


# --- Repeating tasks and registration ------------------------------------------------------------
def test_repeating_tasks_are_prepared_before_each_run(table: str, noon: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> str:
        raise LookupError("no table")

    def weekly_chore() -> str | None:
        add("weekly", NOON)
        return "made"

    registered: list[Callable[[], str | None]] = []
    monkeypatch.setattr(registry, "BEFORE_EACH_RUN", registered)
    before_each_run(broken)
    before_each_run(weekly_chore)
    monkeypatch.setattr(runner, "BEFORE_EACH_RUN", registered)
    output, failures, status = run()
    assert failures == ["broken: LookupError: no table"]
    assert output == ["weekly_chore: made", "test chore CHORE#weekly / CHORE: did it, 1 in all"]
    assert status == 1


def test_one_kind_has_one_handler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "HANDLERS", {})

    @due("laundry")
    def wash(item: Chore) -> None: ...

    assert {"laundry": wash} == registry.HANDLERS
    with pytest.raises(RuntimeError, match="laundry"):
        due("laundry")(lambda item: None)


def test_the_handlers_of_every_app_are_registered_when_the_apps_are_loaded() -> None:
    assert HANDLERS["sealing"].__module__ == "dashboard.platform.audit.due"


# --- The command ---------------------------------------------------------------------------------
class StopWatching(Exception):
    pass


def test_watch_mode_repeats_runs_and_survives_an_unavailable_table(
    table: str, noon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 1:
            monkeypatch.setattr(runner, "run", raise_unavailable)
        elif len(waits) == 2:
            raise StopWatching

    def raise_unavailable(limit: int, **_: Any) -> Any:
        raise Unavailable

    add("a", NOON)
    monkeypatch.setattr(run_due, "time", SimpleNamespace(sleep=sleep))
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(StopWatching):
        call_command("run_due", watch=30, queue="tasks", verbosity=0, stdout=out, stderr=err)
    assert waits == [30, 30]
    assert get("a").times == 1
    assert out.getvalue() == "", "quiet: only failures are printed"
    assert "not answering" in err.getvalue()


def test_in_watch_mode_a_queue_that_hangs_does_not_delay_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    hanging, released, seen = threading.Event(), threading.Event(), list[str]()

    def run_queue(limit: int, *, queue: Any) -> Any:
        if queue is keys.DUE_HOOK:
            hanging.set()
            released.wait(10)
        seen.append(queue.collection().pk)
        return iter(())

    def sleep(seconds: float) -> None:
        if threading.current_thread() is not threading.main_thread():
            raise StopWatching  # Ends the thread.
        assert hanging.wait(5)
        if len(seen) > 20:
            raise StopWatching

    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    monkeypatch.setattr(runner, "run", run_queue)
    # Not the function of the module: other threads of this process sleep too.
    monkeypatch.setattr(run_due, "time", SimpleNamespace(sleep=sleep))
    before = {*threading.enumerate()}
    try:
        with pytest.raises(StopWatching):
            call_command("run_due", watch=1, verbosity=0)
        assert "DUE#HOOK" not in seen and {"DUE", "DUE#OUTBOX", "DUE#MAIL"} <= {*seen}
    finally:
        released.set()
        # One that outlived the test would run the queues of the tests after it.
        for thread in {*threading.enumerate()} - before:
            thread.join(10)


# --- Leases and the index ------------------------------------------------------------------------
def test_neither_a_lease_nor_an_attempt_makes_index_keys_wrong(
    table: str, noon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []

    def fail(chore: Chore) -> str:
        seen.append(wrong_index_keys("a"))
        raise LookupError

    monkeypatch.setitem(HANDLERS, CHORE.kind, fail)
    add("a", NOON)
    run()
    assert seen == [{}], "while it is leased"
    assert due_key_of("a") == "2025-09-21T12:01:00Z"
    assert wrong_index_keys("a") == {}, "after it failed"
    with frozen(NOON + 2 * MINUTE):
        run()
        assert wrong_index_keys("a") == {}, "after it failed twice"
        assert due_key_of("a") == "2025-09-21T12:04:00Z"
        chore = get("a")
        chore.due_at = NOON + 3 * MINUTE
        transaction = Transaction(new_command(SYSTEM))
        transaction.save(chore, revision=chore.revision)
        transaction.commit(chore)
    assert due_key_of("a") == "2025-09-21T12:03:00Z", "a new time replaces the next attempt"
    assert wrong_index_keys("a") == {}


def test_a_lease_does_not_delay_a_task_that_its_handler_moved(
    table: str, noon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def repeat(chore: Chore) -> str:
        chore.due_at = chore.due_at + MINUTE
        transaction = Transaction(new_command(SYSTEM))
        transaction.save(chore, revision=chore.revision)
        transaction.commit(chore)
        return "again"

    monkeypatch.setitem(HANDLERS, CHORE.kind, repeat)
    add("a", NOON)
    assert len(run()[0]) == 1
    assert run()[0] == []
    with frozen(NOON + MINUTE):
        assert len(run()[0]) == 1


def test_a_lease_of_an_older_version_is_respected_and_ends(table: str, noon: None) -> None:
    """It moved the item to the end of the lease in the index."""
    add("a", NOON)
    write.update(key("a"), [Item.gsistatussk.set(to_wire(NOON + runner.LEASE))])
    assert run() == ([], [], 0)
    with frozen(NOON + runner.LEASE):
        assert len(run()[0]) == 1
    assert get("a").times == 1


def wrong_index_keys(name: str) -> Any:
    computed = index_keys_of(load_raw(key(name)) or {}, schema.INDEXES)
    assert computed is not None
    return computed.changes()
