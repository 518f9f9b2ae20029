"""Actions on a booking: confirm, cancel, restore, no-show and pay; and what each does to its time."""

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


def book_pending(hours: float | None = None) -> Booking:
    lapses = now() + timedelta(hours=hours) if hours else None
    return book(at(10), status=Status.PENDING, lapses_at=lapses)


def run_due() -> list[str]:
    results = list(runner.run())
    assert [each.text for each in results if each.failed] == []
    return [each.text for each in results]


# --- Confirming ----------------------------------------------------------------------------------
def test_a_pending_booking_takes_its_time_and_is_confirmed(table: str) -> None:
    booking = book_pending(1)
    with pytest.raises(SlotTaken):
        book(at(10, 30))
    confirmed = act(services.confirm, booking)
    assert (confirmed.status, confirmed.revision, confirmed.lapses_at is None) == (Status.CONFIRMED, 2, True)
    assert confirmed.outcome.result == {"status": "PENDING", "payment": "NONE"}
    assert [each.action for each in entries_of(booking.id)] == ["booking.confirm", "booking.create"]
    check_bookings()
    with shifted(2 * HOUR):
        assert run_due() == [], "a confirmed booking has no deadline"
        with pytest.raises(SlotTaken):
            book(at(10, 30))
    assert act(services.confirm, confirmed).outcome.is_no_change
    unconfirmed = act(services.unconfirm, confirmed)
    assert (unconfirmed.status, unconfirmed.lapses_at is None) == (Status.PENDING, True)
    check_bookings()


def test_after_its_deadline_a_booking_is_confirmed_only_if_its_time_is_free(table: str) -> None:
    booking = book_pending(1)
    with shifted(2 * HOUR):
        other = book(at(10, 30))
        with pytest.raises(SlotTaken) as error:
            act(services.confirm, booking)
        assert error.value.item is not None and error.value.item.id == other.id
        assert error.value.alternatives == [at(11, 30), at(11, 45), at(12)]
        act(services.cancel, other)
        assert act(services.confirm, booking).status == Status.CONFIRMED
        check_bookings()


def test_a_booking_cancelled_by_run_due_can_be_confirmed(table: str) -> None:
    booking = book_pending(1)
    with shifted(2 * HOUR):
        assert run_due() == ["it was not confirmed in time"]
        found = reloaded(booking.id)
        assert (found.status, found.cancel_reason, found.has_lapsed(now())) == (Status.CANCELLED, LAPSED_REASON, True)
        (lapse, _create) = entries_of(booking.id)
        assert (lapse.action, lapse.actor["email"]) == ("booking.lapse", "system")
        check_bookings()
        assert run_due() == []
        assert act(services.confirm, found).status == Status.CONFIRMED
        check_bookings()


def test_a_booking_cancelled_by_a_person_cannot_be_confirmed(table: str) -> None:
    cancelled = act(services.cancel, book_pending())
    with pytest.raises(Refused):
        act(services.confirm, cancelled)


# --- Cancelling and restoring --------------------------------------------------------------------
def test_cancelling_frees_the_time_and_restoring_takes_it(table: str) -> None:
    booking = book(at(23, 30))
    cancelled = act(services.cancel, booking, reason="  Ill  ")
    assert (cancelled.status, cancelled.cancel_reason, cancelled.key) == (Status.CANCELLED, "Ill", booking.key)
    check_bookings()
    assert act(services.cancel, cancelled).outcome.is_no_change
    restored = act(services.restore, cancelled)
    assert (restored.status, restored.revision, restored.cancel_reason is None) == (Status.CONFIRMED, 3, True)
    check_bookings()
    assert act(services.restore, restored).outcome.is_no_change
    assert [each.action for each in entries_of(booking.id)] == ["booking.restore", "booking.cancel", "booking.create"]


def test_restoring_onto_a_taken_time_is_refused(table: str) -> None:
    cancelled = act(services.cancel, book(at(10)))
    other = book(at(10, 15))
    with pytest.raises(SlotTaken) as error:
        act(services.restore, cancelled)
    assert error.value.item is not None and error.value.item.id == other.id
    assert reloaded(cancelled.id).status == Status.CANCELLED
    check_bookings()


def test_a_restored_pending_booking_is_pending_again(table: str) -> None:
    restored = act(services.restore, act(services.cancel, book_pending(1)))
    assert (restored.status, restored.lapses_at is not None) == (Status.PENDING, True)
    check_bookings()
    with shifted(2 * HOUR):
        assert run_due() == ["it was not confirmed in time"]
        again = act(services.restore, reloaded(restored.id))
        assert (again.status, again.lapses_at is None) == (Status.PENDING, True), (
            "a restored booking has no deadline after a lapse"
        )
        check_bookings()


# --- No-shows, payments and conflicts ------------------------------------------------------------
def test_a_no_show_takes_its_time_and_can_be_confirmed(table: str) -> None:
    booking = book(at(10))
    with pytest.raises(Refused):
        act(services.no_show, booking)
    with shifted(at(10, 20) - now()):
        no_show = act(services.no_show, booking)
        assert (no_show.status, act(services.no_show, no_show).outcome.is_no_change) == (Status.NO_SHOW, True)
        check_bookings()
        with pytest.raises(SlotTaken):
            book(at(10, 30))
        assert act(services.confirm, no_show).status == Status.CONFIRMED
        check_bookings()


def test_a_cancelled_or_lapsed_booking_cannot_be_a_no_show(table: str) -> None:
    cancelled, waits = act(services.cancel, book(at(10))), book(at(12), status=Status.PENDING, lapses_at=now() + HOUR)
    with shifted(at(13) - now()):
        for each in (cancelled, waits):
            with pytest.raises(Refused):
                act(services.no_show, each)


def test_a_payment_does_not_change_the_time(table: str) -> None:
    booking = book(at(10))
    paid = act(services.pay, booking, payment=Payment.PAID)
    assert (paid.payment_status, paid.outcome.result["payment"], paid.revision) == ("PAID", "NONE", 2)
    assert act(services.pay, paid, payment=Payment.PAID).outcome.is_no_change
    check_bookings()
    cancelled = act(services.cancel, paid)
    unpaid = act(services.pay, cancelled, payment=Payment.NONE)
    assert (unpaid.payment_status, unpaid.status) == ("NONE", Status.CANCELLED), (
        "a cancelled booking can be set to unpaid"
    )
    check_bookings()


@pytest.mark.parametrize("name", ["confirm", "unconfirm", "cancel", "restore", "no_show"])
def test_a_stale_revision_is_a_conflict(table: str, name: str) -> None:
    booking = book(at(10))
    act(services.pay, booking, payment=Payment.PAID)
    with pytest.raises(Conflict) as error:
        act(getattr(services, name), booking, revision=1)
    assert error.value.item is not None and error.value.item.updated_by == ACTOR.email
    assert len(entries_of(booking.id)) == 2


def test_a_form_sent_again_changes_nothing(table: str) -> None:
    booking = book_pending()
    form = new_command(ACTOR)
    first = act(services.confirm, booking, command=form)
    cancelled = act(services.cancel, first)
    again = act(services.confirm, booking, command=form)
    assert (again.status, again.revision, again.outcome.has_changed_since) == (
        Status.CANCELLED,
        cancelled.revision,
        True,
    )
    assert len(entries_of(booking.id)) == 3
    check_bookings()


# --- Due tasks -----------------------------------------------------------------------------------
def test_a_booking_confirmed_by_an_outside_writer_does_not_lapse(table: str) -> None:
    """It confirmed the booking and did not change the pointer: nothing lapses, and nothing stays due."""
    booking = book_pending(1)
    write.update(booking.key, [Booking.status.set("CONFIRMED")], Booking.pk.exists())
    with shifted(2 * HOUR):
        assert run_due() == ["it was changed elsewhere"]
        assert run_due() == []
        assert reloaded(booking.id).status == Status.CONFIRMED
    assert len(entries_of(booking.id)) == 1


def test_a_deleted_booking_is_no_longer_due(table: str) -> None:
    booking = book_pending(1)
    key = {"PK": {"S": booking.pk}, "SK": {"S": booking.sk}}
    connection.client().delete_item(TableName=connection.table().table_name, Key=key)
    with shifted(2 * HOUR):
        assert run_due() == ["it is gone"]
        assert run_due() == []


def test_a_later_deadline_of_an_outside_writer_counts(table: str) -> None:
    booking = book_pending(1)
    write.update(booking.key, [Booking.lapses_at.set(now() + 3 * HOUR)], Booking.pk.exists())
    with shifted(2 * HOUR):
        assert run_due() == ["it was changed elsewhere"]
    with shifted(3 * HOUR + MINUTE):
        assert run_due() == ["it was not confirmed in time"]
    check_bookings()


def test_only_a_pending_booking_with_a_deadline_is_due(table: str) -> None:
    book(at(8))
    book_pending()
    book(at(12), status=Status.PENDING, lapses_at=now() + LATER)
    assert len(read.page(keys.DUE.collection()).items) == 1


def test_a_repeated_form_reports_its_result_while_the_booking_moves(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The form is sent again, and someone moves the booking after its pointer was read."""
    booking, command = book(at(10)), new_command(ACTOR)
    act(services.pay, booking, payment=Payment.PAID, command=command)
    original, moves = queries.find_booking_at, iter([at(14)])

    def move_and_find(business: str, place: Any) -> Any:
        for start in moves:
            act(services.reschedule, booking, provider="maria", start=start, revision=2)
        return original(business, place)

    monkeypatch.setattr(queries, "find_booking_at", move_and_find)
    again = act(services.pay, booking, payment=Payment.PAID, command=command)
    assert (again.id, again.start_time) == (booking.id, at(14))


def test_an_outside_booking_without_a_status_cannot_be_unconfirmed(table: str) -> None:
    booking = book(at(10))
    write.update(booking.key, [Booking.status.remove()], Booking.pk.exists())
    with pytest.raises(Refused):
        services.unconfirm(BUSINESS, booking.id, revision=booking.revision, command=new_command(ACTOR))
