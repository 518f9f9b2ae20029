"""Queries for bookings: by day, by provider and in lists; their cost; and reads while an index lags."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest

from bookings.items import Booking
from bookings.queries import booking_state, calendar
from bookings.queries import bookings as queries
from bookings.queries.bookings import BookingFilter
from bookings.queries.calendar import CalendarDays
from bookings.queries.history import history_of
from bookings.services import bookings as services
from bookings.slots import Rules, SlotLength, Span, free_starts
from bookings.states import Payment, Status
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.table import connection, keys, oplog, read
from dashboard.table.commands import new_command
from dashboard.table.keypattern import Key
from dashboard.table.read import Page
from dashboard.table.timestamps import to_wire
from tests.audit.entries import put_all
from tests.bookings.bookable_business import (
    BUSINESS,
    DAY,
    HOUR,
    MONDAY,
    at,
    book,
    open_shop,
    provider,
    put,
    put_outside_booking,
)
from tests.conftest import ACTOR, every_engine, real_engines
from tests.faults import bad_network


@pytest.fixture(autouse=True)
def shop(table: str) -> None:
    open_shop("maria", "ana")


def ids(found: CalendarDays | Page[Booking]) -> list[str]:
    return [each.id for each in (found.bookings if isinstance(found, CalendarDays) else found.items)]


def test_a_day_has_every_booking_that_overlaps_it(table: str) -> None:
    put_outside_booking("night", at(23, 30, day=-1))
    put_outside_booking("ended", at(23, day=-1))
    put_outside_booking("first", at(0), by="ana")
    put_outside_booking("last", at(23, 59))
    put_outside_booking("next", at(0, day=1))
    put_outside_booking("gone", at(9), status="CANCELLED")
    day = calendar.load_days(BUSINESS, Span(MONDAY, MONDAY + DAY))
    assert (ids(day), day.is_truncated) == (["night", "first", "gone", "last"], False)
    takes = queries.bookings_taking_time(BUSINESS, "maria", MONDAY, MONDAY + DAY)
    assert [each.id for each in takes] == ["night", "last"]
    week = calendar.load_days(BUSINESS, Span(MONDAY, MONDAY + 7 * DAY))
    assert ids(week) == ["night", "first", "gone", "last", "next"]
    assert ids(calendar.load_days("other", Span(MONDAY, MONDAY + DAY))) == []


def test_a_day_of_23_hours_ends_an_hour_earlier(table: str) -> None:
    put_outside_booking("in", at(22))
    put_outside_booking("out", at(23))
    assert ids(calendar.load_days(BUSINESS, Span(MONDAY, MONDAY + 23 * HOUR))) == ["in"]


def test_a_day_with_too_many_bookings_is_marked_as_truncated(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The day before is read too: its bookings may reach into this day."""
    monkeypatch.setattr(calendar, "MAX_BOOKINGS_A_DAY", 2)
    for number in range(5):
        put_outside_booking(f"b{number}", at(10 + number))
    day = calendar.load_days(BUSINESS, Span(MONDAY, MONDAY + DAY))
    assert (len(day.bookings), day.is_truncated) == (4, True)
    assert len(queries.bookings_taking_time(BUSINESS, "maria", MONDAY, MONDAY + DAY)) == 5, (
        "this query is never truncated"
    )


def test_an_item_without_the_id_of_a_booking_is_in_no_list(table: str) -> None:
    """An outside writer may put any item into an index, and any sort key into a partition."""
    put_outside_booking("a", at(8))
    raw = read.raw_item(keys.BOOKING.key(tenant=BUSINESS, provider="maria", start=to_wire(at(8)), booking="a"))
    for key in (
        Key(f"TENANT#{BUSINESS}#PROVIDER#maria", f"BOOKING#{to_wire(at(9))}"),
        Key(f"TENANT#{BUSINESS}", "X#1"),
    ):
        attributes = {name: value for name, value in (raw or {}).items() if name not in ("PK", "SK")}
        connection.table().put_item(key.pk, key.sk, attributes=attributes)
    assert ids(calendar.load_days(BUSINESS, Span(MONDAY, MONDAY + DAY))) == ["a"]
    assert ids(calendar.load_days(BUSINESS, Span(MONDAY, MONDAY + DAY), provider="maria")) == ["a"]
    for filter_by in (
        BookingFilter(),
        BookingFilter(provider="maria"),
        BookingFilter(payment="NONE"),
        BookingFilter(status="CONFIRMED", payment="NONE"),
    ):
        assert ids(queries.agenda(BUSINESS, filter_by)) == ["a"], filter_by


@every_engine
def test_the_list_by_any_combination_of_filters(table: str) -> None:
    maria: dict[str, Any] = {"by": "maria", "providerId": "maria"}
    ana: dict[str, Any] = {"by": "ana", "providerId": "ana"}
    put_outside_booking("a", at(8), serviceId="masaje", customerId="juan", paymentStatus="PAID", **maria)
    put_outside_booking("b", at(9), serviceId="masaje", customerId="eva", status="PENDING", **maria)
    put_outside_booking("c", at(10), serviceId="corte", customerId="juan", status="CANCELLED", **ana)
    put_outside_booking("d", at(11), serviceId="corte", customerId="juan", **ana)
    cases: list[tuple[dict[str, str], list[str]]] = [
        ({}, ["a", "b", "c", "d"]),
        ({"provider": "ana"}, ["c", "d"]),
        ({"service": "masaje"}, ["a", "b"]),
        ({"status": "CONFIRMED"}, ["a", "d"]),
        ({"payment": "PAID"}, ["a"]),
        ({"payment": "NONE"}, ["b", "c", "d"]),
        ({"provider": "ana", "status": "CANCELLED", "service": "corte"}, ["c"]),
        ({"provider": "maria", "status": "PENDING", "payment": "NONE"}, ["b"]),
        ({"service": "corte", "status": "PENDING"}, []),
        ({"provider": "nobody"}, []),
    ]
    for filters, expected in cases:
        assert ids(queries.agenda(BUSINESS, BookingFilter(**filters))) == expected, filters
    assert ids(queries.agenda(BUSINESS, since=at(9))) == ["b", "c", "d"]
    with pytest.raises(NotFound):
        queries.agenda(BUSINESS, BookingFilter(service="a#b"))


def test_a_list_is_read_page_by_page(table: str) -> None:
    for number in range(7):
        put_outside_booking(f"b{number}", at(8 + number))
    for filters in (
        BookingFilter(),
        BookingFilter(status="CONFIRMED", payment="NONE"),
        BookingFilter(provider="maria"),
    ):
        found, start_key = [], None
        while True:
            page = queries.agenda(BUSINESS, filters, limit=3, start_key=start_key)
            found += ids(page)
            start_key = page.next_start_key
            if start_key is None:
                break
        assert found == [f"b{number}" for number in range(7)]


@real_engines
def test_a_booking_loaded_by_id_is_current_while_the_index_lags(table: str) -> None:
    booking = book(at(10))
    with bad_network() as network:
        network.freeze_indexes()
        assert queries.load_booking(BUSINESS, booking.id).key == booking.key
        moved = services.reschedule(
            BUSINESS, booking.id, provider="ana", start=at(12), revision=1, command=new_command(ACTOR)
        )
        assert queries.load_booking(BUSINESS, booking.id).key == moved.key
        paid = services.pay(BUSINESS, booking.id, payment=Payment.PAID, revision=2, command=new_command(ACTOR))
        found = queries.load_booking(BUSINESS, booking.id)
        assert (found.key, found.payment_status, found.revision) == (moved.key, "PAID", paid.revision)


def with_history(booking_id: str) -> tuple[Booking, list[Any], list[Any]]:
    return queries.load_booking_with(BUSINESS, booking_id, lambda: history_of(BUSINESS, "booking", booking_id))


def test_a_booking_is_loaded_with_its_history(table: str) -> None:
    booking = book(at(10))
    services.cancel(BUSINESS, booking.id, revision=1, command=new_command(ACTOR))
    found, providers, (history,) = with_history(booking.id)
    assert found.status == Status.CANCELLED and {each.id for each in providers} == {"ana", "maria"}
    assert {each.action for each in history} == {"booking.create", "booking.cancel"}


def test_free_starts_follow_from_hours_and_taken_times(table: str) -> None:
    book(at(10))
    put_outside_booking("theirs", at(12))
    who, hours = booking_state.provider_and_hours(BUSINESS, "maria")
    taken = booking_state.taken_between(BUSINESS, "maria", MONDAY, MONDAY + DAY)
    free = free_starts(hours, MONDAY.date(), SlotLength(HOUR), taken, Rules(now()))
    assert at(9) in free and at(11) in free and at(13) in free
    assert not {at(9, 15), at(10), at(11, 15), at(12, 45)} & set(free)
    assert who.name == "Maria"
    for odd in ("nobody", "a#b"):
        with pytest.raises(NotFound):
            booking_state.provider_and_hours(BUSINESS, odd)


# --- Cost ----------------------------------------------------------------------------------------
@contextmanager
def count_cost() -> Iterator[Callable[[], tuple[int, int, float]]]:
    with oplog.recording() as log:
        yield lambda: (len(log.calls), log.trips, log.units)


def many_bookings(count: int, first: int) -> Iterator[dict[str, Any]]:
    """Bookings of twenty providers on other days, as we write them."""
    for number in range(first, first + count):
        start = MONDAY + timedelta(days=10 + number // 400, minutes=15 * (number // 20 % 20))
        item = Booking.new(tenant=BUSINESS, provider=f"p{number % 20}", start=start, booking=f"m{number}")
        item.service_id, item.customer_id, item.status = "masaje", f"c{number % 90}", "CONFIRMED"
        item.end_time = start + HOUR
        item.set_index_keys()
        yield item.serialize(null_check=False)


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_a_day_costs_the_same_for_any_number_of_bookings(table: str) -> None:
    put(*(provider(f"p{n}") for n in range(20)))
    for number in range(60):
        put_outside_booking(f"b{number}", at(8 + number // 20), by=f"p{number % 20}")
    put_all(many_bookings(100, 0))
    costs = []
    for _ in range(2):
        with count_cost() as cost:
            assert len(calendar.load_days(BUSINESS, Span(MONDAY, MONDAY + DAY)).bookings) == 60
            costs.append(cost())
        put_all(many_bookings(3000, 100))
    assert costs[0] == costs[1]
    assert costs[0][:2] == (4, 1), "four parallel calls"


def test_the_number_of_calls_of_each_action(table: str) -> None:
    """It reads the parties, then hours, ledger and outside bookings, then writes."""
    calls = []
    for start in (at(8), at(10)):
        with count_cost() as cost:
            booking = book(start)
            calls.append(cost()[0])
    assert calls == [4, 4]
    # An action that takes time also looks for outside bookings.
    for act, most in {services.unconfirm: 3, services.confirm: 4, services.cancel: 3, services.restore: 4}.items():
        with count_cost() as cost:
            booking = act(BUSINESS, booking.id, revision=booking.revision, command=new_command(ACTOR))
            assert cost()[0] == most
    with count_cost() as cost:
        services.reschedule(
            BUSINESS, booking.id, provider="maria", start=at(12), revision=booking.revision, command=new_command(ACTOR)
        )
        assert cost()[0] == 4
    with count_cost() as cost:
        with_history(booking.id)
        assert cost()[:2] == (4, 1), "one round trip, with the providers"
