"""Creating and moving bookings: what is written, and what is refused at which field."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from bookings.errors import SlotTaken, StartNotBookable, TooManyWrites
from bookings.items import ProviderDay
from bookings.queries import bookings as queries
from bookings.services import booking_writes
from bookings.services import bookings as services
from bookings.slots import Rules, UnavailableReason
from bookings.states import Payment, Status
from dashboard.core.clock import now, shifted
from dashboard.core.errors import Conflict, NotFound, Refused, StaleRevision, Unavailable
from dashboard.table import keys, read
from dashboard.table.commands import Command, new_command
from dashboard.table.tenancy import Binding, bind
from dashboard.table.transactions import Transaction
from tests.bookings.bookable_business import (
    BUSINESS,
    DAY,
    HOUR,
    MINUTE,
    MONDAY,
    at,
    book,
    check_bookings,
    customer,
    entries_of,
    open_shop,
    provider,
    put,
    reloaded,
    service,
    working_hours,
)
from tests.conftest import ACTOR, add_business, every_engine

NewCommand = Callable[[], Command]


def move(booking_id: str, to: str, start: Any, revision: int, **options: Any) -> Any:
    options = {"command": new_command(ACTOR), **options}
    return services.reschedule(BUSINESS, booking_id, provider=to, start=start, revision=revision, **options)


# --- Creating ------------------------------------------------------------------------------------
def test_a_booking_has_the_attributes_of_the_seed_and_more(table: str) -> None:
    put(service(before=10, after=5), customer(), provider(), *working_hours())
    booking = book(at(10), note="  Second floor ")
    found = reloaded(booking.id)
    assert (found.provider, found.service_id, found.customer_id) == ("maria", "masaje", "juan")
    assert (found.start_time, found.end_time) == (at(10), at(11))
    assert (found.status, found.payment_status, found.lapses_at is None) == (Status.CONFIRMED, Payment.NONE, True)
    assert (found.customer_name, found.service_name, found.note) == ("Juan Pérez", "Masaje", "Second floor")
    assert (found.buffer_before, found.buffer_after, str(found.price), found.currency) == (10, 5, "25000", "CLP")
    assert (found.revision, found.business_id, found.booking_id) == (1, BUSINESS, booking.id)
    day = read.get(ProviderDay, keys.PROVIDER_DAY.key(tenant=BUSINESS, provider="maria", date=f"{MONDAY:%Y-%m-%d}"))
    assert day is not None and day.busy is not None
    assert day.busy[booking.id] | {"startTime": ""} == {
        "start": f"{at(9, 50):%Y-%m-%dT%H:%M:%SZ}",
        "end": f"{at(11, 5):%Y-%m-%dT%H:%M:%SZ}",
        "status": "CONFIRMED",
        "startTime": "",
    }
    (entry,) = entries_of(booking.id)
    assert (entry.action, entry.target["title"], (entry.after or {})["starts"]) == (
        "booking.create",
        "Juan Pérez",
        booking.start_key,
    )
    check_bookings()


def test_a_taken_time_is_refused_and_free_times_are_offered(table: str) -> None:
    put(service(after=10), customer(), provider(), *working_hours(start="09:00", end="13:00"))
    first = book(at(10))
    for start in (at(9, 5), at(10), at(10, 30), at(11, 5)):
        with pytest.raises(SlotTaken) as error:
            book(start)
        assert error.value.item is not None and error.value.item.id == first.id
        assert "Juan Pérez is booked from 10:00 to 11:00" in str(error.value)
    assert error.value.alternatives == [at(11, 15), at(11, 30), at(11, 45)]
    with pytest.raises(SlotTaken) as error:
        book(at(9, 5))
    assert error.value.alternatives == [at(11, 15), at(11, 30), at(11, 45)], "no earlier time: an hour does not fit"
    assert [each.id for each in check_bookings()] == [first.id]
    book(at(11, 10))
    check_bookings()


def test_when_the_day_is_full_the_next_days_are_offered(table: str) -> None:
    open_shop(start="09:00", end="10:00")
    book(at(9))
    with pytest.raises(SlotTaken) as error:
        book(at(9))
    assert error.value.alternatives == [at(9, day=1), at(9, day=2), at(9, day=3)]


def test_two_providers_can_be_booked_at_the_same_time(table: str) -> None:
    open_shop("maria", "ana")
    book(at(10), by="maria")
    book(at(10), by="ana")
    assert len(check_bookings()) == 2


@every_engine
def test_a_booking_across_midnight_is_in_the_ledger_of_both_days(table: str) -> None:
    """A ledger is of one UTC date: the booking takes the first half hour of the next day too."""
    open_shop()
    late = book(at(23, 30))
    check_bookings()
    for start in (at(0, day=1), at(23), at(0, 15, day=1)):
        with pytest.raises(SlotTaken) as error:
            book(start)
        assert error.value.item is not None and error.value.item.id == late.id
    book(at(0, 30, day=1))
    check_bookings()


@pytest.mark.parametrize(
    ("start", "rules", "reason"),
    [
        (at(8), {}, UnavailableReason.OUTSIDE_HOURS),
        (at(12, 30), {}, UnavailableReason.OUTSIDE_HOURS),
        (at(10, day=-400), {}, UnavailableReason.PAST),
        (at(10), {"notice": 300 * DAY}, UnavailableReason.NOTICE),
        (at(10), {"horizon": DAY}, UnavailableReason.HORIZON),
    ],
)
def test_a_start_that_is_not_bookable_is_refused_at_its_field(
    table: str, start: Any, rules: dict[str, Any], reason: UnavailableReason
) -> None:
    open_shop(start="09:00", end="13:00")
    with pytest.raises(StartNotBookable) as error:
        book(start, rules=Rules(now(), **rules))
    assert (error.value.field, error.value.verdict.reason) == ("start", reason)
    assert str(error.value.text)
    assert check_bookings() == []


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"what": "nothing"}, "service"),
        ({"what": "old"}, "service"),
        ({"what": "endless"}, "service"),
        ({"what": "odd#id"}, "service"),
        ({"by": "nobody"}, "provider"),
        ({"by": "gone"}, "provider"),
        ({"by": "ana"}, "provider"),
        ({"by": "#"}, "provider"),
        ({"who": "nobody"}, "customer"),
        ({"who": ""}, "customer"),
    ],
)
def test_an_unknown_service_provider_or_customer_is_refused_at_its_field(
    table: str, given: dict[str, Any], field: str
) -> None:
    open_shop()
    put(service("old", active=False), service("endless", minutes=None))
    put(provider("gone", active=False), provider("ana", "other"), provider("all", "masaje", "old", "endless"))
    with pytest.raises(Refused) as error:
        book(at(10), **given)
    assert error.value.field == field
    assert check_bookings() == []


def test_a_deadline_in_the_past_is_refused(table: str) -> None:
    open_shop()
    with pytest.raises(Refused) as error:
        book(at(10), status=Status.PENDING, lapses_at=now())
    assert error.value.field == "lapses_at"
    assert book(at(10), lapses_at=now() + HOUR).lapses_at is None, "a confirmed booking has no deadline"


def test_a_form_sent_twice_creates_one_booking(table: str, command: NewCommand) -> None:
    open_shop("maria", "ana")
    form = command()
    booking = book(at(10), command=form)
    again = book(at(10), command=form)
    assert (again.id, again.revision, again.outcome.has_changed_since) == (booking.id, 1, False)
    moved = move(booking.id, "ana", at(12), booking.revision)
    later = book(at(10), command=form)
    assert (later.key, later.outcome.has_changed_since) == (moved.key, True), "the booking as it is now"
    assert len(check_bookings()) == 1
    assert len(entries_of(booking.id)) == 2


def test_hours_are_in_the_providers_time_zone(table: str) -> None:
    """A provider without a valid time zone has the zone of the business."""
    add_business(BUSINESS, "Andina")
    put(service(), customer(), provider("maria", zone="Asia/Tokyo"), provider("ana", zone="Moon/Base"))
    put(*working_hours("maria", "09:00", "10:00"), *working_hours("ana", "09:00", "10:00"))
    book(at(0), by="maria")
    with pytest.raises(StartNotBookable):
        book(at(9), by="maria")
    with pytest.raises(StartNotBookable) as error:
        book(at(9), by="ana")
    assert error.value.zone.key == "America/Santiago"
    book(error.value.alternatives[0], by="ana")
    check_bookings()


# --- Moving --------------------------------------------------------------------------------------
def test_a_move_to_another_day_and_provider_keeps_the_rest(table: str) -> None:
    open_shop("maria", "ana")
    booking = book(at(23, 30), note="Bring a towel", status=Status.PENDING, lapses_at=MONDAY)
    moved = move(booking.id, "ana", at(23, 45, day=3), booking.revision)
    assert (moved.id, moved.revision, moved.note, moved.status) == (booking.id, 2, "Bring a towel", Status.PENDING)
    assert (moved.provider, moved.start_time, moved.end_time) == ("ana", at(23, 45, day=3), at(0, 45, day=4))
    assert (moved.created_at, moved.lapses_at) == (booking.created_at, MONDAY)
    assert moved.outcome.result == {"provider": "maria", "start": booking.start_key}, "the values that undo the move"
    assert queries.find_booking_at(BUSINESS, booking.key) is None
    (only,) = check_bookings()
    assert only.key == moved.key == reloaded(booking.id).key
    moves, creates = entries_of(booking.id)
    assert (moves.action, creates.action) == ("booking.reschedule", "booking.create")
    assert ((moves.before or {})["provider"], (moves.after or {})["provider"]) == ("Maria", "Ana")
    moved_back = move(booking.id, "maria", at(23, 30), moved.revision)
    assert (moved_back.key, moved_back.revision) == (booking.key, 3)
    check_bookings()


def test_a_move_may_overlap_the_bookings_own_time(table: str) -> None:
    open_shop()
    booking = book(at(10))
    assert move(booking.id, "maria", at(10, 15), 1).start_time == at(10, 15)
    check_bookings()


def test_a_move_onto_another_booking_is_refused(table: str) -> None:
    open_shop("maria", "ana")
    booking, other = book(at(10)), book(at(10), by="ana")
    with pytest.raises(SlotTaken) as error:
        move(booking.id, "ana", at(10, 30), 1)
    assert error.value.item is not None and error.value.item.id == other.id
    assert error.value.alternatives[0] == at(11)
    assert reloaded(booking.id).key == booking.key


def test_a_move_to_the_same_time_changes_nothing(table: str) -> None:
    open_shop()
    booking = book(at(10))
    assert move(booking.id, "maria", at(10), 1).outcome.is_no_change
    assert reloaded(booking.id).revision == 1


def test_a_move_keeps_the_booked_duration(table: str) -> None:
    """The service takes longer now; the booking keeps its duration."""
    open_shop()
    booking = book(at(10))
    stored = read.get(type(service()), service().key)
    assert stored is not None
    stored.duration_minutes = 120
    change = Transaction(new_command(ACTOR))
    change.save(stored, revision=stored.revision)
    change.commit(None)
    assert move(booking.id, "maria", at(12), 1).end_time == at(13)


@pytest.mark.parametrize("to", ["nobody", "gone", "other"])
def test_a_move_to_an_unsuitable_provider_is_refused(table: str, to: str) -> None:
    open_shop()
    put(provider("gone", active=False), provider("other", "something"))
    booking = book(at(10))
    with pytest.raises(Refused) as error:
        move(booking.id, to, at(12), 1)
    assert error.value.field == "provider"


def test_a_move_with_a_stale_revision_is_a_conflict(table: str) -> None:
    open_shop()
    booking = book(at(10))
    move(booking.id, "maria", at(12), 1)
    with pytest.raises(Conflict) as error:
        move(booking.id, "maria", at(14), 1)
    assert error.value.item is not None and error.value.item.updated_by_name == ACTOR.name
    assert reloaded(booking.id).start_time == at(12)


def test_a_cancelled_or_lapsed_booking_cannot_be_moved(table: str) -> None:
    open_shop()
    booking = book(at(10))
    cancelled = services.cancel(BUSINESS, booking.id, revision=1, command=new_command(ACTOR))
    with pytest.raises(Refused):
        move(booking.id, "maria", at(12), cancelled.revision)
    pending = book(at(10), status=Status.PENDING, lapses_at=now() + timedelta(seconds=1))
    with shifted(MINUTE), pytest.raises(Refused):
        move(pending.id, "maria", at(12), 1)


def test_an_unknown_booking_is_not_found(table: str) -> None:
    open_shop()
    for odd in ("nobody", "a#b", ""):
        with pytest.raises(NotFound):
            move(odd, "maria", at(10), 0)
        with pytest.raises(NotFound):
            queries.load_booking(BUSINESS, odd)


# --- Limits --------------------------------------------------------------------------------------
def test_a_write_gives_up_after_the_last_try(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error asks the person to try again, which is safe."""
    open_shop()
    monkeypatch.setattr(booking_writes, "TRIES", 3)
    monkeypatch.setattr("bookings.services.ledger.Ledger.write", lambda *_: (_ for _ in ()).throw(StaleRevision()))
    with pytest.raises(TooManyWrites) as error:
        book(at(10))
    assert isinstance(error.value, Unavailable)


def test_bookings_of_another_business_cannot_be_read_or_created(table: str) -> None:
    """Within the tenant binding of a request."""
    open_shop("maria", "ana")
    with bind(Binding(BUSINESS, ACTOR.email)):
        booking = book(at(10))
        moved = move(booking.id, "ana", at(12), 1)
        cancelled = services.cancel(BUSINESS, booking.id, revision=moved.revision, command=new_command(ACTOR))
        assert queries.load_booking(BUSINESS, booking.id).revision == cancelled.revision
        with pytest.raises(NotFound):
            queries.load_booking("other", booking.id)
        with pytest.raises((NotFound, Refused)):
            services.create("other", "masaje", "maria", at(10), "juan", command=new_command(ACTOR))
