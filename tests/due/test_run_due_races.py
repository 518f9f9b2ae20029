"""A task is executed once with concurrent runs, a lagging index or lost replies."""

from __future__ import annotations

from datetime import timedelta

from dashboard.core.clock import frozen, now
from dashboard.platform.due import runner
from dashboard.platform.due.queries import due_tasks
from dashboard.table.commands import SYSTEM, new_command
from dashboard.table.transactions import Transaction
from tests.conftest import real_engines
from tests.due.chores import NOON, add, get, key
from tests.faults import bad_network, lose_reply
from tests.table.notes import on_dynoxide
from tests.table.test_races import run_at_once


@real_engines
def test_concurrent_runs_execute_each_task_once(table: str) -> None:
    names = [f"n{number}" for number in range(12)]
    for name in names:
        add(name, now() - timedelta(minutes=2))
    results: list[runner.TaskResult] = []
    run_at_once(lambda _: results.extend(runner.run()), threads=6)
    assert [each for each in results if each.failed] == []
    assert len(results) == len(names)
    assert {get(name).times for name in names} == {1}


@on_dynoxide
def test_a_finished_task_in_a_lagging_index_is_not_executed_again(table: str) -> None:
    add("a", NOON)
    with bad_network() as network, frozen(NOON):
        network.freeze_indexes()
        assert [each.text for each in runner.run()] == ["did it, 1 in all"]
        queries = len(network.calls("Query"))
        assert list(runner.run()) == []
        assert len(network.calls("Query")) == queries + 1
        assert len(network.calls("UpdateItem")) > 2, "the index has the task, but the item is not due"
    assert get("a").times == 1


@on_dynoxide
def test_a_task_moved_to_a_later_time_is_not_executed(table: str) -> None:
    """Someone chose a later time, and the index is not updated yet."""
    chore = add("a", NOON)
    with bad_network() as network, frozen(NOON):
        network.freeze_indexes()
        assert [task.key for task in due_tasks().items] == [key("a")]
        chore.due_at = NOON + timedelta(days=1)
        transaction = Transaction(new_command(SYSTEM))
        transaction.save(chore, revision=chore.revision)
        transaction.commit(chore)
        assert list(runner.run()) == []
    assert get("a").times == 0


@on_dynoxide
def test_lost_replies_only_delay_a_task(table: str) -> None:
    add("a", NOON)
    with bad_network() as network:
        with frozen(NOON):
            # The lease is acquired, but the reply is lost: the retry finds our own lease.
            network.next("UpdateItem", lose_reply)
            assert list(runner.run()) == []
        with frozen(NOON + runner.LEASE):
            network.next("TransactWriteItems", lose_reply, lose_reply)
            (result,) = runner.run()
            assert not result.failed
        with frozen(NOON + timedelta(days=1)):
            assert list(runner.run()) == []
    assert get("a").times == 1
