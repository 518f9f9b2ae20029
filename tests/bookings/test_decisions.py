"""What becomes of a booking: confirmed, cancelled, restored, missed, paid; and what each does to its time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from bookings.errors import SlotTaken
from bookings.items import Booking
from bookings.queries import bookings as queries
from bookings.services import bookings as services
from bookings.states import LAPSED_REASON, Payment, Status
from dashboard.core.clock import now, shifted
from dashboard.core.errors import Conflict, Refused
from dashboard.platform.due import runner
from dashboard.table import connection, keys, read, write
from dashboard.table.commands import new_command
from tests.bookings.bookable_business import (
    BUSINESS,
    HOUR,
    MINUTE,
    at,
    book,
    check_bookings,
    entries_of,
    open_shop,
    reloaded,
)
from tests.conftest import ACTOR

LATER = timedelta(minutes=30)


@pytest.fixture(autouse=True)
def shop(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "BEFORE_EACH_RUN", [])
    open_shop()


def act(service: Callable[..., Booking], booking: Booking, **given: Any) -> Booking:
    return service(BUSINESS, booking.id, **{"revision": booking.revision, "command": new_command(ACTOR), **given})


def waiting(hours: float | None = None) -> Booking:
    lapses = now() + timedelta(hours=hours) if hours else None
    return book(at(10), status=Status.PENDING, lapses_at=lapses)


def due_says() -> list[str]:
    told = list(runner.run())
    assert [each.text for each in told if each.failed] == []
    return [each.text for each in told]


# --- Confirming ----------------------------------------------------------------------------------
def test_what_waits_holds_its_time_and_is_confirmed(table: str) -> None:
    made = waiting(1)
    with pytest.raises(SlotTaken):
        book(at(10, 30))
    sure = act(services.confirm, made)
    assert (sure.status, sure.revision, sure.lapses_at is None) == (Status.CONFIRMED, 2, True)
    assert sure.outcome.result == {"status": "PENDING", "payment": "NONE"}
    assert [each.action for each in entries_of(made.id)] == ["booking.confirm", "booking.create"]
    check_bookings()
    with shifted(2 * HOUR):
        assert due_says() == [], "there is no deadline any more"
        with pytest.raises(SlotTaken):
            book(at(10, 30))
    assert act(services.confirm, sure).outcome.is_no_change
    back = act(services.unconfirm, sure)
    assert (back.status, back.lapses_at is None) == (Status.PENDING, True)
    check_bookings()


def test_past_its_deadline_it_holds_nothing_and_is_confirmed_if_it_still_can_be(table: str) -> None:
    made = waiting(1)
    with shifted(2 * HOUR):
        other = book(at(10, 30))
        with pytest.raises(SlotTaken) as told:
            act(services.confirm, made)
        assert told.value.item is not None and told.value.item.id == other.id
        assert told.value.alternatives == [at(11, 30), at(11, 45), at(12)]
        act(services.cancel, other)
        assert act(services.confirm, made).status == Status.CONFIRMED
        check_bookings()


def test_it_is_the_same_when_the_clock_has_noticed(table: str) -> None:
    made = waiting(1)
    with shifted(2 * HOUR):
        assert due_says() == ["it was not confirmed in time"]
        found = reloaded(made.id)
        assert (found.status, found.cancel_reason, found.has_lapsed(now())) == (Status.CANCELLED, LAPSED_REASON, True)
        (lapse, _create) = entries_of(made.id)
        assert (lapse.action, lapse.actor["email"]) == ("booking.lapse", "system")
        check_bookings()
        assert due_says() == []
        assert act(services.confirm, found).status == Status.CONFIRMED
        check_bookings()


def test_what_was_cancelled_by_hand_is_not_confirmed(table: str) -> None:
    gone = act(services.cancel, waiting())
    with pytest.raises(Refused):
        act(services.confirm, gone)


# --- Cancelling and restoring --------------------------------------------------------------------
def test_a_cancelled_one_gives_its_time_and_takes_it_back(table: str) -> None:
    made = book(at(23, 30))
    gone = act(services.cancel, made, reason="  Ill  ")
    assert (gone.status, gone.cancel_reason, gone.key) == (Status.CANCELLED, "Ill", made.key)
    check_bookings()
    assert act(services.cancel, gone).outcome.is_no_change
    back = act(services.restore, gone)
    assert (back.status, back.revision, back.cancel_reason is None) == (Status.CONFIRMED, 3, True)
    check_bookings()
    assert act(services.restore, back).outcome.is_no_change
    assert [each.action for each in entries_of(made.id)] == ["booking.restore", "booking.cancel", "booking.create"]


def test_a_time_that_is_sold_again_is_not_restored(table: str) -> None:
    gone = act(services.cancel, book(at(10)))
    other = book(at(10, 15))
    with pytest.raises(SlotTaken) as told:
        act(services.restore, gone)
    assert told.value.item is not None and told.value.item.id == other.id
    assert reloaded(gone.id).status == Status.CANCELLED
    check_bookings()


def test_one_that_waited_waits_again(table: str) -> None:
    back = act(services.restore, act(services.cancel, waiting(1)))
    assert (back.status, back.lapses_at is not None) == (Status.PENDING, True)
    check_bookings()
    with shifted(2 * HOUR):
        assert due_says() == ["it was not confirmed in time"]
        again = act(services.restore, reloaded(back.id))
        assert (again.status, again.lapses_at is None) == (Status.PENDING, True), "someone wants it back: no deadline"
        check_bookings()


# --- The rest ------------------------------------------------------------------------------------
def test_who_did_not_come_keeps_the_time_and_may_have_come_after_all(table: str) -> None:
    made = book(at(10))
    with pytest.raises(Refused):
        act(services.no_show, made)
    with shifted(at(10, 20) - now()):
        missed = act(services.no_show, made)
        assert (missed.status, act(services.no_show, missed).outcome.is_no_change) == (Status.NO_SHOW, True)
        check_bookings()
        with pytest.raises(SlotTaken):
            book(at(10, 30))
        assert act(services.confirm, missed).status == Status.CONFIRMED
        check_bookings()


def test_who_was_not_to_come_is_not_missed(table: str) -> None:
    gone, waits = act(services.cancel, book(at(10))), book(at(12), status=Status.PENDING, lapses_at=now() + HOUR)
    with shifted(at(13) - now()):
        for each in (gone, waits):
            with pytest.raises(Refused):
                act(services.no_show, each)


def test_paying_leaves_the_time_alone(table: str) -> None:
    made = book(at(10))
    paid = act(services.pay, made, payment=Payment.PAID)
    assert (paid.payment_status, paid.outcome.result["payment"], paid.revision) == ("PAID", "NONE", 2)
    assert act(services.pay, paid, payment=Payment.PAID).outcome.is_no_change
    check_bookings()
    gone = act(services.cancel, paid)
    back = act(services.pay, gone, payment=Payment.NONE)
    assert (back.payment_status, back.status) == ("NONE", Status.CANCELLED), "a cancelled one is paid back"
    check_bookings()


@pytest.mark.parametrize("name", ["confirm", "unconfirm", "cancel", "restore", "no_show"])
def test_someone_else_was_faster(table: str, name: str) -> None:
    made = book(at(10))
    act(services.pay, made, payment=Payment.PAID)
    with pytest.raises(Conflict) as told:
        act(getattr(services, name), made, revision=1)
    assert told.value.item is not None and told.value.item.updated_by == ACTOR.email
    assert len(entries_of(made.id)) == 2


def test_a_form_sent_again_changes_nothing(table: str) -> None:
    made = waiting()
    form = new_command(ACTOR)
    first = act(services.confirm, made, command=form)
    gone = act(services.cancel, first)
    again = act(services.confirm, made, command=form)
    assert (again.status, again.revision, again.outcome.has_changed_since) == (Status.CANCELLED, gone.revision, True)
    assert len(entries_of(made.id)) == 3
    check_bookings()


# --- Work for later ------------------------------------------------------------------------------
def test_what_another_service_decided_is_left_to_it(table: str) -> None:
    """It confirmed the booking, and knows of no pointer: nothing lapses, and nothing stays due."""
    made = waiting(1)
    write.update(made.key, [Booking.status.set("CONFIRMED")], Booking.pk.exists())
    with shifted(2 * HOUR):
        assert due_says() == ["it was changed elsewhere"]
        assert due_says() == []
        assert reloaded(made.id).status == Status.CONFIRMED
    assert len(entries_of(made.id)) == 1


def test_a_booking_that_is_gone_is_not_due_any_more(table: str) -> None:
    made = waiting(1)
    key = {"PK": {"S": made.pk}, "SK": {"S": made.sk}}
    connection.client().delete_item(TableName=connection.table().table_name, Key=key)
    with shifted(2 * HOUR):
        assert due_says() == ["it is gone"]
        assert due_says() == []


def test_a_later_deadline_of_another_service_counts(table: str) -> None:
    made = waiting(1)
    write.update(made.key, [Booking.lapses_at.set(now() + 3 * HOUR)], Booking.pk.exists())
    with shifted(2 * HOUR):
        assert due_says() == ["it was changed elsewhere"]
    with shifted(3 * HOUR + MINUTE):
        assert due_says() == ["it was not confirmed in time"]
    check_bookings()


def test_only_what_waits_is_due(table: str) -> None:
    book(at(8))
    waiting()
    book(at(12), status=Status.PENDING, lapses_at=now() + LATER)
    assert len(read.page(keys.DUE.collection()).items) == 1


def test_what_was_done_is_told_although_it_moves_meanwhile(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The form is sent again, and a colleague moves the booking between the pointer and what it points at."""
    made, command = book(at(10)), new_command(ACTOR)
    act(services.pay, made, payment=Payment.PAID, command=command)
    original, moves = queries.find_booking_at, iter([at(14)])

    def meanwhile(business: str, place: Any) -> Any:
        for start in moves:
            act(services.reschedule, made, provider="maria", start=start, revision=2)
        return original(business, place)

    monkeypatch.setattr(queries, "find_booking_at", meanwhile)
    again = act(services.pay, made, payment=Payment.PAID, command=command)
    assert (again.id, again.start_time) == (made.id, at(14))


def test_an_outside_booking_without_a_status_cannot_be_unconfirmed(table: str) -> None:
    booking = book(at(10))
    write.update(booking.key, [Booking.status.remove()], Booking.pk.exists())
    with pytest.raises(Refused):
        services.unconfirm(BUSINESS, booking.id, revision=booking.revision, command=new_command(ACTOR))
