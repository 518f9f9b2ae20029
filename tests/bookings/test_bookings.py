"""Making a booking and moving it: what it leaves in the table, and what is refused, with the field it belongs to."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from bookings.errors import Busy, SlotTaken, StartNotBookable
from bookings.items import ProviderDay
from bookings.queries import bookings as queries
from bookings.services import booking_writes
from bookings.services import bookings as services
from bookings.slots import Reason, Rules
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

Operations = Callable[[], Command]


def move(booking_id: str, to: str, start: Any, revision: int, **options: Any) -> Any:
    options = {"command": new_command(ACTOR), **options}
    return services.reschedule(BUSINESS, booking_id, provider=to, start=start, revision=revision, **options)


# --- Making --------------------------------------------------------------------------------------
def test_a_booking_has_all_that_the_seed_asks_for_and_more(table: str) -> None:
    put(service(before=10, after=5), customer(), provider(), *working_hours())
    made = book(at(10), note="  Second floor ")
    found = reloaded(made.id)
    assert (found.provider, found.service_id, found.customer_id) == ("maria", "masaje", "juan")
    assert (found.start_time, found.end_time) == (at(10), at(11))
    assert (found.status, found.payment_status, found.lapses_at is None) == (Status.CONFIRMED, Payment.NONE, True)
    assert (found.customer_name, found.service_name, found.note) == ("Juan Pérez", "Masaje", "Second floor")
    assert (found.buffer_before, found.buffer_after, str(found.price), found.currency) == (10, 5, "25000", "CLP")
    assert (found.revision, found.business_id, found.booking_id) == (1, BUSINESS, made.id)
    day = read.get(ProviderDay, keys.PROVIDER_DAY.key(tenant=BUSINESS, provider="maria", date=f"{MONDAY:%Y-%m-%d}"))
    assert day is not None and day.busy is not None
    assert day.busy[made.id] | {"startTime": ""} == {
        "start": f"{at(9, 50):%Y-%m-%dT%H:%M:%SZ}",
        "end": f"{at(11, 5):%Y-%m-%dT%H:%M:%SZ}",
        "status": "CONFIRMED",
        "startTime": "",
    }
    (entry,) = entries_of(made.id)
    assert (entry.action, entry.target["title"], (entry.after or {})["starts"]) == (
        "booking.create",
        "Juan Pérez",
        made.start_key,
    )
    check_bookings()


def test_the_time_of_another_is_refused_and_others_are_offered(table: str) -> None:
    put(service(after=10), customer(), provider(), *working_hours(start="09:00", end="13:00"))
    first = book(at(10))
    for start in (at(9, 5), at(10), at(10, 30), at(11, 5)):
        with pytest.raises(SlotTaken) as told:
            book(start)
        assert told.value.item is not None and told.value.item.id == first.id
        assert "Juan Pérez is booked from 10:00 to 11:00" in str(told.value)
    assert told.value.alternatives == [at(11, 15), at(11, 30), at(11, 45)]
    with pytest.raises(SlotTaken) as told:
        book(at(9, 5))
    assert told.value.alternatives == [at(11, 15), at(11, 30), at(11, 45)], "none before: an hour does not fit"
    assert [each.id for each in check_bookings()] == [first.id]
    book(at(11, 10))
    check_bookings()


def test_when_the_day_is_full_the_next_one_is_offered(table: str) -> None:
    open_shop(start="09:00", end="10:00")
    book(at(9))
    with pytest.raises(SlotTaken) as told:
        book(at(9))
    assert told.value.alternatives == [at(9, day=1), at(9, day=2), at(9, day=3)]


def test_two_providers_have_a_time_each(table: str) -> None:
    open_shop("maria", "ana")
    book(at(10), by="maria")
    book(at(10), by="ana")
    assert len(check_bookings()) == 2


@every_engine
def test_over_midnight_it_stands_in_both_days(table: str) -> None:
    """Of the calendar in UTC, where the guard is: the next day's first hour is taken too."""
    open_shop()
    late = book(at(23, 30))
    check_bookings()
    for start in (at(0, day=1), at(23), at(0, 15, day=1)):
        with pytest.raises(SlotTaken) as told:
            book(start)
        assert told.value.item is not None and told.value.item.id == late.id
    book(at(0, 30, day=1))
    check_bookings()


@pytest.mark.parametrize(
    ("start", "rules", "reason"),
    [
        (at(8), {}, Reason.OUTSIDE_HOURS),
        (at(12, 30), {}, Reason.OUTSIDE_HOURS),
        (at(10, day=-400), {}, Reason.PAST),
        (at(10), {"notice": 300 * DAY}, Reason.NOTICE),
        (at(10), {"horizon": DAY}, Reason.HORIZON),
    ],
)
def test_what_the_engine_refuses_is_refused_beside_the_start(
    table: str, start: Any, rules: dict[str, Any], reason: Reason
) -> None:
    open_shop(start="09:00", end="13:00")
    with pytest.raises(StartNotBookable) as told:
        book(start, rules=Rules(now(), **rules))
    assert (told.value.field, told.value.verdict.reason) == ("start", reason)
    assert str(told.value.text)
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
def test_whom_and_what_there_is_not_is_refused_beside_its_field(table: str, given: dict[str, Any], field: str) -> None:
    open_shop()
    put(service("old", active=False), service("endless", minutes=None))
    put(provider("gone", active=False), provider("ana", "other"), provider("all", "masaje", "old", "endless"))
    with pytest.raises(Refused) as told:
        book(at(10), **given)
    assert told.value.field == field
    assert check_bookings() == []


def test_a_deadline_in_the_past_is_refused(table: str) -> None:
    open_shop()
    with pytest.raises(Refused) as told:
        book(at(10), status=Status.PENDING, lapses_at=now())
    assert told.value.field == "lapses_at"
    assert book(at(10), lapses_at=now() + HOUR).lapses_at is None, "what is certain has no deadline"


def test_the_same_form_again_is_the_same_booking(table: str, command: Operations) -> None:
    open_shop("maria", "ana")
    form = command()
    made = book(at(10), command=form)
    again = book(at(10), command=form)
    assert (again.id, again.revision, again.outcome.has_changed_since) == (made.id, 1, False)
    moved = move(made.id, "ana", at(12), made.revision)
    later = book(at(10), command=form)
    assert (later.key, later.outcome.has_changed_since) == (moved.key, True), "wherever it is by now"
    assert len(check_bookings()) == 1
    assert len(entries_of(made.id)) == 2


def test_by_the_providers_own_clock(table: str) -> None:
    """Nine in Santiago is noon or one o'clock in UTC; without a zone of their own it is the business's."""
    add_business(BUSINESS, "Andina")
    put(service(), customer(), provider("maria", zone="Asia/Tokyo"), provider("ana", zone="Moon/Base"))
    put(*working_hours("maria", "09:00", "10:00"), *working_hours("ana", "09:00", "10:00"))
    book(at(0), by="maria")
    with pytest.raises(StartNotBookable):
        book(at(9), by="maria")
    with pytest.raises(StartNotBookable) as told:
        book(at(9), by="ana")
    assert told.value.zone.key == "America/Santiago"
    book(told.value.alternatives[0], by="ana")
    check_bookings()


# --- Moving --------------------------------------------------------------------------------------
def test_it_moves_to_another_day_and_provider_and_stays_itself(table: str) -> None:
    open_shop("maria", "ana")
    made = book(at(23, 30), note="Bring a towel", status=Status.PENDING, lapses_at=MONDAY)
    moved = move(made.id, "ana", at(23, 45, day=3), made.revision)
    assert (moved.id, moved.revision, moved.note, moved.status) == (made.id, 2, "Bring a towel", Status.PENDING)
    assert (moved.provider, moved.start_time, moved.end_time) == ("ana", at(23, 45, day=3), at(0, 45, day=4))
    assert (moved.created_at, moved.lapses_at) == (made.created_at, MONDAY)
    assert moved.outcome.result == {"provider": "maria", "start": made.start_key}, "which is the way back"
    assert queries.find_booking_at(BUSINESS, made.key) is None
    (only,) = check_bookings()
    assert only.key == moved.key == reloaded(made.id).key
    moves, creates = entries_of(made.id)
    assert (moves.action, creates.action) == ("booking.reschedule", "booking.create")
    assert ((moves.before or {})["provider"], (moves.after or {})["provider"]) == ("Maria", "Ana")
    back = move(made.id, "maria", at(23, 30), moved.revision)
    assert (back.key, back.revision) == (made.key, 3)
    check_bookings()


def test_it_is_not_in_its_own_way(table: str) -> None:
    open_shop()
    made = book(at(10))
    assert move(made.id, "maria", at(10, 15), 1).start_time == at(10, 15)
    check_bookings()


def test_it_is_not_moved_onto_another(table: str) -> None:
    open_shop("maria", "ana")
    made, other = book(at(10)), book(at(10), by="ana")
    with pytest.raises(SlotTaken) as told:
        move(made.id, "ana", at(10, 30), 1)
    assert told.value.item is not None and told.value.item.id == other.id
    assert told.value.alternatives[0] == at(11)
    assert reloaded(made.id).key == made.key


def test_where_it_is_already_nothing_changes(table: str) -> None:
    open_shop()
    made = book(at(10))
    assert move(made.id, "maria", at(10), 1).outcome.is_no_change
    assert reloaded(made.id).revision == 1


def test_its_length_is_what_was_booked(table: str) -> None:
    """The service takes longer by now: what was agreed on stays."""
    open_shop()
    made = book(at(10))
    stored = read.get(type(service()), service().key)
    assert stored is not None
    stored.duration_minutes = 120
    change = Transaction(new_command(ACTOR))
    change.save(stored, revision=stored.revision)
    change.commit(None)
    assert move(made.id, "maria", at(12), 1).end_time == at(13)


@pytest.mark.parametrize("to", ["nobody", "gone", "other"])
def test_a_provider_who_cannot_is_refused(table: str, to: str) -> None:
    open_shop()
    put(provider("gone", active=False), provider("other", "something"))
    made = book(at(10))
    with pytest.raises(Refused) as told:
        move(made.id, to, at(12), 1)
    assert told.value.field == "provider"


def test_someone_else_was_faster(table: str) -> None:
    open_shop()
    made = book(at(10))
    move(made.id, "maria", at(12), 1)
    with pytest.raises(Conflict) as told:
        move(made.id, "maria", at(14), 1)
    assert told.value.item is not None and told.value.item.updated_by_name == ACTOR.name
    assert reloaded(made.id).start_time == at(12)


def test_what_is_over_is_not_moved(table: str) -> None:
    open_shop()
    made = book(at(10))
    gone = services.cancel(BUSINESS, made.id, revision=1, command=new_command(ACTOR))
    with pytest.raises(Refused):
        move(made.id, "maria", at(12), gone.revision)
    waits = book(at(10), status=Status.PENDING, lapses_at=now() + timedelta(seconds=1))
    with shifted(MINUTE), pytest.raises(Refused):
        move(waits.id, "maria", at(12), 1)


def test_what_is_not_there_is_not_found(table: str) -> None:
    open_shop()
    for odd in ("nobody", "a#b", ""):
        with pytest.raises(NotFound):
            move(odd, "maria", at(10), 0)
        with pytest.raises(NotFound):
            queries.load_booking(BUSINESS, odd)


# --- The bounds ----------------------------------------------------------------------------------
def test_it_does_not_try_for_ever(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then one is asked to try again, which is safe."""
    open_shop()
    monkeypatch.setattr(booking_writes, "TRIES", 3)
    monkeypatch.setattr("bookings.services.ledger.Ledger.write", lambda *_: (_ for _ in ()).throw(StaleRevision()))
    with pytest.raises(Busy) as told:
        book(at(10))
    assert isinstance(told.value, Unavailable)


def test_nothing_of_another_business_is_touched(table: str) -> None:
    """Below the guard that a request is bound by."""
    open_shop("maria", "ana")
    with bind(Binding(BUSINESS, ACTOR.email)):
        made = book(at(10))
        moved = move(made.id, "ana", at(12), 1)
        gone = services.cancel(BUSINESS, made.id, revision=moved.revision, command=new_command(ACTOR))
        assert queries.load_booking(BUSINESS, made.id).revision == gone.revision
        with pytest.raises(NotFound):
            queries.load_booking("other", made.id)
        with pytest.raises((NotFound, Refused)):
            services.create("other", "masaje", "maria", at(10), "juan", command=new_command(ACTOR))
