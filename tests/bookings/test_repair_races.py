"""The follower, people and outside writers change the same bookings at the same time. The stream is the engine's."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from datetime import datetime
from itertools import combinations
from typing import Any

import pytest
from django.conf import settings

from bookings.errors import SlotTaken
from bookings.items import Booking, BookingRef, ProviderDay
from bookings.queries import booking_state
from bookings.queries import bookings as queries
from bookings.services import bookings as services
from bookings.services.ledger import days_of
from bookings.states import Status
from dashboard.core.errors import DomainError, NotFound
from dashboard.platform.stream import writer
from dashboard.table import connection
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import new_command
from dashboard.table.keypattern import Key
from tests import tables
from tests.bookings.bookable_business import (
    BUSINESS,
    MINUTE,
    all_items,
    at,
    book,
    check_bookings,
    open_shop,
    reloaded,
    time_of,
)
from tests.bookings.outside import OutsideWriter, TableStream, isoformat, raw_at
from tests.conftest import ACTOR, REAL_ENGINES, add_business

PEOPLE, OUTSIDE, ROUNDS = 4, 3, 20


@pytest.fixture(params=REAL_ENGINES)
def stream(request: pytest.FixtureRequest) -> Iterator[TableStream]:
    """The stream of a table with a business in it."""
    endpoint: str = request.getfixturevalue(f"{request.param}_endpoint")
    with tables.SharedTable(request.param, endpoint, has_stream=True).create().in_use():
        add_business(BUSINESS, "Andina")
        open_shop("maria", "ana")
        yield TableStream()


def command() -> Any:
    return new_command(ACTOR)


def during_the_next_command(monkeypatch: pytest.MonkeyPatch, act: Callable[[], Any]) -> None:
    """Act once, after the next command has read the ledger."""
    original, has_acted = booking_state.load_schedule, list[bool]()

    def load_then_act(*args: Any, **options: Any) -> Any:
        found = original(*args, **options)
        if not has_acted:
            has_acted.append(True)
            act()
        return found

    monkeypatch.setattr(booking_state, "load_schedule", load_then_act)


# --- Our own writes ------------------------------------------------------------------------------
def test_our_own_writes_need_no_repair(stream: TableStream) -> None:
    booking = book(at(23, 30), status=Status.PENDING)
    services.confirm(BUSINESS, booking.id, revision=1, command=command())
    services.reschedule(BUSINESS, booking.id, provider="ana", start=at(10), revision=2, command=command())
    services.cancel(BUSINESS, booking.id, revision=3, command=command())
    services.restore(BUSINESS, booking.id, revision=4, command=command())
    tally = stream.follow()
    assert tally.records > 15 and tally.repairs == 0
    check_bookings()


# --- One change between the follower's read and its write ----------------------------------------
PERSON: dict[str, Callable[[int], Booking]] = {
    "confirm": lambda revision: services.confirm(BUSINESS, "bkg_1", revision=revision, command=command()),
    "cancel": lambda revision: services.cancel(BUSINESS, "bkg_1", revision=revision, command=command()),
    "reschedule": lambda revision: services.reschedule(
        BUSINESS, "bkg_1", provider="maria", start=at(12), revision=revision, command=command()
    ),
    "another provider": lambda revision: services.reschedule(
        BUSINESS, "bkg_1", provider="ana", start=at(12), revision=revision, command=command()
    ),
}


@pytest.mark.parametrize("act", PERSON)
@pytest.mark.parametrize("is_known", [False, True])
def test_a_repair_does_not_undo_the_action_of_a_person(
    stream: TableStream, monkeypatch: pytest.MonkeyPatch, act: str, is_known: bool
) -> None:
    """A person acts after the follower has read the booking, its pointer and its ledger."""
    outside = OutsideWriter()
    key = outside.put_booking("bkg_1", at(10), status="PENDING", channel="web")
    if is_known:
        stream.follow()
        outside.update(key, endTime=isoformat(at(11, 30)))
    acted: list[Booking] = []
    original = writer.apply

    def act_first(writes: Any) -> bool:
        if not acted:
            acted.append(PERSON[act](0))
        return original(writes)

    monkeypatch.setattr(writer, "apply", act_first)
    stream.follow()
    found = reloaded("bkg_1")
    assert (found.key, found.status, found.revision) == (acted[0].key, acted[0].status, 1)
    assert raw_at(found.key)["channel"] == "web"
    check_bookings()


@pytest.mark.parametrize("act", PERSON)
def test_an_action_continues_after_a_repair(stream: TableStream, monkeypatch: pytest.MonkeyPatch, act: str) -> None:
    """The outside writer changes the time and the follower repairs it after the person's command has read both."""
    outside = OutsideWriter()
    key = outside.put_booking("bkg_1", at(10), status="PENDING")
    stream.follow()

    def change_and_repair() -> None:
        outside.update(key, endTime=isoformat(at(11, 30)), channel="web")
        stream.follow()

    during_the_next_command(monkeypatch, change_and_repair)
    acted = PERSON[act](0)
    stream.follow()
    found = reloaded("bkg_1")
    assert (found.key, found.status, found.revision) == (acted.key, acted.status, 1)
    assert found.slot_length.duration == 90 * MINUTE and raw_at(found.key)["channel"] == "web"
    check_bookings()


@pytest.mark.parametrize(("start", "is_taken"), [(at(14), False), (at(10, 30), True)])
def test_a_new_booking_does_not_remove_a_repaired_one_from_the_ledger(
    stream: TableStream, monkeypatch: pytest.MonkeyPatch, start: datetime, is_taken: bool
) -> None:
    """The follower adds a booking to the ledger after the person's command has read it."""
    book(at(20))
    outside = OutsideWriter()
    during_the_next_command(monkeypatch, lambda: (outside.put_booking("bkg_1", at(10)), stream.follow()))
    with pytest.raises(SlotTaken) if is_taken else nullcontext():
        book(start)
    stream.follow()
    check_bookings()


def test_a_booking_that_becomes_longer_is_not_confirmed_over_another_one(
    stream: TableStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The outside writer changes the end after the person's command has read it; the follower is late."""
    book(at(11))
    outside = OutsideWriter()
    key = outside.put_booking("bkg_1", at(10), status="PENDING")
    stream.follow()
    during_the_next_command(monkeypatch, lambda: outside.update(key, endTime=isoformat(at(11, 30))))
    with pytest.raises(SlotTaken):
        PERSON["confirm"](0)
    assert raw_at(key)["status"] == "PENDING"


def test_an_outside_write_during_a_repair_is_repaired_too(stream: TableStream, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = OutsideWriter()
    key = outside.put_booking("bkg_1", at(10), status="PENDING")
    original, is_changed = writer.apply, list[bool]()

    def change_first(writes: Any) -> bool:
        if not is_changed:
            is_changed.append(True)
            outside.put_booking("bkg_1", at(10), status="CONFIRMED", endTime=isoformat(at(12)))
        return original(writes)

    monkeypatch.setattr(writer, "apply", change_first)
    stream.follow()
    assert raw_at(key)["GSIStatusPK"].endswith("#CONFIRMED")
    check_bookings()


# --- Many at once --------------------------------------------------------------------------------
class OutsideBookings:
    """The bookings that one outside writer made, and the values that it last wrote to each."""

    def __init__(self, number: int) -> None:
        self.random, self.number, self.writer = random.Random(number), number, OutsideWriter()
        self.expected: dict[str, int] = {}

    def work(self) -> None:
        for count in range(ROUNDS):
            id = f"bkg_{self.number}_{count}"
            start = at(self.random.randrange(8, 20), self.random.choice((0, 30)))
            self.writer.put_booking(id, start, status="PENDING", outsideCount=count)
            self.expected[id] = count
            self._touch(self.random.choice(list(self.expected)), ROUNDS + count)

    def _touch(self, id: str, count: int) -> None:
        """Change an attribute of the booking where it is now. A person may move it at the same moment."""
        found = find(id)
        if found is None:
            return
        changes: dict[str, Any] = {"outsideCount": count}
        if self.random.random() < 0.3:
            changes["endTime"] = isoformat((found.start_time or at(10)) + 30 * MINUTE)
        if update_existing(found.key, changes):
            self.expected[id] = count


def find(id: str) -> Booking | None:
    try:
        return queries.load_booking(BUSINESS, id)
    except NotFound:
        return None


def update_existing(key: Key, changes: dict[str, Any]) -> bool:
    """Update an item if it exists: a bare update would create a booking where a moved one was."""
    client = connection.client()
    try:
        client.update_item(
            TableName=settings.DYNAMODB_TABLE,
            Key={"PK": {"S": key.pk}, "SK": {"S": key.sk}},
            UpdateExpression="SET " + ", ".join(f"{name} = :{name}" for name in changes),
            ConditionExpression="attribute_exists(PK)",
            ExpressionAttributeValues={f":{name}": to_attribute(value) for name, value in changes.items()},
        )
    except (client.exceptions.ConditionalCheckFailedException, client.exceptions.TransactionConflictException):
        return False
    return True


def act_as_person(number: int, done: dict[str, int], lock: threading.Lock, stop: threading.Event) -> None:
    chance = random.Random(100 + number)
    while not stop.is_set():
        id = f"bkg_{chance.randrange(OUTSIDE)}_{chance.randrange(ROUNDS)}"
        found = find(id)
        if found is None:
            continue
        action: Callable[..., Booking] = chance.choice(
            (services.confirm, services.confirm, services.cancel, services.restore, services.unconfirm, _move(chance))
        )
        try:
            result = action(BUSINESS, id, revision=found.revision, command=command())
        except DomainError:
            continue
        if not result.outcome.is_no_change:
            with lock:
                done[id] = done.get(id, 0) + 1


def _move(chance: random.Random) -> Callable[..., Booking]:
    provider, start = chance.choice(("maria", "ana")), at(chance.randrange(8, 20))

    def move(business: str, id: str, **options: Any) -> Booking:
        return services.reschedule(business, id, provider=provider, start=start, **options)

    return move


def test_people_outside_writers_and_the_follower_work_at_once(stream: TableStream) -> None:
    done: dict[str, int] = {}
    stop, lock = threading.Event(), threading.Lock()
    writers = [OutsideBookings(number) for number in range(OUTSIDE)]
    with ThreadPoolExecutor(PEOPLE + OUTSIDE + 1) as threads:
        people = [threads.submit(act_as_person, number, done, lock, stop) for number in range(PEOPLE)]

        def follow() -> None:
            while not stop.is_set():
                stream.follow()

        follower = threads.submit(follow)
        for each in [threads.submit(each.work) for each in writers]:
            each.result()
        stop.set()
        for each in [*people, follower]:
            each.result()
    stream.follow()
    assert sum(done.values()) >= 5, "people decided about bookings of the outside writers"
    bookings = check_consistency()
    for outside in writers:
        for id, count in outside.expected.items():
            found = bookings[id]
            assert raw_at(found.key)["outsideCount"] == count, "no value of the outside writer is lost"
            assert found.revision == done.get(id, 0), "no decision of a person is lost"
    assert stream.follow().repairs == 0


def check_consistency() -> dict[str, Booking]:
    """Pointers, ledgers and index keys equal the bookings, and no two confirmed bookings overlap."""
    items = all_items()
    bookings = {each.id: each for each in items if isinstance(each, Booking)}
    assert len(bookings) == sum(isinstance(each, Booking) for each in items), "no booking is there twice"
    refs = {each.id: each for each in items if isinstance(each, BookingRef)}
    assert {id: (each.booking_key, each.status, each.revision) for id, each in refs.items()} == {
        id: (each.key, each.status, each.revision) for id, each in bookings.items()
    }
    times = {id: taken for id, each in bookings.items() if (taken := time_of(each)) is not None}
    confirmed = [each for each in bookings.values() if each.status == Status.CONFIRMED]
    for one, other in combinations(confirmed, 2):
        overlaps = times[one.id].span_with_buffers.overlaps(times[other.id].span_with_buffers)
        assert not (one.provider == other.provider and overlaps), f"{one.id} and {other.id} overlap"
    expected = {
        (each.provider, day, id): times[id]
        for id, each in bookings.items()
        if each.status != Status.CANCELLED
        for day in days_of(times[id].span_with_buffers)
    }
    days = [each for each in items if isinstance(each, ProviderDay)]
    assert {(day.provider, day.date, each.booking_id): each for day in days for each in day.taken} == expected
    for each in items:
        before = {name: each.attribute_values.get(name) for name in each.attribute_values if name.startswith("gsi")}
        each.set_index_keys()
        after = {name: value for name, value in each.attribute_values.items() if name.startswith("gsi")}
        assert {n: v for n, v in after.items() if v} == {n: v for n, v in before.items() if v}, each.key
    return bookings
