"""Two runs at once act once; so does one whose index lags or whose replies get lost."""

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
def test_runs_at_once_do_each_piece_of_work_once(table: str) -> None:
    names = [f"n{number}" for number in range(12)]
    for name in names:
        add(name, now() - timedelta(minutes=2))
    results: list[runner.TaskResult] = []
    run_at_once(lambda _: results.extend(runner.run()), threads=6)
    assert [each for each in results if each.failed] == []
    assert len(results) == len(names)
    assert {get(name).times for name in names} == {1}


@on_dynoxide
def test_an_index_that_lags_shows_work_again_and_it_is_not_done_again(table: str) -> None:
    add("a", NOON)
    with bad_network() as network, frozen(NOON):
        network.freeze_indexes()
        assert [each.text for each in runner.run()] == ["did it, 1 in all"]
        asked = len(network.calls("Query"))
        assert list(runner.run()) == []
        assert len(network.calls("Query")) == asked + 1
        assert len(network.calls("UpdateItem")) > 2, "the index showed it, the item said no"
    assert get("a").times == 1


@on_dynoxide
def test_what_was_put_off_since_the_index_was_read_is_left_alone(table: str) -> None:
    """Someone has chosen a later time, and the index does not know yet."""
    chore = add("a", NOON)
    with bad_network() as network, frozen(NOON):
        network.freeze_indexes()
        assert [shown.key for shown in due_tasks().items] == [key("a")]
        chore.due_at = NOON + timedelta(days=1)
        transaction = Transaction(new_command(SYSTEM))
        transaction.save(chore, revision=chore.revision)
        transaction.commit(chore)
        assert list(runner.run()) == []
    assert get("a").times == 0


@on_dynoxide
def test_lost_replies_make_it_late_at_the_most(table: str) -> None:
    add("a", NOON)
    with bad_network() as network:
        with frozen(NOON):
            # The lease is taken, but the answer gets lost: the second try finds it taken, by ourselves.
            network.next("UpdateItem", lose_reply)
            assert list(runner.run()) == []
        with frozen(NOON + runner.LEASE):
            network.next("TransactWriteItems", lose_reply, lose_reply)
            (results,) = runner.run()
            assert not results.failed
        with frozen(NOON + timedelta(days=1)):
            assert list(runner.run()) == []
    assert get("a").times == 1
