"""Writes with throttling, collisions and lost replies: retries are limited, and each write is executed at most once."""

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
from tests.table.notes import Note, add_note, command, key, load_note, on_dynoxide, save_note

pytestmark = on_dynoxide
SENT = "TransactWriteItems"


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits between retries, recorded without waiting."""
    recorded: list[float] = []
    monkeypatch.setattr(retries, "time", SimpleNamespace(sleep=recorded.append))
    return recorded


@pytest.fixture
def ana(table: str) -> Note:
    return add_note("ana", text="one", total=0)


@pytest.fixture
def network(ana: Note, waits: list[float]) -> Iterator[Network]:
    with bad_network() as network:
        yield network


def write_two(ana: Note, under: Command | None = None) -> Note:
    """Write an edit, and increment a counter that shows how often it was executed."""
    ana.text = "two"
    transaction = Transaction(under or command())
    transaction.save(ana, revision=1)
    transaction.update(key("counter"), [Note.total.add(1)], None, Conflict)
    return transaction.commit(ana)


def stored_values() -> tuple[Any, Any, Any]:
    """The text and revision of Ana's note, and the counter."""
    ana, counter = load_note("ana"), load_note("counter")
    assert ana is not None
    return ana.text, ana.revision, counter.total if counter else 0


WRITTEN_ONCE, NOT_WRITTEN = ("two", 2, 1), ("one", 1, 0)


def tokens(network: Network) -> list[str]:
    return [body["ClientRequestToken"] for body in network.calls(SENT)]


# --- Collisions and throttling -------------------------------------------------------------------
def test_a_collision_of_transactions_is_retried_with_a_new_token(ana: Note, network: Network) -> None:
    network.next(SENT, collide, collide, collide)
    assert write_two(ana).revision == 2
    network.stop_faults()
    assert stored_values() == WRITTEN_ONCE
    assert len(set(tokens(network))) == 4, "the token of a cancelled transaction would be refused again"


def test_too_many_collisions_raise_unavailable(ana: Note, network: Network, waits: list[float]) -> None:
    network.next(SENT, *[collide] * 99)
    with pytest.raises(Unavailable):
        write_two(ana)
    network.stop_faults()
    assert stored_values() == NOT_WRITTEN
    assert len(tokens(network)) == 12
    assert len(waits) == 11


@pytest.mark.parametrize("code", ["ProvisionedThroughputExceededException", "ThrottlingException"])
def test_throttled_requests_are_retried_with_the_same_token(ana: Note, network: Network, code: str) -> None:
    network.next(SENT, *[error_reply(400, code)] * 10)
    assert write_two(ana).revision == 2
    network.stop_faults()
    assert stored_values() == WRITTEN_ONCE
    assert len(set(tokens(network))) == 1


def test_a_transaction_with_a_throttled_step_is_retried(ana: Note, network: Network) -> None:
    """DynamoDB reports the throttling of one item as a cancelled transaction."""
    reasons = [{"Code": "None"}, {"Code": "ThrottlingError"}, {"Code": "None"}]
    network.next(SENT, error_reply(400, "TransactionCanceledException", CancellationReasons=reasons))
    assert write_two(ana).revision == 2
    network.stop_faults()
    assert stored_values() == WRITTEN_ONCE


def test_too_much_throttling_raises_unavailable(ana: Note, network: Network, waits: list[float]) -> None:
    network.next(SENT, *[throttle] * 99)
    with pytest.raises(Unavailable):
        write_two(ana)
    network.stop_faults()
    assert stored_values() == NOT_WRITTEN
    assert len(waits) == 11
    assert len(tokens(network)) <= 36, "botocore makes three tries for each of ours"


def test_a_collision_on_the_done_record_returns_the_result_of_the_first_request(ana: Note, network: Network) -> None:
    """The other request of a double click is being written: read again, then answer with its result."""
    repeated = command()
    write_two(ana, repeated)
    reasons = [{"Code": "TransactionConflict"}, {"Code": "ConditionalCheckFailed"}, {"Code": "None"}]
    network.next(SENT, error_reply(400, "TransactionCanceledException", CancellationReasons=reasons))
    assert write_two(ana, repeated).revision == 2
    network.stop_faults()
    assert stored_values() == WRITTEN_ONCE


def test_validation_errors_are_not_retried(ana: Note, network: Network, waits: list[float]) -> None:
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
def test_a_lost_reply_is_retried_with_the_same_token(ana: Note, network: Network, fault: Fault) -> None:
    network.next(SENT, fault)
    assert write_two(ana).revision == 2
    first, second = tokens(network)
    assert first == second
    network.stop_faults()
    assert stored_values() == WRITTEN_ONCE


@pytest.mark.parametrize("fault", [lose_reply, act_then_break])
def test_after_three_lost_replies_the_done_record_shows_the_success(ana: Note, network: Network, fault: Fault) -> None:
    """All replies to botocore's tries are lost: this is no error, because the write was executed."""
    first_command = command()
    network.next(SENT, *[fault] * 3)
    done = write_two(ana, first_command)
    keys_read = [body["Key"]["PK"]["S"] for body in network.calls("GetItem")]
    network.stop_faults()
    assert (done.text, done.revision) == ("two", 2)
    assert set(keys_read) == {f"OPERATION#{first_command.id}"}
    assert len(tokens(network)) == 3, "the write is not sent again"
    assert stored_values() == WRITTEN_ONCE


@pytest.mark.parametrize("fault", [lose_request, broken, gateway_error])
def test_after_three_lost_requests_without_a_record_the_write_is_sent_again(
    ana: Note, network: Network, fault: Fault
) -> None:
    network.next(SENT, *[fault] * 3)
    assert write_two(ana).revision == 2
    network.stop_faults()
    assert stored_values() == WRITTEN_ONCE
    assert len(set(tokens(network))) == 1, "a delayed request must not count as a second write"


@pytest.mark.parametrize("fault", [lose_request, broken, gateway_error])
def test_six_lost_requests_raise_unavailable_and_the_form_can_be_sent_again(
    ana: Note, network: Network, fault: Fault
) -> None:
    first_command = command()
    network.next(SENT, *[fault] * 6)
    with pytest.raises(Unavailable):
        write_two(ana, first_command)
    network.stop_faults()
    assert stored_values() == NOT_WRITTEN
    again = load_note("ana")
    assert again is not None
    assert write_two(again, first_command).revision == 2
    assert stored_values() == WRITTEN_ONCE


def test_if_the_done_record_cannot_be_read_the_result_is_unavailable(ana: Note, network: Network) -> None:
    """The write was executed, but the answer is Unavailable. Sending the same form again returns the result."""
    first_command = command()
    network.next(SENT, *[lose_reply] * 3)
    network.next("GetItem", *[lose_request] * 3)
    with pytest.raises(Unavailable):
        write_two(ana, first_command)
    network.stop_faults()
    assert stored_values() == WRITTEN_ONCE
    again = load_note("ana")
    assert again is not None
    assert write_two(again, first_command).revision == 2
    assert stored_values() == WRITTEN_ONCE


def test_an_old_form_sent_again_returns_the_current_item(ana: Note, network: Network) -> None:
    """A colleague changed the item since: the answer is their version, although the requests are lost."""
    first_command = command()
    write_two(ana, first_command)
    changed = load_note("ana")
    assert changed is not None
    changed.text = "a colleague's"
    save_note(changed)

    stale = load_note("ana")
    assert stale is not None
    network.next(SENT, *[lose_request] * 3)
    answered = write_two(stale, first_command)
    assert (answered.text, answered.revision) == ("a colleague's", 3)


def test_a_lost_reply_does_not_hide_a_conflict(ana: Note, network: Network) -> None:
    colleagues_note = load_note("ana")
    assert colleagues_note is not None
    colleagues_note.text = "faster"
    save_note(colleagues_note)
    first_command = command()
    network.next(SENT, lose_reply, lose_reply)
    with pytest.raises(Conflict) as caught:
        write_two(ana, first_command)
    assert isinstance(caught.value.item, Note)
    assert caught.value.item.text == "faster"
    assert find_done(first_command) is None


def test_the_op_log_shows_the_retries_of_one_write(ana: Note, network: Network) -> None:
    network.next(SENT, collide, throttle)
    with oplog.recording() as log:
        write_two(ana)
    assert [(call.error, call.attempts) for call in log.calls] == [("TransactionCanceledException", 1), (None, 2)]


# --- Single updates ------------------------------------------------------------------------------
def test_an_update_of_a_counter_returns_its_new_value(network: Network) -> None:
    for expected in ("1", "2"):
        raw = write.update(key("counter"), [Note.total.add(1)])
        assert raw is not None
        assert raw["total"] == {"N": expected}


def test_an_update_whose_condition_fails_returns_none(network: Network) -> None:
    assert write.update(key("none"), [Note.text.set("x")], Item.pk.exists()) is None
    assert load_note("none") is None


def test_an_update_that_collides_with_a_transaction_is_retried(network: Network, waits: list[float]) -> None:
    network.next("UpdateItem", *[error_reply(400, "TransactionConflictException")] * 2)
    raw = write.update(key("counter"), [Note.total.add(1)])
    assert raw is not None
    assert raw["total"] == {"N": "1"}
    assert len(waits) == 2
    network.next("UpdateItem", *[error_reply(400, "TransactionConflictException")] * 99)
    with pytest.raises(Unavailable):
        write.update(key("counter"), [Note.total.add(1)])


def test_an_update_without_an_answer_raises_unavailable(network: Network, waits: list[float]) -> None:
    network.next("UpdateItem", *[lose_request] * 3)
    with pytest.raises(Unavailable):
        write.update(key("counter"), [Note.total.add(1)])
    network.next("DeleteItem", *[lose_request] * 3)
    with pytest.raises(Unavailable):
        write.remove(key("counter"))
    assert waits == []


def test_removing_a_missing_item_is_not_an_error(network: Network) -> None:
    write.remove(key("ana"))
    write.remove(key("ana"))
    assert load_note("ana") is None
