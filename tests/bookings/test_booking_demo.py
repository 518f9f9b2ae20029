"""The demo's bookings: every status and payment, added once."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bookings.demo import bookings as demo
from bookings.demo import catalog
from bookings.items import Booking
from bookings.queries.calendar import bookings_starting_between
from bookings.states import Payment, Status
from dashboard.core.clock import frozen, now
from tests.bookings.bookable_business import DAY, all_items, check_bookings
from tests.conftest import add_business


# A working day, and the two days of the weekend, on which fewer people work.
@pytest.mark.parametrize("weekday", [2, 5, 6])
@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_the_demo_has_every_status_on_any_weekday(table: str, weekday: int) -> None:
    with frozen(datetime(2026, 5, 4 + weekday, 12, tzinfo=UTC)):
        check_demo()


def check_demo() -> None:
    add_business("andina", "Coca-Cola Andina")
    assert demo.seed() == 0, "there is no provider to book yet"
    catalog.seed()
    added = demo.seed()
    assert added > 50
    bookings = check_bookings()
    assert len(bookings) == added
    assert {each.status for each in bookings} == set(Status)
    assert {each.payment_status for each in bookings} == set(Payment)
    assert any(each.has_lapsed(now()) for each in bookings) and any(each.note for each in bookings)
    assert (
        bookings_starting_between("andina", now() - 6 * DAY, now()).bookings
        and bookings_starting_between("andina", now(), now() + 2 * DAY).bookings
    )
    decided = {each.updated_at for each in bookings if each.revision > 1}
    assert len(decided) > 15 and max(decided) <= now(), "the decisions have different times"
    assert demo.seed() == 0
    assert sum(isinstance(each, Booking) for each in all_items()) == added
