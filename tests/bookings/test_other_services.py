"""Bookings that other services wrote: no pointer, no ledger, no revision, and now and then an odd value."""

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
from dashboard.table.attributes import as_plain
from dashboard.table.commands import new_command
from tests.bookings.bookable_business import (
    BUSINESS,
    MINUTE,
    MONDAY,
    at,
    book,
    foreign,
    in_step,
    open_shop,
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
    return {name: as_plain(value) for name, value in found.items()}


def in_the_way_at(start: datetime) -> str | None:
    """Who is in the way there; none where it was free, and is booked now."""
    try:
        book(start)
    except SlotTaken as told:
        return told.taken.booking_id
    return None


def test_the_first_booking_of_a_day_finds_those_that_are_there(table: str) -> None:
    foreign("book_789", at(17, 30))
    foreign("late", at(23, 30, day=-1))
    foreign("gone", at(10), status="CANCELLED")
    assert ledger() == {}
    assert in_the_way_at(at(18)) == "book_789"
    assert in_the_way_at(at(0)) == "late"
    assert ledger() == {}, "a refusal writes nothing"
    assert in_the_way_at(at(18, 30)) is None
    assert {"book_789", "late"} < set(ledger())
    assert "gone" not in ledger()
    assert in_the_way_at(at(17)) == "book_789", "the ledger knows them from now on"


def test_one_that_comes_after_the_ledger_began_is_not_booked_over(table: str) -> None:
    """Another service writes a booking and no ledger, on a day that has one, or moves one that stands in it."""
    book(at(9))
    foreign("book_789", at(17, 30))
    assert in_the_way_at(at(18)) == "book_789"
    assert in_the_way_at(at(18, 30)) is None
    write.remove(keys.BOOKING.key(tenant=BUSINESS, provider="maria", start=at(17, 30), booking="book_789"))
    foreign("book_789", at(12))
    assert in_the_way_at(at(12, 30)) == "book_789"
    assert in_the_way_at(at(17, 30)) is None


def test_neither_moving_nor_restoring_goes_over_one_of_another_service(table: str) -> None:
    cancelled = services.cancel(BUSINESS, book(at(9)).id, revision=1, command=new_command(ACTOR))
    moving = book(at(14))
    foreign("book_789", at(9, 30))
    with pytest.raises(SlotTaken) as told:
        services.restore(BUSINESS, cancelled.id, revision=2, command=new_command(ACTOR))
    assert told.value.taken.booking_id == "book_789"
    with pytest.raises(SlotTaken) as told:
        services.reschedule(BUSINESS, moving.id, provider="maria", start=at(10), revision=1, command=new_command(ACTOR))
    assert told.value.taken.booking_id == "book_789"


def test_buffers_reach_over_midnight(table: str) -> None:
    """The one that begins tomorrow keeps the last half hour of today free."""
    foreign("early", at(0, 10, day=1), bufferBeforeMinutes=30)
    assert in_the_way_at(at(23)) == "early"
    assert in_the_way_at(at(22, 40)) is None


@pytest.mark.parametrize(
    ("values", "start", "found"),
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
def test_odd_ones_take_an_hour_and_are_no_error(
    table: str, values: dict[str, Any], start: datetime, found: str | None
) -> None:
    foreign("odd", at(10), **values)
    assert [each.id for each in calendar.load_days(BUSINESS, Span(MONDAY, at(0, day=1))).bookings] == ["odd"]
    assert in_the_way_at(start) == found


@every_engine
def test_acting_on_one_keeps_what_others_put_on_it(table: str) -> None:
    foreign("book_789", at(10), channel="whatsapp", tags=["vip", {"a": 1}], price="free", revision=None)
    shown = queries.load_booking(BUSINESS, "book_789")
    assert (shown.revision, shown.status) == (0, Status.CONFIRMED)
    moved = services.reschedule(
        BUSINESS, "book_789", provider="ana", start=at(23, 30), revision=0, command=new_command(ACTOR)
    )
    assert (moved.revision, moved.provider) == (1, "ana")
    raw = raw_of(moved)
    assert (raw["channel"], raw["tags"], raw["price"]) == ("whatsapp", ["vip", {"a": 1}], "free")
    assert (raw["bookingId"], raw["providerId"], raw["startTime"]) == ("book_789", "ana", moved.start_key)
    gone = services.cancel(BUSINESS, "book_789", revision=1, command=new_command(ACTOR))
    assert raw_of(gone)["channel"] == "whatsapp"
    in_step()
    assert queries.load_booking(BUSINESS, "book_789").revision == 2


@pytest.mark.parametrize("text", ["{:%Y-%m-%dT%H:%M:%S}.000Z", "{:%Y-%m-%dT%H:%M:%S}+00:00", "{:%Y-%m-%dT%H:%M}"])
def test_the_same_moment_written_otherwise_is_found_again(table: str, text: str) -> None:
    """Its key is what it is, as long as it does not move."""
    start = foreign("book_789", text.format(at(10)), endTime=f"{at(11):%Y-%m-%dT%H:%M:%SZ}")
    gone = services.cancel(BUSINESS, "book_789", revision=0, command=new_command(ACTOR))
    assert (gone.start_key, reloaded("book_789").start_key) == (start, start)
    services.restore(BUSINESS, "book_789", revision=1, command=new_command(ACTOR))
    assert in_the_way_at(at(10, 30)) == "book_789"
    moved = services.reschedule(
        BUSINESS, "book_789", provider="maria", start=at(12), revision=2, command=new_command(ACTOR)
    )
    assert moved.start_key == f"{at(12):%Y-%m-%dT%H:%M:%SZ}"
    in_step()


def test_a_start_that_is_no_moment_can_be_shown_and_cancelled(table: str) -> None:
    foreign("book_789", "soon")
    shown = queries.load_booking(BUSINESS, "book_789")
    assert (shown.span, shown.taken) == (None, None)
    gone = services.cancel(BUSINESS, "book_789", revision=0, command=new_command(ACTOR))
    assert gone.status == Status.CANCELLED
    assert services.restore(BUSINESS, "book_789", revision=1, command=new_command(ACTOR)).revision == 2
    moved = services.reschedule(
        BUSINESS, "book_789", provider="maria", start=at(10), revision=2, command=new_command(ACTOR)
    )
    assert moved.end_time == at(11)
    in_step()


@pytest.mark.parametrize("how", ["cancelled", "taken away"])
def test_time_that_another_service_gave_back_is_free(table: str, how: str) -> None:
    """It knows nothing of the ledger: whoever wants the time looks, and the ledger is told."""
    made = book(at(10))
    if how == "cancelled":
        write.update(made.key, [Booking.status.set("CANCELLED")], None)
    else:
        write.remove(made.key)
    assert in_the_way_at(at(10, 30)) is None
    assert made.id not in ledger()


def test_one_that_another_service_moved_over_midnight_is_not_hidden_by_where_it_was(table: str) -> None:
    """Tomorrow's ledger still has it, today's has learnt of it, and a booking wants some of both days."""
    foreign("book_789", at(12, day=1))
    book(at(9)), book(at(9, day=1))
    assert "book_789" in ledger(at(0, day=1))
    write.remove(keys.BOOKING.key(tenant=BUSINESS, provider="maria", start=at(12, day=1), booking="book_789"))
    foreign("book_789", at(23))
    assert in_the_way_at(at(23, 30)) == "book_789"
    assert in_the_way_at(at(12, day=1)) is None


def test_one_that_another_service_made_shorter_gives_the_rest_of_its_time(table: str) -> None:
    foreign("book_789", at(10), 120)
    assert in_the_way_at(at(11)) == "book_789"
    assert in_the_way_at(at(12)) is None
    foreign("book_789", at(10), 30)
    assert in_the_way_at(at(10)) == "book_789"
    assert in_the_way_at(at(10, 45)) is None
    assert ledger()["book_789"]["end"] == f"{at(10, 30):%Y-%m-%dT%H:%M:%SZ}"


def test_of_two_that_wait_for_the_same_time_one_is_confirmed(table: str) -> None:
    """Other services let both wait. Whoever is confirmed first has the time."""
    foreign("one", at(10), status="PENDING")
    foreign("other", at(10, 30), status="PENDING")
    services.confirm(BUSINESS, "one", revision=0, command=new_command(ACTOR))
    with pytest.raises(SlotTaken) as told:
        services.confirm(BUSINESS, "other", revision=0, command=new_command(ACTOR))
    assert told.value.taken.booking_id == "one"
    services.cancel(BUSINESS, "one", revision=1, command=new_command(ACTOR))
    assert services.confirm(BUSINESS, "other", revision=0, command=new_command(ACTOR)).status == Status.CONFIRMED


def test_one_that_another_service_confirmed_waits_again_without_its_deadline(table: str) -> None:
    foreign("book_789", at(10), lapsesAt="2020-01-01T00:00:00Z")
    waits = services.unconfirm(BUSINESS, "book_789", revision=0, command=new_command(ACTOR))
    assert waits.status == Status.PENDING and not waits.lapses_at
    assert in_the_way_at(at(10)) == "book_789"


def test_a_status_that_another_service_moves_is_not_overwritten(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between our reading and our writing, and without a revision: it is looked at again."""
    made = book(at(10), status=Status.PENDING)
    original = decisions._confirm

    def meanwhile(case: Any) -> Any:
        if case.status_before == Status.PENDING:
            write.update(made.key, [Booking.status.set("CANCELLED")], None)
        return original(case)

    monkeypatch.setitem(decisions.EFFECTS, "confirm", meanwhile)
    with pytest.raises(Refused, match="Restore it first"):
        services.confirm(BUSINESS, made.id, revision=1, command=new_command(ACTOR))
    assert reloaded(made.id).status == Status.CANCELLED


def test_a_ledger_with_odd_entries_is_read(table: str) -> None:
    odd = {"a": 5, "b": {}, "c": {"start": 5, "end": "x"}, "d": None}
    entry = {"start": f"{at(10):%Y-%m-%dT%H:%M:%SZ}", "end": f"{at(11):%Y-%m-%dT%H:%M:%SZ}"}
    where = keys.PROVIDER_DAY.key(tenant=BUSINESS, provider="maria", date=MONDAY.date().isoformat())
    put_raw(*where, busy=odd | {"unknown": entry})
    assert in_the_way_at(at(10, 30)) == "unknown", "what cannot be looked up keeps its time"
    assert in_the_way_at(at(11)) is None
    assert {*odd, "unknown"} < set(ledger()), "what is not ours stays"


def test_a_pointer_that_leads_nowhere_is_not_found(table: str) -> None:
    put_raw(
        *keys.BOOKING_REF.key(tenant=BUSINESS, booking="lost"), providerId="maria", startTime="2026-01-01T00:00:00Z"
    )
    put_raw(*keys.BOOKING_REF.key(tenant=BUSINESS, booking="odd"), providerId=5, startTime=["x"])
    for id in ("lost", "odd"):
        with pytest.raises(NotFound):
            queries.load_booking(BUSINESS, id)
        with pytest.raises(NotFound):
            services.cancel(BUSINESS, id, revision=0, command=new_command(ACTOR))


def test_the_seeds_own_booking_shows(table: str) -> None:
    """As the document has it, without a start of its own."""
    key = keys.BOOKING.key(tenant=BUSINESS, provider="pro_55", start="2025-12-01T17:30:00Z", booking="book_789")
    put_raw(*key, endTime="2025-12-01T18:30:00Z", status="CONFIRMED", paymentStatus="PAID")
    found = queries.find_booking_at(BUSINESS, key)
    assert found is not None and found.span is not None
    assert (found.id, found.provider, found.title) == ("book_789", "pro_55", "book_789")
    assert (found.span.start.hour, found.span.end.hour) == (17, 18)
    assert not found.has_lapsed(now())


@real_engines
def test_a_day_that_other_services_have_filled_is_refused_in_words(table: str) -> None:
    """All they have booked would not fit into the ledger, which is one item."""
    for number in range(450):
        foreign(f"{number:04}{'x' * 900}", at(0) + number * MINUTE, 1)
    with pytest.raises(Refused, match="exceed 400 KB"):
        book(at(20))


@pytest.mark.parametrize("number", [None, "x", Decimal("2.5"), Decimal("9E+60"), -3])
def test_hours_that_another_service_counts_in_its_own_way_can_be_booked(table: str, number: Any) -> None:
    """What stands there stands as it stood: nobody is told to try again for ever."""
    place = keys.PROVIDER.key(tenant=BUSINESS, provider="maria")
    put_raw(*place, services=["masaje"], timezone="UTC", scheduleRevision=number)
    assert book(at(10)).revision == 1
    edited = providers.edit(
        BUSINESS, "maria", {"name": "Ana"}, revision=0, business_zone="UTC", command=new_command(ACTOR)
    )
    assert edited.name == "Ana"
    off = providers.deactivate(BUSINESS, "maria", revision=1, accepts=_read_first(), command=new_command(ACTOR))
    assert off.schedule_revision > 0


@pytest.mark.parametrize("name", ["status", "revision"])
def test_a_booking_with_nothing_where_something_is_looked_for_can_be_decided(table: str, name: str) -> None:
    key = keys.BOOKING.key(tenant=BUSINESS, provider="maria", start=at(10), booking="book_789")
    told: dict[str, Any] = {"status": "CONFIRMED", "endTime": f"{at(11):%Y-%m-%dT%H:%M:%SZ}"} | {name: None}
    put_raw(*key, **told)
    ref = keys.BOOKING_REF.key(tenant=BUSINESS, booking="book_789")
    put_raw(*ref, providerId="maria", startTime=f"{at(10):%Y-%m-%dT%H:%M:%SZ}", revision=None)
    paid = services.pay(BUSINESS, "book_789", payment=Payment.PAID, revision=0, command=new_command(ACTOR))
    assert paid.payment_status == Payment.PAID


def _read_first() -> str:
    """Which bookings lose their provider, as the page sends it back."""
    with pytest.raises(DisplacedBookings) as told:
        providers.deactivate(BUSINESS, "maria", revision=1, command=new_command(ACTOR))
    return told.value.digest
