"""Many at one provider's day, and replies get lost: nobody's time overlaps anybody's, and what is told is true."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

import pytest

from bookings.errors import SlotTaken, StartNotBookable
from bookings.items import Availability, Booking, Provider, ProviderDay
from bookings.queries import providers as provider_queries
from bookings.queries.providers import find_provider
from bookings.services import bookings as services
from bookings.services import locks, providers
from bookings.states import Status
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused, Unavailable
from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys, read
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.transactions import Transaction, find_done
from tests.bookings.bookable_business import (
    ALL_WEEK,
    BUSINESS,
    MINUTE,
    MONDAY,
    at,
    book,
    check_bookings,
    customer,
    provider,
    put,
    reloaded,
    service,
    working_hours,
)
from tests.conftest import ACTOR, real_engines
from tests.faults import Fault, act_then_break, bad_network, lose_reply

WRITERS = {"dynoxide": 64, "dynamodb_local": 16}
TRIES = {"dynoxide": 5, "dynamodb_local": 8}
KINDS = {"corto": (20, 5, 0), "masaje": (60, 0, 10), "largo": (95, 15, 15)}
ACTS = ("create", "create", "confirm", "move", "move", "cancel", "restore")


@dataclass(frozen=True)
class Told:
    """One press of a button, and what the person was told after how long."""

    command: Command
    act: str
    booking: str
    done: bool
    seconds: float
    # The same by the clock of this process, which stands still while the machine does other things.
    worked: float


@dataclass
class Shop:
    """What the writers know of each other's bookings."""

    known: list[str] = field(default_factory=list)

    def some(self, chance: random.Random) -> str | None:
        return chance.choice(self.known) if self.known else None


def open_for_all(*providers: str) -> None:
    put(*(service(id, minutes=m, before=b, after=a) for id, (m, b, a) in KINDS.items()), customer())
    for name in providers:
        put(provider(name, *KINDS), *working_hours(name))


def some_start(chance: random.Random) -> datetime:
    """On the same day, now and then over its midnight."""
    return at(chance.randrange(24), chance.randrange(0, 60, 5))


def shown(booking_id: str) -> Booking:
    while True:
        try:
            return reloaded(booking_id)
        except (Unavailable, AssertionError):
            continue  # The reply was lost, or it moved between the two reads.


def press(shop: Shop, chance: random.Random, by: Actor) -> Told:
    """Press until there is an answer: «not now, repeating is safe» is none."""
    command, act = new_command(by), chance.choice(ACTS)
    target = shop.some(chance)
    if target is None:
        act = "create"
    what, whose, start = chance.choice(list(KINDS)), chance.choice(("maria", "maria", "ana")), some_start(chance)
    status = chance.choice((Status.PENDING, Status.CONFIRMED))
    lapses = now() + timedelta(seconds=chance.choice((2, 3600))) if chance.random() < 0.5 else None
    revision = shown(target).revision if target is not None else 0
    since, worked = time.perf_counter(), time.process_time()

    def told(booking: str, done: bool) -> Told:
        return Told(command, act, booking, done, time.perf_counter() - since, time.process_time() - worked)

    while True:
        try:
            if act == "create":
                made = book(start, by="maria", what=what, status=status, lapses_at=lapses, command=command)
                shop.known.append(made.id)
                return told(made.id, True)
            assert target is not None
            if act == "move":
                found = services.reschedule(
                    BUSINESS, target, provider=whose, start=start, revision=revision, command=command
                )
            else:
                decide = {"confirm": services.confirm, "cancel": services.cancel, "restore": services.restore}[act]
                found = decide(BUSINESS, target, revision=revision, command=command)
            return told(found.id, not found.outcome.is_no_change)
        except Unavailable:
            continue
        except SlotTaken as refusal:
            assert refusal.item is not None, "it says who is in the way"
            return told(target or "", False)
        except (Conflict, Refused):
            return told(target or "", False)


@contextmanager
def watched(over: threading.Event) -> Iterator[list[str]]:
    """Look at the ledger again and again; says what was seen that may not be."""
    wrong: list[str] = []
    looks = [0]

    def watch() -> None:
        where = keys.PROVIDER_DAY.key(tenant=BUSINESS, provider="maria", date=MONDAY.date().isoformat())
        while not over.is_set():
            try:
                day = read.get(ProviderDay, where)
            except Unavailable:
                continue
            looks[0] += 1
            time.sleep(0.01)
            # By a clock a little ahead: whoever wrote may have looked at theirs since.
            live = [each for each in day.taken if each.takes_time(now() + timedelta(seconds=5))] if day else []
            for one, other in combinations(live, 2):
                if one.span_with_buffers.overlaps(other.span_with_buffers):
                    wrong.append(f"{one} and {other}")

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield wrong
    finally:
        over.set()
        thread.join()
    assert looks[0] > 5


@real_engines
@pytest.mark.parametrize("turns", [True, False], ids=["in-turn", "all-at-once"])
def test_nobodys_time_overlaps_whatever_gets_lost(table: str, turns: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one process each waits for their turn; as many processes would, they do not, and it takes longer."""
    writers = WRITERS[table] if turns else 12
    if not turns:
        monkeypatch.setattr(locks, "_held", lambda _lock: nullcontext())
    open_for_all("maria", "ana")
    shop, start = Shop(), threading.Barrier(writers)

    def one(number: int) -> list[Told]:
        chance, by = random.Random(number), Actor(f"p{number}@example.com", f"Person {number}")
        start.wait()
        return [press(shop, chance, by) for _ in range(TRIES[table])]

    with bad_network() as network, watched(threading.Event()) as wrong, ThreadPoolExecutor(writers) as pool:
        network.add_random_fault(0.04, lose_reply)
        network.add_random_fault(0.04, act_then_break)
        told = [each for answers in pool.map(one, range(writers)) for each in answers]
        chance = random.Random(writers)
        # Whatever no writer got done by chance is done after them.
        while not {"create", "move", "cancel", "confirm"} <= {each.act for each in told if each.done}:
            told.append(press(shop, chance, ACTOR))
        network.stop_faults()
    assert network.faults > 20, "replies were lost, or this proves nothing"
    assert wrong == []

    bookings = check_bookings()
    done = [each for each in told if each.done]
    assert len(done) < len(told), "everybody got what they wanted, so this proves nothing"
    recorded = {each.command.id for each in told if find_done(each.command) is not None}
    assert recorded == {each.command.id for each in done}, "what is told as done was done, and nothing else was"
    assert {each.id for each in bookings} == {each.booking for each in done if each.act == "create"}, "each is there"
    trail = read.page(keys.AUDIT.collection(tenant=BUSINESS), AuditEntry, limit=5000, consistent=True).items
    written = Counter(entry.operation for entry in trail if (entry.action or "").startswith("booking."))
    assert written == Counter(each.command.id for each in done), "one entry in the trail each"
    for booking in bookings:
        assert booking.revision == sum(each.booking == booking.id for each in done), "every revision is somebody's act"
    times = sorted(each.worked for each in told)
    assert not turns or times[len(times) * 95 // 100] < 5, f"95 % are answered within 5 s: {times[-8:]}"


@real_engines
def test_one_start_is_sold_once(table: str) -> None:
    """Whatever the lengths: all of them want some of the same hour."""
    open_for_all("maria")
    people = WRITERS[table]
    start = threading.Barrier(people)

    def one(number: int) -> str:
        start.wait()
        while True:
            try:
                return book(at(10, number % 4 * 5), what=list(KINDS)[number % 2 + 1]).id
            except SlotTaken as refusal:
                assert refusal.item is not None and refusal.taken.booking_id == refusal.item.id
                return ""
            except Unavailable:
                continue

    with ThreadPoolExecutor(people) as pool:
        made = [each for each in pool.map(one, range(people)) if each]
    assert len(made) == 1
    assert [each.id for each in check_bookings()] == made


@real_engines
@pytest.mark.parametrize("fault", [lose_reply, act_then_break])
def test_a_lost_reply_is_told_as_what_it_was(table: str, fault: Fault) -> None:
    """Of every act, once; and the form sent again changes nothing."""
    open_for_all("maria", "ana")
    with bad_network() as network:

        def silently(act: Callable[..., Booking], **given: Any) -> Booking:
            command = new_command(ACTOR)
            network.next("TransactWriteItems", fault, fault, fault, fault)
            tries = 0
            while True:
                try:
                    found = act(command=command, **given)
                except Unavailable:
                    tries += 1
                    assert tries < 5
                    continue
                break
            network.stop_faults()
            again = act(command=command, **given)
            assert (again.key, again.revision, again.status) == (found.key, found.revision, found.status)
            assert again.outcome.result == found.outcome.result
            return found

        made = silently(lambda **given: book(at(10), status=Status.PENDING, **given))
        sure = silently(lambda **given: services.confirm(BUSINESS, made.id, revision=1, **given))
        moved = silently(
            lambda **given: services.reschedule(
                BUSINESS, made.id, provider="ana", start=at(23, 30), revision=2, **given
            )
        )
        gone = silently(lambda **given: services.cancel(BUSINESS, made.id, revision=3, **given))
        back = silently(lambda **given: services.restore(BUSINESS, made.id, revision=4, **given))
    assert [each.revision for each in (made, sure, moved, gone, back)] == [1, 2, 3, 4, 5]
    (only,) = check_bookings()
    assert (only.id, only.provider, only.start_time, only.status) == (made.id, "ana", at(23, 30), Status.CONFIRMED)


@real_engines
def test_of_two_that_lapsed_and_came_again_one_is_confirmed(table: str) -> None:
    """The first waits past its deadline, another takes the time, and both are confirmed at the same moment."""
    open_for_all("maria")
    for round_ in range(6):
        hour = at(8 + 2 * round_)
        first = book(hour, status=Status.PENDING, lapses_at=now() + timedelta(seconds=1))
        while not first.has_lapsed(now()):
            time.sleep(0.05)
        second = book(hour + 5 * MINUTE, status=Status.PENDING)
        start = threading.Barrier(2)

        def sure(booking: Booking, start: threading.Barrier = start) -> bool:
            start.wait()
            try:
                services.confirm(BUSINESS, booking.id, revision=1, command=new_command(ACTOR))
            except SlotTaken:
                return False
            return True

        with ThreadPoolExecutor(2) as pool:
            assert list(pool.map(sure, (first, second))) == [False, True], "who holds the time keeps it"
    check_bookings()


@real_engines
@pytest.mark.parametrize("moves", [False, True], ids=["made", "moved"])
def test_hours_that_change_meanwhile_are_noticed(table: str, moves: bool) -> None:
    """The hours are read, then changed, then the booking is written: it is looked at again."""
    open_for_all("maria", "ana")
    there = [book(at(12), by="ana")] if moves else []
    original = Transaction.commit
    changed: list[bool] = []

    def change_first(self: Transaction, *args: Any, **given: Any) -> Any:
        if not changed:
            changed.append(True)
            change = Transaction(new_command(ACTOR))
            who = read.get(Provider, keys.PROVIDER.key(tenant=BUSINESS, provider="maria"))
            assert who is not None
            who.schedule_revision = 1
            change.save(who, revision=who.revision)
            for day in ALL_WEEK:
                found = read.get(Availability, keys.AVAILABILITY.key(tenant=BUSINESS, provider="maria", weekday=day))
                assert found is not None
                found.time_ranges = [{"startTime": "12:00", "endTime": "13:00"}]
                change.save(found, revision=found.revision)
            original(change, None)
        return original(self, *args, **given)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(StartNotBookable):
        patch.setattr(Transaction, "commit", change_first)
        if moves:
            services.reschedule(
                BUSINESS, there[0].id, provider="maria", start=at(9), revision=1, command=new_command(ACTOR)
            )
        else:
            book(at(9))
    assert [each.key for each in check_bookings()] == [each.key for each in there]


@real_engines
@pytest.mark.parametrize("again", [False, True])
def test_whoever_is_booked_at_this_moment_is_not_deleted(
    table: str, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    """The last look for bookings finds none, then someone books; `again` where an earlier booking was moved away."""
    open_for_all("maria", "ana")
    if again:
        moved = book(at(10), what="corto")
        services.reschedule(BUSINESS, moved.id, provider="ana", start=at(10), revision=1, command=new_command(ACTOR))
    looks, original = iter(range(2)), provider_queries.is_booked

    def meanwhile(business: str, provider_id: str) -> bool:
        found = original(business, provider_id)
        if next(looks) == again:
            book(at(12), what="corto")
        return found

    monkeypatch.setattr(provider_queries, "is_booked", meanwhile)
    with pytest.raises(Refused, match="has bookings"):
        providers.remove(BUSINESS, "maria", revision=1, command=new_command(ACTOR))
    assert find_provider(BUSINESS, "maria") is not None
    check_bookings()


@real_engines
def test_whose_bookings_were_all_moved_away_can_be_deleted(table: str) -> None:
    open_for_all("maria", "ana")
    made = book(at(10), what="corto")
    services.reschedule(BUSINESS, made.id, provider="ana", start=at(10), revision=1, command=new_command(ACTOR))
    providers.remove(BUSINESS, "maria", revision=1, command=new_command(ACTOR))
    assert find_provider(BUSINESS, "maria") is None
