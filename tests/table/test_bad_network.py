"""Throttling, collisions, lost replies and silence: bounded patience, nothing twice, no success called a failure."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from dashboard.core.errors import Conflict, Unavailable
from dashboard.table import oplog, retries, write
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.transactions import Transaction, find_done
from tests.faults import (
    Fault,
    Network,
    act_then_break,
    bad_network,
    broken,
    collide,
    error_reply,
    gateway_error,
    lose_reply,
    lose_request,
    throttle,
)
from tests.table.notes import Note, add, command, key, note_at, on_dynoxide, saved

pytestmark = on_dynoxide
SENT = "TransactWriteItems"


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long we would have waited, without waiting."""
    waited: list[float] = []
    monkeypatch.setattr(retries, "time", SimpleNamespace(sleep=waited.append))
    return waited


@pytest.fixture
def ana(table: str) -> Note:
    return add("ana", text="one", total=0)


@pytest.fixture
def network(ana: Note, waits: list[float]) -> Iterator[Network]:
    with bad_network() as network:
        yield network


def write_two(ana: Note, under: Command | None = None) -> Note:
    """An edit, and a counter that would tell if it were made twice."""
    ana.text = "two"
    transaction = Transaction(under or command())
    transaction.save(ana, revision=1)
    transaction.update(key("counter"), [Note.total.add(1)], None, Conflict)
    return transaction.commit(ana)


def written() -> tuple[Any, Any, Any]:
    """The text, the revision, and how often it was counted."""
    ana, counter = note_at("ana"), note_at("counter")
    assert ana is not None
    return ana.text, ana.revision, counter.total if counter else 0


ONCE, NEVER = ("two", 2, 1), ("one", 1, 0)


def tokens(network: Network) -> list[str]:
    return [body["ClientRequestToken"] for body in network.calls(SENT)]


# --- Collisions and throttling -------------------------------------------------------------------
def test_a_collision_of_transactions_is_tried_again_as_another(ana: Note, network: Network) -> None:
    network.next(SENT, collide, collide, collide)
    assert write_two(ana).revision == 2
    network.stop_faults()
    assert written() == ONCE
    assert len(set(tokens(network))) == 4, "a cancelled transaction is over: its token would only be refused again"


def test_collisions_without_end_become_unavailable(ana: Note, network: Network, waits: list[float]) -> None:
    network.next(SENT, *[collide] * 99)
    with pytest.raises(Unavailable):
        write_two(ana)
    network.stop_faults()
    assert written() == NEVER
    assert len(tokens(network)) == 12
    assert len(waits) == 11


@pytest.mark.parametrize("code", ["ProvisionedThroughputExceededException", "ThrottlingException"])
def test_throttling_is_waited_out(ana: Note, network: Network, code: str) -> None:
    network.next(SENT, *[error_reply(400, code)] * 10)
    assert write_two(ana).revision == 2
    network.stop_faults()
    assert written() == ONCE
    assert len(set(tokens(network))) == 1


def test_a_throttled_step_is_waited_out(ana: Note, network: Network) -> None:
    """Throttling of one item comes as a cancelled transaction."""
    reasons = [{"Code": "None"}, {"Code": "ThrottlingError"}, {"Code": "None"}]
    network.next(SENT, error_reply(400, "TransactionCanceledException", CancellationReasons=reasons))
    assert write_two(ana).revision == 2
    network.stop_faults()
    assert written() == ONCE


def test_throttling_without_end_becomes_unavailable(ana: Note, network: Network, waits: list[float]) -> None:
    network.next(SENT, *[throttle] * 99)
    with pytest.raises(Unavailable):
        write_two(ana)
    network.stop_faults()
    assert written() == NEVER
    assert len(waits) == 11
    assert len(tokens(network)) <= 36, "botocore's three tries in each of ours"


def test_a_collision_over_the_record_itself_is_the_same_form_sent_twice(ana: Note, network: Network) -> None:
    """The other half of a double click is writing right now: look again, then answer with what it did."""
    twice = command()
    write_two(ana, twice)
    reasons = [{"Code": "TransactionConflict"}, {"Code": "ConditionalCheckFailed"}, {"Code": "None"}]
    network.next(SENT, error_reply(400, "TransactionCanceledException", CancellationReasons=reasons))
    assert write_two(ana, twice).revision == 2
    network.stop_faults()
    assert written() == ONCE


def test_what_another_try_would_not_cure_is_not_tried_again(ana: Note, network: Network, waits: list[float]) -> None:
    reasons = [{"Code": "None"}, {"Code": "ValidationError"}, {"Code": "None"}]
    for fault in (
        error_reply(400, "ValidationException"),
        error_reply(400, "TransactionCanceledException", CancellationReasons=reasons),
    ):
        network.next(SENT, fault)
        with pytest.raises(ClientError):
            write_two(ana)
    assert waits == []
    assert len(tokens(network)) == 2


# --- Lost replies --------------------------------------------------------------------------------
@pytest.mark.parametrize("fault", [lose_reply, act_then_break])
def test_a_lost_reply_is_asked_for_again_with_the_same_token(ana: Note, network: Network, fault: Fault) -> None:
    network.next(SENT, fault)
    assert write_two(ana).revision == 2
    first, second = tokens(network)
    assert first == second
    network.stop_faults()
    assert written() == ONCE


@pytest.mark.parametrize("fault", [lose_reply, act_then_break])
def test_after_silence_the_record_tells_that_it_happened(ana: Note, network: Network, fault: Fault) -> None:
    """All of botocore's tries lost: not a failure, because it was done."""
    mine = command()
    network.next(SENT, *[fault] * 3)
    done = write_two(ana, mine)
    asked = [body["Key"]["PK"]["S"] for body in network.calls("GetItem")]
    network.stop_faults()
    assert (done.text, done.revision) == ("two", 2)
    assert set(asked) == {f"OPERATION#{mine.id}"}
    assert len(tokens(network)) == 3, "and it is not sent again"
    assert written() == ONCE


@pytest.mark.parametrize("fault", [lose_request, broken, gateway_error])
def test_after_silence_without_a_record_it_is_sent_again(ana: Note, network: Network, fault: Fault) -> None:
    network.next(SENT, *[fault] * 3)
    assert write_two(ana).revision == 2
    network.stop_faults()
    assert written() == ONCE
    assert len(set(tokens(network))) == 1, "what may still arrive must not count as another"


@pytest.mark.parametrize("fault", [lose_request, broken, gateway_error])
def test_silence_twice_is_unavailable_and_the_same_form_may_be_sent_again(
    ana: Note, network: Network, fault: Fault
) -> None:
    mine = command()
    network.next(SENT, *[fault] * 6)
    with pytest.raises(Unavailable):
        write_two(ana, mine)
    network.stop_faults()
    assert written() == NEVER
    again = note_at("ana")
    assert again is not None
    assert write_two(again, mine).revision == 2
    assert written() == ONCE


def test_when_even_the_record_cannot_be_read_nothing_is_claimed(ana: Note, network: Network) -> None:
    """It happened, nobody knows: «try again» is true, and trying again answers as it was done."""
    mine = command()
    network.next(SENT, *[lose_reply] * 3)
    network.next("GetItem", *[lose_request] * 3)
    with pytest.raises(Unavailable):
        write_two(ana, mine)
    network.stop_faults()
    assert written() == ONCE
    again = note_at("ana")
    assert again is not None
    assert write_two(again, mine).revision == 2
    assert written() == ONCE


def test_a_form_sent_again_into_silence_shows_what_stands_there(ana: Note, network: Network) -> None:
    """Done an hour ago, changed by a colleague since: its answer is not what was typed then."""
    mine = command()
    write_two(ana, mine)
    changed = note_at("ana")
    assert changed is not None
    changed.text = "a colleague's"
    saved(changed)

    stale = note_at("ana")
    assert stale is not None
    network.next(SENT, *[lose_request] * 3)
    answered = write_two(stale, mine)
    assert (answered.text, answered.revision) == ("a colleague's", 3)


def test_a_lost_reply_hides_no_conflict(ana: Note, network: Network) -> None:
    faster = note_at("ana")
    assert faster is not None
    faster.text = "faster"
    saved(faster)
    mine = command()
    network.next(SENT, lose_reply, lose_reply)
    with pytest.raises(Conflict) as caught:
        write_two(ana, mine)
    assert isinstance(caught.value.item, Note)
    assert caught.value.item.text == "faster"
    assert find_done(mine) is None


def test_the_patience_of_one_write_is_seen_in_the_op_log(ana: Note, network: Network) -> None:
    network.next(SENT, collide, throttle)
    with oplog.recording() as log:
        write_two(ana)
    assert [(call.error, call.attempts) for call in log.calls] == [("TransactionCanceledException", 1), (None, 2)]


# --- Small writes --------------------------------------------------------------------------------
def test_a_counter_is_moved_and_answers_with_what_it_is_now(network: Network) -> None:
    for expected in ("1", "2"):
        raw = write.update(key("counter"), [Note.total.add(1)])
        assert raw is not None
        assert raw["total"] == {"N": expected}


def test_a_small_write_whose_condition_does_not_hold_is_none(network: Network) -> None:
    assert write.update(key("none"), [Note.text.set("x")], Item.pk.exists()) is None
    assert note_at("none") is None


def test_a_small_write_that_meets_a_transaction_is_tried_again(network: Network, waits: list[float]) -> None:
    network.next("UpdateItem", *[error_reply(400, "TransactionConflictException")] * 2)
    raw = write.update(key("counter"), [Note.total.add(1)])
    assert raw is not None
    assert raw["total"] == {"N": "1"}
    assert len(waits) == 2
    network.next("UpdateItem", *[error_reply(400, "TransactionConflictException")] * 99)
    with pytest.raises(Unavailable):
        write.update(key("counter"), [Note.total.add(1)])


def test_a_small_write_that_gets_no_answer_is_unavailable(network: Network, waits: list[float]) -> None:
    network.next("UpdateItem", *[lose_request] * 3)
    with pytest.raises(Unavailable):
        write.update(key("counter"), [Note.total.add(1)])
    network.next("DeleteItem", *[lose_request] * 3)
    with pytest.raises(Unavailable):
        write.remove(key("counter"))
    assert waits == []


def test_removing_what_is_gone_is_fine(network: Network) -> None:
    write.remove(key("ana"))
    write.remove(key("ana"))
    assert note_at("ana") is None
