"""A fortnight of bookings around today, in every state that one can be in."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from bookings.hours import DAY, Hours
from bookings.items import Booking, Customer, Provider, Service
from bookings.queries.calendar import beginning
from bookings.queries.customers import customers_of
from bookings.queries.providers import providers_of
from bookings.queries.services import services_of
from bookings.queries.snapshot import provider_and_hours
from bookings.services import bookings as writing
from bookings.slots import Rules, Taken, free_starts
from bookings.states import Payment, Status
from dashboard.businesses.queries import find_business
from dashboard.clock import now
from dashboard.local.accounts import DOMAIN
from dashboard.local.story import days_ago
from dashboard.table.operations import Actor, Operation

BUSINESSES = (
    ("andina", Actor(f"owner@{DOMAIN}", "Olivia Andrade")),
    ("harbour", Actor(f"owner2@{DOMAIN}", "Óscar Nguyen")),
)
BEFORE, AFTER = 5, 9
MOST_A_DAY = 4
NOTES = ("", "", "", "Primera vez", "Prefiere la sala del fondo", "Llega en bicicleta")


def seed() -> int:
    """Add them where nobody is booked from today on; says how many."""
    return sum(_fill(business, owner) for business, owner in BUSINESSES)


@dataclass(frozen=True)
class _Story:
    business: str
    owner: Actor
    chance: random.Random

    def operation(self, name: str) -> Operation:
        return Operation(f"demo-{self.business}-{now().date()}-{name}", self.owner)


def _fill(business: str, owner: Actor) -> int:
    if find_business(business) is None or beginning(business, now(), now() + AFTER * DAY).bookings:
        return 0
    services, people = services_of(business).items, customers_of(business).items
    if not people:
        return 0
    story = _Story(business, owner, random.Random(f"{business} {now().date()}"))
    made: list[Booking] = []
    for provider in providers_of(business).items:
        does = [each for each in services if each.id in provider.service_ids]
        with days_ago(BEFORE + 2, f"bookings {business} {provider.id} {now().date()}"):
            made += _book_all(story, provider, does, people)
    for number, booking in enumerate(made):
        _decide(story, number, booking)
    return len(made)


def _book_all(story: _Story, provider: Provider, does: list[Service], people: list[Customer]) -> Iterator[Booking]:
    """Told from before it all began: nothing of it was in the past then."""
    _who, hours = provider_and_hours(story.business, provider.id)
    today = now().date() + timedelta(days=BEFORE + 2)
    for offset in range(-BEFORE, AFTER + 1):
        yield from _book_day(story, provider, hours, today + timedelta(days=offset), does, people)


def _book_day(
    story: _Story, provider: Provider, hours: Hours, day: date, does: list[Service], people: list[Customer]
) -> Iterator[Booking]:
    taken: list[Taken] = []
    for number in range(story.chance.randint(2, MOST_A_DAY) if does else 0):
        service = story.chance.choice(does)
        want = service.want
        free = free_starts(hours, day, want, taken, Rules(now())) if want else []
        if not free:
            return
        start = story.chance.choice(free)
        customer, note = story.chance.choice(people), story.chance.choice(NOTES)
        waits, lapses = _waits(story, start)
        made = writing.create(
            story.business,
            service.id,
            provider.id,
            start,
            customer.id,
            status=Status.PENDING if waits else Status.CONFIRMED,
            lapses_at=lapses,
            note=note,
            operation=story.operation(f"{provider.id}-{day}-{number}"),
        )
        taken += [made.taken] if made.taken else []
        yield made


def _waits(story: _Story, start: datetime) -> tuple[bool, datetime | None]:
    """Some wait for a confirmation; some of them have waited too long."""
    chance = story.chance.random()
    if chance < 0.1:
        return True, None
    if chance < 0.18:
        return True, max(now() + timedelta(hours=1), start - timedelta(days=1))
    return False, None


def _decide(story: _Story, number: int, booking: Booking) -> None:
    """What has become of it by today."""
    chance = story.chance.random()
    operation = story.operation(f"decided-{booking.id}")
    past = bool(booking.start_time and booking.start_time < now())
    seen, where = booking.seen, (story.business, booking.id)
    if booking.lapsed(now()):
        return
    if chance < 0.12:
        writing.cancel(*where, seen=seen, reason="Enfermedad" if number % 2 else "", operation=operation)
    elif past and chance < 0.2 and booking.status == Status.CONFIRMED:
        writing.no_show(*where, seen=seen, operation=operation)
    elif past or chance < 0.4:
        status = Payment.PAID if chance < 0.8 else Payment.PENDING
        writing.pay(*where, status=status, seen=seen, operation=operation)
