"""The demo's week: in every state, and told once."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bookings.demo import bookings as demo
from bookings.demo import catalog
from bookings.items import Booking
from bookings.queries.calendar import bookings_starting_between
from bookings.states import Payment, Status
from dashboard.core.clock import frozen, now
from tests.bookings.bookable_business import DAY, everything, in_step
from tests.conftest import add_business


# A working day, and the two days of the weekend, on which fewer people work.
@pytest.mark.parametrize("weekday", [2, 5, 6])
@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_every_state_is_there_on_whatever_day_it_is_told(table: str, weekday: int) -> None:
    with frozen(datetime(2026, 5, 4 + weekday, 12, tzinfo=UTC)):
        tell()


def tell() -> None:
    add_business("andina", "Coca-Cola Andina")
    assert demo.seed() == 0, "nobody can be booked yet"
    catalog.seed()
    made = demo.seed()
    assert made > 50
    found = in_step()
    assert len(found) == made
    assert {each.status for each in found} == set(Status)
    assert {each.payment_status for each in found} == set(Payment)
    assert any(each.has_lapsed(now()) for each in found) and any(each.note for each in found)
    assert (
        bookings_starting_between("andina", now() - 6 * DAY, now()).bookings
        and bookings_starting_between("andina", now(), now() + 2 * DAY).bookings
    )
    decided = {each.updated_at for each in found if each.revision > 1}
    assert len(decided) > 15 and max(decided) <= now(), "a trail of one minute looks like nothing"
    assert demo.seed() == 0
    assert sum(isinstance(each, Booking) for each in everything()) == made
