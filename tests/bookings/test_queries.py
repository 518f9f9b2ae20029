"""Bookings by the day, by the provider and in lists; what they cost; and that an index may lag."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest

from bookings.items import Booking
from bookings.queries import bookings as queries
from bookings.queries import calendar, snapshot
from bookings.queries.bookings import BookingFilter
from bookings.queries.calendar import CalendarDays
from bookings.queries.history import history_of
from bookings.services import bookings as services
from bookings.slots import Rules, SlotLength, Span, free_starts
from bookings.states import Payment, Status
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.table import oplog
from dashboard.table.commands import new_command
from dashboard.table.read import Page
from tests.audit.entries import put_all
from tests.bookings.bookable_business import BUSINESS, DAY, HOUR, MONDAY, at, book, foreign, open_shop, provider, put
from tests.conftest import ACTOR, every_engine, real_engines
from tests.faults import bad_network


@pytest.fixture(autouse=True)
def shop(table: str) -> None:
    open_shop("maria", "ana")


def ids(found: CalendarDays | Page[Booking]) -> list[str]:
    return [each.id for each in (found.bookings if isinstance(found, CalendarDays) else found.items)]


def test_a_day_shows_who_is_there_whenever_they_came(table: str) -> None:
    foreign("night", at(23, 30, day=-1))
    foreign("ended", at(23, day=-1))
    foreign("first", at(0), by="ana")
    foreign("last", at(23, 59))
    foreign("next", at(0, day=1))
    foreign("gone", at(9), status="CANCELLED")
    day = calendar.load_days(BUSINESS, Span(MONDAY, MONDAY + DAY))
    assert (ids(day), day.is_truncated) == (["night", "first", "gone", "last"], False)
    takes = queries.bookings_taking_time(BUSINESS, "maria", MONDAY, MONDAY + DAY)
    assert [each.id for each in takes] == ["night", "last"]
    week = calendar.load_days(BUSINESS, Span(MONDAY, MONDAY + 7 * DAY))
    assert ids(week) == ["night", "first", "gone", "last", "next"]
    assert ids(calendar.load_days("other", Span(MONDAY, MONDAY + DAY))) == []


def test_a_day_of_an_hour_less_is_read_as_it_is(table: str) -> None:
    foreign("in", at(22))
    foreign("out", at(23))
    assert ids(calendar.load_days(BUSINESS, Span(MONDAY, MONDAY + 23 * HOUR))) == ["in"]


def test_a_day_with_too_many_says_so(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The day before is asked for with it: whoever came then may still be there."""
    monkeypatch.setattr(calendar, "MAX_BOOKINGS_A_DAY", 2)
    for number in range(5):
        foreign(f"b{number}", at(10 + number))
    day = calendar.load_days(BUSINESS, Span(MONDAY, MONDAY + DAY))
    assert (len(day.bookings), day.is_truncated) == (4, True)
    assert len(queries.bookings_taking_time(BUSINESS, "maria", MONDAY, MONDAY + DAY)) == 5, "here none is missing"


@every_engine
def test_lists_by_whatever_is_asked_for(table: str) -> None:
    maria: dict[str, Any] = {"by": "maria", "providerId": "maria"}
    ana: dict[str, Any] = {"by": "ana", "providerId": "ana"}
    foreign("a", at(8), serviceId="masaje", customerId="juan", paymentStatus="PAID", **maria)
    foreign("b", at(9), serviceId="masaje", customerId="eva", status="PENDING", **maria)
    foreign("c", at(10), serviceId="corte", customerId="juan", status="CANCELLED", **ana)
    foreign("d", at(11), serviceId="corte", customerId="juan", **ana)
    asked: list[tuple[dict[str, str], list[str]]] = [
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
    for wanted, expected in asked:
        assert ids(queries.agenda(BUSINESS, BookingFilter(**wanted))) == expected, wanted
    assert ids(queries.agenda(BUSINESS, since=at(9))) == ["b", "c", "d"]
    with pytest.raises(NotFound):
        queries.agenda(BUSINESS, BookingFilter(service="a#b"))


def test_a_list_goes_on_page_by_page(table: str) -> None:
    for number in range(7):
        foreign(f"b{number}", at(8 + number))
    for wanted in (BookingFilter(), BookingFilter(status="CONFIRMED", payment="NONE"), BookingFilter(provider="maria")):
        found, start_key = [], None
        while True:
            page = queries.agenda(BUSINESS, wanted, limit=3, start_key=start_key)
            found += ids(page)
            start_key = page.next_start_key
            if start_key is None:
                break
        assert found == [f"b{number}" for number in range(7)]


@real_engines
def test_by_its_id_it_is_as_it_is_though_the_index_lags(table: str) -> None:
    made = book(at(10))
    with bad_network() as network:
        network.freeze_indexes()
        assert queries.load_booking(BUSINESS, made.id).key == made.key
        moved = services.reschedule(
            BUSINESS, made.id, provider="ana", start=at(12), revision=1, command=new_command(ACTOR)
        )
        assert queries.load_booking(BUSINESS, made.id).key == moved.key
        paid = services.pay(BUSINESS, made.id, payment=Payment.PAID, revision=2, command=new_command(ACTOR))
        found = queries.load_booking(BUSINESS, made.id)
        assert (found.key, found.payment_status, found.revision) == (moved.key, "PAID", paid.revision)


def with_history(booking_id: str) -> tuple[Booking, list[Any]]:
    return queries.load_booking_with(BUSINESS, booking_id, lambda: history_of(BUSINESS, "booking", booking_id))


def test_a_bookings_history_comes_with_it(table: str) -> None:
    made = book(at(10))
    services.cancel(BUSINESS, made.id, revision=1, command=new_command(ACTOR))
    found, (history,) = with_history(made.id)
    assert found.status == Status.CANCELLED
    assert {each.action for each in history} == {"booking.create", "booking.cancel"}


def test_what_a_screen_needs_to_offer_starts(table: str) -> None:
    book(at(10))
    foreign("theirs", at(12))
    who, hours = snapshot.provider_and_hours(BUSINESS, "maria")
    taken = snapshot.taken_between(BUSINESS, "maria", MONDAY, MONDAY + DAY)
    free = free_starts(hours, MONDAY.date(), SlotLength(HOUR), taken, Rules(now()))
    assert at(9) in free and at(11) in free and at(13) in free
    assert not {at(9, 15), at(10), at(11, 15), at(12, 45)} & set(free)
    assert who.name == "Maria"
    for odd in ("nobody", "a#b"):
        with pytest.raises(NotFound):
            snapshot.provider_and_hours(BUSINESS, odd)


# --- What it costs -------------------------------------------------------------------------------
@contextmanager
def counted() -> Iterator[Callable[[], tuple[int, int, float]]]:
    with oplog.recording() as log:
        yield lambda: (len(log.calls), log.trips, log.units)


def many(count: int, first: int) -> Iterator[dict[str, Any]]:
    """Bookings of twenty providers on other days, as we write them."""
    for number in range(first, first + count):
        start = MONDAY + timedelta(days=10 + number // 400, minutes=15 * (number // 20 % 20))
        item = Booking.new(tenant=BUSINESS, provider=f"p{number % 20}", start=start, booking=f"m{number}")
        item.service_id, item.customer_id, item.status = "masaje", f"c{number % 90}", "CONFIRMED"
        item.end_time = start + HOUR
        item.set_index_keys()
        yield item.serialize(null_check=False)


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_a_day_costs_the_same_however_many_there_are(table: str) -> None:
    put(*(provider(f"p{n}") for n in range(20)))
    for number in range(60):
        foreign(f"b{number}", at(8 + number // 20), by=f"p{number % 20}")
    put_all(many(100, 0))
    costs = []
    for _ in range(2):
        with counted() as cost:
            assert len(calendar.load_days(BUSINESS, Span(MONDAY, MONDAY + DAY)).bookings) == 60
            costs.append(cost())
        put_all(many(3000, 100))
    assert costs[0] == costs[1]
    assert costs[0][:2] == (4, 1), "four calls side by side"


def test_what_a_booking_costs(table: str) -> None:
    """Who and what, then hours and ledger, then the write; the first of a day looks for what others have booked."""
    calls = []
    for start in (at(8), at(10)):
        with counted() as cost:
            made = book(start)
            calls.append(cost()[0])
    assert calls == [4, 4]
    # Whoever claims time looks for what others have booked.
    for act, most in {services.unconfirm: 3, services.confirm: 4, services.cancel: 3, services.restore: 4}.items():
        with counted() as cost:
            made = act(BUSINESS, made.id, revision=made.revision, command=new_command(ACTOR))
            assert cost()[0] == most
    with counted() as cost:
        services.reschedule(
            BUSINESS, made.id, provider="maria", start=at(12), revision=made.revision, command=new_command(ACTOR)
        )
        assert cost()[0] == 4
    with counted() as cost:
        with_history(made.id)
        assert cost()[:2] == (3, 1), "in one trip"
