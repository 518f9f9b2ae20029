"""Bookings of outside writers: no pointer, no ledger, no revision, and sometimes an odd value."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

from bookings.displaced_bookings import DisplacedBookings
from bookings.errors import SlotTaken
from bookings.items import Booking, ProviderDay
from bookings.queries import bookings as queries
from bookings.queries import calendar
from bookings.services import bookings as services
from bookings.services import decisions, providers
from bookings.slots import Span
from bookings.states import Payment, Status
from dashboard.core.clock import now
from dashboard.core.errors import NotFound, Refused
from dashboard.table import connection, keys, read, write
from dashboard.table.attributes import from_attribute
from dashboard.table.commands import new_command
from tests.bookings.bookable_business import (
    BUSINESS,
    MINUTE,
    MONDAY,
    at,
    book,
    check_bookings,
    open_shop,
    put_outside_booking,
    put_raw,
    reloaded,
)
from tests.conftest import ACTOR, every_engine, real_engines


@pytest.fixture(autouse=True)
def shop(table: str) -> None:
    open_shop("maria", "ana")


def ledger(day: datetime = MONDAY, provider: str = "maria") -> dict[str, Any]:
    where = keys.PROVIDER_DAY.key(tenant=BUSINESS, provider=provider, date=day.date().isoformat())
    found = read.get(ProviderDay, where)
    return dict(found.busy or {}) if found is not None else {}


def raw_of(booking: Booking) -> dict[str, Any]:
    key = {"PK": {"S": booking.pk}, "SK": {"S": booking.sk}}
    found = connection.client().get_item(TableName=connection.table().table_name, Key=key)["Item"]
    return {name: from_attribute(value) for name, value in found.items()}


def conflict_at(start: datetime) -> str | None:
    """Book this start; return the id of the conflicting booking, or None if it is booked now."""
    try:
        book(start)
    except SlotTaken as error:
        return error.taken.booking_id
    return None


def test_the_first_booking_of_a_day_adds_outside_bookings_to_the_ledger(table: str) -> None:
    put_outside_booking("book_789", at(17, 30))
    put_outside_booking("late", at(23, 30, day=-1))
    put_outside_booking("gone", at(10), status="CANCELLED")
    assert ledger() == {}
    assert conflict_at(at(18)) == "book_789"
    assert conflict_at(at(0)) == "late"
    assert ledger() == {}, "a refusal writes nothing"
    assert conflict_at(at(18, 30)) is None
    assert {"book_789", "late"} < set(ledger())
    assert "gone" not in ledger()
    assert conflict_at(at(17)) == "book_789", "the ledger has them now"


def test_an_outside_booking_on_a_day_with_a_ledger_takes_its_time(table: str) -> None:
    """An outside writer adds or moves a booking and does not change the ledger."""
    book(at(9))
    put_outside_booking("book_789", at(17, 30))
    assert conflict_at(at(18)) == "book_789"
    assert conflict_at(at(18, 30)) is None
    write.remove(keys.BOOKING.key(tenant=BUSINESS, provider="maria", start=at(17, 30), booking="book_789"))
    put_outside_booking("book_789", at(12))
    assert conflict_at(at(12, 30)) == "book_789"
    assert conflict_at(at(17, 30)) is None


@pytest.mark.parametrize("has_ledger", [False, True])
def test_two_outside_bookings_with_one_id_both_take_their_time(table: str, has_ledger: bool) -> None:
    """The ledger has one entry for an id."""
    if has_ledger:
        book(at(20))
    put_outside_booking("book_789", at(10))
    put_outside_booking("book_789", at(12))
    assert conflict_at(at(10, 30)) == conflict_at(at(12, 30)) == "book_789"
    assert conflict_at(at(11)) is None


def test_moving_or_restoring_onto_an_outside_booking_is_refused(table: str) -> None:
    cancelled = services.cancel(BUSINESS, book(at(9)).id, revision=1, command=new_command(ACTOR))
    moving = book(at(14))
    put_outside_booking("book_789", at(9, 30))
    with pytest.raises(SlotTaken) as error:
        services.restore(BUSINESS, cancelled.id, revision=2, command=new_command(ACTOR))
    assert error.value.taken.booking_id == "book_789"
    with pytest.raises(SlotTaken) as error:
        services.reschedule(BUSINESS, moving.id, provider="maria", start=at(10), revision=1, command=new_command(ACTOR))
    assert error.value.taken.booking_id == "book_789"


def test_a_buffer_across_midnight_takes_time(table: str) -> None:
    """A booking at 00:10 with a buffer of 30 minutes takes the last 20 minutes of the day before."""
    put_outside_booking("early", at(0, 10, day=1), bufferBeforeMinutes=30)
    assert conflict_at(at(23)) == "early"
    assert conflict_at(at(22, 40)) is None


@pytest.mark.parametrize(
    ("values", "start", "conflict"),
    [
        ({"endTime": None}, at(10, 45), "odd"),
        ({"endTime": None}, at(11), None),
        ({"endTime": "soon"}, at(10, 45), "odd"),
        ({"endTime": 5}, at(10, 45), "odd"),
        ({"endTime": f"{at(9):%Y-%m-%dT%H:%M:%SZ}"}, at(10, 45), "odd"),
        ({"endTime": f"{at(9, day=9):%Y-%m-%dT%H:%M:%SZ}"}, at(23, day=0), "odd"),
        ({"endTime": f"{at(9, day=9):%Y-%m-%dT%H:%M:%SZ}"}, at(12, day=2), None),
        ({"status": None}, at(10), "odd"),
        ({"status": ["CONFIRMED"]}, at(10), "odd"),
        ({"status": "COMPLETED"}, at(10), "odd"),
        ({"bufferAfterMinutes": "ten"}, at(11), None),
        ({"bufferAfterMinutes": -5}, at(11), None),
        ({"bufferAfterMinutes": 10**9}, at(11), None),
        ({"bufferAfterMinutes": 20}, at(11), "odd"),
        ({"status": "PENDING", "lapsesAt": "2020-01-01T00:00:00Z"}, at(10), None),
        ({"status": "PENDING", "lapsesAt": "whenever"}, at(10), "odd"),
    ],
)
def test_outside_bookings_with_odd_values_cause_no_error(
    table: str, values: dict[str, Any], start: datetime, conflict: str | None
) -> None:
    put_outside_booking("odd", at(10), **values)
    assert [each.id for each in calendar.load_days(BUSINESS, Span(MONDAY, at(0, day=1))).bookings] == ["odd"]
    assert conflict_at(start) == conflict


@every_engine
def test_actions_keep_the_extra_attributes_of_outside_bookings(table: str) -> None:
    put_outside_booking("book_789", at(10), channel="whatsapp", tags=["vip", {"a": 1}], price="free", revision=None)
    loaded = queries.load_booking(BUSINESS, "book_789")
    assert (loaded.revision, loaded.status) == (0, Status.CONFIRMED)
    moved = services.reschedule(
        BUSINESS, "book_789", provider="ana", start=at(23, 30), revision=0, command=new_command(ACTOR)
    )
    assert (moved.revision, moved.provider) == (1, "ana")
    raw = raw_of(moved)
    assert (raw["channel"], raw["tags"], raw["price"]) == ("whatsapp", ["vip", {"a": 1}], "free")
    assert (raw["bookingId"], raw["providerId"], raw["startTime"]) == ("book_789", "ana", moved.start_key)
    cancelled = services.cancel(BUSINESS, "book_789", revision=1, command=new_command(ACTOR))
    assert raw_of(cancelled)["channel"] == "whatsapp"
    check_bookings()
    assert queries.load_booking(BUSINESS, "book_789").revision == 2


@pytest.mark.parametrize("text", ["{:%Y-%m-%dT%H:%M:%S}.000Z", "{:%Y-%m-%dT%H:%M:%S}+00:00", "{:%Y-%m-%dT%H:%M}"])
def test_start_keys_in_other_time_formats_are_found(table: str, text: str) -> None:
    """The key keeps its format until the booking moves."""
    start = put_outside_booking("book_789", text.format(at(10)), endTime=f"{at(11):%Y-%m-%dT%H:%M:%SZ}")
    cancelled = services.cancel(BUSINESS, "book_789", revision=0, command=new_command(ACTOR))
    assert (cancelled.start_key, reloaded("book_789").start_key) == (start, start)
    services.restore(BUSINESS, "book_789", revision=1, command=new_command(ACTOR))
    assert conflict_at(at(10, 30)) == "book_789"
    moved = services.reschedule(
        BUSINESS, "book_789", provider="maria", start=at(12), revision=2, command=new_command(ACTOR)
    )
    assert moved.start_key == f"{at(12):%Y-%m-%dT%H:%M:%SZ}"
    check_bookings()


def test_a_booking_with_an_invalid_start_can_be_loaded_cancelled_and_moved(table: str) -> None:
    put_outside_booking("book_789", "soon")
    loaded = queries.load_booking(BUSINESS, "book_789")
    assert (loaded.span, loaded.taken) == (None, None)
    cancelled = services.cancel(BUSINESS, "book_789", revision=0, command=new_command(ACTOR))
    assert cancelled.status == Status.CANCELLED
    assert services.restore(BUSINESS, "book_789", revision=1, command=new_command(ACTOR)).revision == 2
    moved = services.reschedule(
        BUSINESS, "book_789", provider="maria", start=at(10), revision=2, command=new_command(ACTOR)
    )
    assert moved.end_time == at(11)
    check_bookings()


@pytest.mark.parametrize("how", ["cancelled", "taken away"])
def test_time_freed_by_an_outside_writer_is_free(table: str, how: str) -> None:
    """It does not change the ledger: the next booking checks the time and corrects the ledger."""
    booking = book(at(10))
    if how == "cancelled":
        write.update(booking.key, [Booking.status.set("CANCELLED")], None)
    else:
        write.remove(booking.key)
    assert conflict_at(at(10, 30)) is None
    assert booking.id not in ledger()


def test_a_booking_moved_across_midnight_by_an_outside_writer_is_found(table: str) -> None:
    """Tomorrow's ledger has its old time, today's its new time, and a new booking touches both days."""
    put_outside_booking("book_789", at(12, day=1))
    book(at(9)), book(at(9, day=1))
    assert "book_789" in ledger(at(0, day=1))
    write.remove(keys.BOOKING.key(tenant=BUSINESS, provider="maria", start=at(12, day=1), booking="book_789"))
    put_outside_booking("book_789", at(23))
    assert conflict_at(at(23, 30)) == "book_789"
    assert conflict_at(at(12, day=1)) is None


def test_a_booking_shortened_by_an_outside_writer_frees_the_rest_of_its_time(table: str) -> None:
    put_outside_booking("book_789", at(10), 120)
    assert conflict_at(at(11)) == "book_789"
    assert conflict_at(at(12)) is None
    put_outside_booking("book_789", at(10), 30)
    assert conflict_at(at(10)) == "book_789"
    assert conflict_at(at(10, 45)) is None
    assert ledger()["book_789"]["end"] == f"{at(10, 30):%Y-%m-%dT%H:%M:%SZ}"


def test_of_two_pending_bookings_of_the_same_time_one_is_confirmed(table: str) -> None:
    """Outside writers can create both. The first one that is confirmed gets the time."""
    put_outside_booking("one", at(10), status="PENDING")
    put_outside_booking("other", at(10, 30), status="PENDING")
    services.confirm(BUSINESS, "one", revision=0, command=new_command(ACTOR))
    with pytest.raises(SlotTaken) as error:
        services.confirm(BUSINESS, "other", revision=0, command=new_command(ACTOR))
    assert error.value.taken.booking_id == "one"
    services.cancel(BUSINESS, "one", revision=1, command=new_command(ACTOR))
    assert services.confirm(BUSINESS, "other", revision=0, command=new_command(ACTOR)).status == Status.CONFIRMED


def test_unconfirming_an_outside_booking_removes_its_deadline(table: str) -> None:
    put_outside_booking("book_789", at(10), lapsesAt="2020-01-01T00:00:00Z")
    waits = services.unconfirm(BUSINESS, "book_789", revision=0, command=new_command(ACTOR))
    assert waits.status == Status.PENDING and not waits.lapses_at
    assert conflict_at(at(10)) == "book_789"


def test_a_status_changed_by_an_outside_writer_is_not_overwritten(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It changes between our read and our write, without a revision: the booking is read again."""
    booking = book(at(10), status=Status.PENDING)
    original = decisions._confirm

    def cancel_and_confirm(case: Any) -> Any:
        if case.status_before == Status.PENDING:
            write.update(booking.key, [Booking.status.set("CANCELLED")], None)
        return original(case)

    monkeypatch.setitem(decisions.EFFECTS, "confirm", cancel_and_confirm)
    with pytest.raises(Refused, match="Restore it first"):
        services.confirm(BUSINESS, booking.id, revision=1, command=new_command(ACTOR))
    assert reloaded(booking.id).status == Status.CANCELLED


def test_a_ledger_with_odd_entries_is_read(table: str) -> None:
    odd = {"a": 5, "b": {}, "c": {"start": 5, "end": "x"}, "d": None}
    entry = {"start": f"{at(10):%Y-%m-%dT%H:%M:%SZ}", "end": f"{at(11):%Y-%m-%dT%H:%M:%SZ}"}
    where = keys.PROVIDER_DAY.key(tenant=BUSINESS, provider="maria", date=MONDAY.date().isoformat())
    put_raw(*where, busy=odd | {"unknown": entry})
    assert conflict_at(at(10, 30)) == "unknown", "an entry without a booking keeps its time"
    assert conflict_at(at(11)) is None
    assert {*odd, "unknown"} < set(ledger()), "odd entries are kept"


def test_a_pointer_without_a_booking_is_not_found(table: str) -> None:
    put_raw(
        *keys.BOOKING_REF.key(tenant=BUSINESS, booking="lost"), providerId="maria", startTime="2026-01-01T00:00:00Z"
    )
    put_raw(*keys.BOOKING_REF.key(tenant=BUSINESS, booking="odd"), providerId=5, startTime=["x"])
    for id in ("lost", "odd"):
        with pytest.raises(NotFound):
            queries.load_booking(BUSINESS, id)
        with pytest.raises(NotFound):
            services.cancel(BUSINESS, id, revision=0, command=new_command(ACTOR))


def test_the_seeds_booking_is_loaded(table: str) -> None:
    """In the form of the document, without a start attribute."""
    key = keys.BOOKING.key(tenant=BUSINESS, provider="pro_55", start="2025-12-01T17:30:00Z", booking="book_789")
    put_raw(*key, endTime="2025-12-01T18:30:00Z", status="CONFIRMED", paymentStatus="PAID")
    found = queries.find_booking_at(BUSINESS, key)
    assert found is not None and found.span is not None
    assert (found.id, found.provider, found.title) == ("book_789", "pro_55", "book_789")
    assert (found.span.start.hour, found.span.end.hour) == (17, 18)
    assert not found.has_lapsed(now())


@real_engines
def test_a_day_with_too_many_outside_bookings_is_refused(table: str) -> None:
    """They do not fit into the ledger, which is one item."""
    for number in range(450):
        put_outside_booking(f"{number:04}{'x' * 900}", at(0) + number * MINUTE, 1)
    with pytest.raises(Refused, match="exceed 400 KB"):
        book(at(20))


@pytest.mark.parametrize("number", [None, "x", Decimal("2.5"), Decimal("9E+60"), -3])
def test_an_odd_schedule_revision_does_not_prevent_bookings(table: str, number: Any) -> None:
    """The stored value is compared as it is, so that no write fails again and again."""
    place = keys.PROVIDER.key(tenant=BUSINESS, provider="maria")
    put_raw(*place, services=["masaje"], timezone="UTC", scheduleRevision=number)
    assert book(at(10)).revision == 1
    edited = providers.edit(
        BUSINESS, "maria", {"name": "Ana"}, revision=0, business_zone="UTC", command=new_command(ACTOR)
    )
    assert edited.name == "Ana"
    off = providers.deactivate(BUSINESS, "maria", revision=1, accepts=_displaced_digest(), command=new_command(ACTOR))
    assert off.schedule_revision > 0


@pytest.mark.parametrize("name", ["status", "revision"])
def test_a_booking_with_a_null_status_or_revision_can_be_paid(table: str, name: str) -> None:
    key = keys.BOOKING.key(tenant=BUSINESS, provider="maria", start=at(10), booking="book_789")
    values: dict[str, Any] = {"status": "CONFIRMED", "endTime": f"{at(11):%Y-%m-%dT%H:%M:%SZ}"} | {name: None}
    put_raw(*key, **values)
    ref = keys.BOOKING_REF.key(tenant=BUSINESS, booking="book_789")
    put_raw(*ref, providerId="maria", startTime=f"{at(10):%Y-%m-%dT%H:%M:%SZ}", revision=None)
    paid = services.pay(BUSINESS, "book_789", payment=Payment.PAID, revision=0, command=new_command(ACTOR))
    assert paid.payment_status == Payment.PAID


def _displaced_digest() -> str:
    """The digest of the displaced bookings, as the page sends it back."""
    with pytest.raises(DisplacedBookings) as error:
        providers.deactivate(BUSINESS, "maria", revision=1, command=new_command(ACTOR))
    return error.value.digest
