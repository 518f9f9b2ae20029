"""Concurrent actions on one provider's day with lost replies: nothing overlaps, and each reported result is correct."""

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
from bookings.services import providers
from bookings.states import Status
from dashboard.core import locks
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
class Attempt:
    """One action of a person, its reported result, and how long it took."""

    command: Command
    act: str
    booking: str
    done: bool
    seconds: float
    # CPU time of this process, which does not grow while the machine does other things.
    cpu_seconds: float


@dataclass
class KnownBookings:
    """The ids of all bookings, shared by the writers."""

    known: list[str] = field(default_factory=list)

    def random_id(self, chance: random.Random) -> str | None:
        return chance.choice(self.known) if self.known else None


def create_catalog(*providers: str) -> None:
    put(*(service(id, minutes=m, before=b, after=a) for id, (m, b, a) in KINDS.items()), customer())
    for name in providers:
        put(provider(name, *KINDS), *working_hours(name))


def random_start(chance: random.Random) -> datetime:
    """A start on the same day; some bookings cross midnight."""
    return at(chance.randrange(24), chance.randrange(0, 60, 5))


def load_until_found(booking_id: str) -> Booking:
    while True:
        try:
            return reloaded(booking_id)
        except (Unavailable, AssertionError):
            continue  # The reply was lost, or it moved between the two reads.


def press(known_bookings: KnownBookings, chance: random.Random, by: Actor) -> Attempt:
    """Do one random action; repeat it while the table is unavailable."""
    command, act = new_command(by), chance.choice(ACTS)
    target = known_bookings.random_id(chance)
    if target is None:
        act = "create"
    what, whose, start = chance.choice(list(KINDS)), chance.choice(("maria", "maria", "ana")), random_start(chance)
    status = chance.choice((Status.PENDING, Status.CONFIRMED))
    lapses = now() + timedelta(seconds=chance.choice((2, 3600))) if chance.random() < 0.5 else None
    revision = load_until_found(target).revision if target is not None else 0
    since, cpu_seconds = time.perf_counter(), time.process_time()

    def attempt(booking: str, done: bool) -> Attempt:
        return Attempt(command, act, booking, done, time.perf_counter() - since, time.process_time() - cpu_seconds)

    while True:
        try:
            if act == "create":
                created = book(start, by="maria", what=what, status=status, lapses_at=lapses, command=command)
                known_bookings.known.append(created.id)
                return attempt(created.id, True)
            assert target is not None
            if act == "move":
                found = services.reschedule(
                    BUSINESS, target, provider=whose, start=start, revision=revision, command=command
                )
            else:
                decide = {"confirm": services.confirm, "cancel": services.cancel, "restore": services.restore}[act]
                found = decide(BUSINESS, target, revision=revision, command=command)
            return attempt(found.id, not found.outcome.is_no_change)
        except Unavailable:
            continue
        except SlotTaken as refusal:
            assert refusal.item is not None, "the refusal names the other booking"
            return attempt(target or "", False)
        except (Conflict, Refused):
            return attempt(target or "", False)


@contextmanager
def watch_ledger(over: threading.Event) -> Iterator[list[str]]:
    """Read the ledger again and again; return the overlaps that were seen."""
    overlaps: list[str] = []
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
            # Five seconds ahead: a writer may have read the clock later than this thread.
            live = [each for each in day.taken if each.takes_time(now() + timedelta(seconds=5))] if day else []
            for one, other in combinations(live, 2):
                if one.span_with_buffers.overlaps(other.span_with_buffers):
                    overlaps.append(f"{one} and {other}")

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield overlaps
    finally:
        over.set()
        thread.join()
    assert looks[0] > 5


@real_engines
@pytest.mark.parametrize("has_lock", [True, False], ids=["in-turn", "all-at-once"])
def test_bookings_do_not_overlap_when_replies_are_lost(
    table: str, has_lock: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the lock the writers of one process wait for each other; without it they act like many processes."""
    writers = WRITERS[table] if has_lock else 12
    if not has_lock:
        monkeypatch.setattr(locks, "_locked", lambda _lock: nullcontext())
    create_catalog("maria", "ana")
    known_bookings, start = KnownBookings(), threading.Barrier(writers)

    def one(number: int) -> list[Attempt]:
        chance, by = random.Random(number), Actor(f"p{number}@example.com", f"Person {number}")
        start.wait()
        return [press(known_bookings, chance, by) for _ in range(TRIES[table])]

    with bad_network() as network, watch_ledger(threading.Event()) as overlaps, ThreadPoolExecutor(writers) as pool:
        network.add_random_fault(0.04, lose_reply)
        network.add_random_fault(0.04, act_then_break)
        attempts = [each for answers in pool.map(one, range(writers)) for each in answers]
        chance = random.Random(writers)
        # Actions that no writer completed are completed here.
        while not {"create", "move", "cancel", "confirm"} <= {each.act for each in attempts if each.done}:
            attempts.append(press(known_bookings, chance, ACTOR))
        network.stop_faults()
    assert network.faults > 20, "no reply was lost, so this proves nothing"
    assert overlaps == []

    bookings = check_bookings()
    done = [each for each in attempts if each.done]
    assert len(done) < len(attempts), "nothing was refused, so this proves nothing"
    recorded = {each.command.id for each in attempts if find_done(each.command) is not None}
    assert recorded == {each.command.id for each in done}, "exactly the actions reported as done were done"
    assert {each.id for each in bookings} == {each.booking for each in done if each.act == "create"}, (
        "every created booking exists"
    )
    trail = read.page(keys.AUDIT.collection(tenant=BUSINESS), AuditEntry, limit=5000, consistent=True).items
    written = Counter(entry.operation for entry in trail if (entry.action or "").startswith("booking."))
    assert written == Counter(each.command.id for each in done), "one audit entry each"
    for booking in bookings:
        assert booking.revision == sum(each.booking == booking.id for each in done), (
            "each revision belongs to one action"
        )
    times = sorted(each.cpu_seconds for each in attempts)
    assert not has_lock or times[len(times) * 95 // 100] < 5, f"95 % are answered within 5 s: {times[-8:]}"


@real_engines
def test_one_start_is_booked_once(table: str) -> None:
    """All attempts overlap, whatever their lengths."""
    create_catalog("maria")
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
        booked = [each for each in pool.map(one, range(people)) if each]
    assert len(booked) == 1
    assert [each.id for each in check_bookings()] == booked


@real_engines
@pytest.mark.parametrize("fault", [lose_reply, act_then_break])
def test_an_action_with_a_lost_reply_is_reported_correctly(table: str, fault: Fault) -> None:
    """Every action is done once; the form sent again changes nothing."""
    create_catalog("maria", "ana")
    with bad_network() as network:

        def with_lost_replies(act: Callable[..., Booking], **given: Any) -> Booking:
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

        created = with_lost_replies(lambda **given: book(at(10), status=Status.PENDING, **given))
        confirmed = with_lost_replies(lambda **given: services.confirm(BUSINESS, created.id, revision=1, **given))
        moved = with_lost_replies(
            lambda **given: services.reschedule(
                BUSINESS, created.id, provider="ana", start=at(23, 30), revision=2, **given
            )
        )
        cancelled = with_lost_replies(lambda **given: services.cancel(BUSINESS, created.id, revision=3, **given))
        restored = with_lost_replies(lambda **given: services.restore(BUSINESS, created.id, revision=4, **given))
    assert [each.revision for each in (created, confirmed, moved, cancelled, restored)] == [1, 2, 3, 4, 5]
    (only,) = check_bookings()
    assert (only.id, only.provider, only.start_time, only.status) == (created.id, "ana", at(23, 30), Status.CONFIRMED)


@real_engines
def test_a_lapsed_booking_is_not_confirmed_over_a_newer_one(table: str) -> None:
    """The first lapses, a second takes its time, and both are confirmed at the same moment."""
    create_catalog("maria")
    for round_ in range(6):
        hour = at(8 + 2 * round_)
        first = book(hour, status=Status.PENDING, lapses_at=now() + timedelta(seconds=1))
        while not first.has_lapsed(now()):
            time.sleep(0.05)
        second = book(hour + 5 * MINUTE, status=Status.PENDING)
        start = threading.Barrier(2)

        def confirm(booking: Booking, start: threading.Barrier = start) -> bool:
            start.wait()
            try:
                services.confirm(BUSINESS, booking.id, revision=1, command=new_command(ACTOR))
            except SlotTaken:
                return False
            return True

        with ThreadPoolExecutor(2) as pool:
            assert list(pool.map(confirm, (first, second))) == [False, True], (
                "the booking that takes the time is confirmed"
            )
    check_bookings()


@real_engines
@pytest.mark.parametrize("moves", [False, True], ids=["made", "moved"])
def test_hours_changed_before_the_write_are_noticed(table: str, moves: bool) -> None:
    """The hours are read, then changed, then the booking is written: they are checked again."""
    create_catalog("maria", "ana")
    existing = [book(at(12), by="ana")] if moves else []
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
                BUSINESS, existing[0].id, provider="maria", start=at(9), revision=1, command=new_command(ACTOR)
            )
        else:
            book(at(9))
    assert [each.key for each in check_bookings()] == [each.key for each in existing]


@real_engines
@pytest.mark.parametrize("again", [False, True])
def test_a_provider_booked_at_the_same_moment_is_not_deleted(
    table: str, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    """The last check finds no bookings, then someone books; with `again` an earlier booking was moved away."""
    create_catalog("maria", "ana")
    if again:
        moved = book(at(10), what="corto")
        services.reschedule(BUSINESS, moved.id, provider="ana", start=at(10), revision=1, command=new_command(ACTOR))
    checks, original = iter(range(2)), provider_queries.is_booked

    def check_and_book(business: str, provider_id: str) -> bool:
        found = original(business, provider_id)
        if next(checks) == again:
            book(at(12), what="corto")
        return found

    monkeypatch.setattr(provider_queries, "is_booked", check_and_book)
    with pytest.raises(Refused, match="has bookings"):
        providers.remove(BUSINESS, "maria", revision=1, command=new_command(ACTOR))
    assert find_provider(BUSINESS, "maria") is not None
    check_bookings()


@real_engines
def test_a_provider_whose_bookings_were_moved_away_can_be_deleted(table: str) -> None:
    create_catalog("maria", "ana")
    booking = book(at(10), what="corto")
    services.reschedule(BUSINESS, booking.id, provider="ana", start=at(10), revision=1, command=new_command(ACTOR))
    providers.remove(BUSINESS, "maria", revision=1, command=new_command(ACTOR))
    assert find_provider(BUSINESS, "maria") is None
