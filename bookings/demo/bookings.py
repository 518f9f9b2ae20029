"""Bookings around today, in every state."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from bookings.hours import DAY, Hours
from bookings.items import Booking, Customer, Provider, Service
from bookings.queries.booking_state import provider_and_hours
from bookings.queries.calendar import bookings_starting_between
from bookings.queries.customers import customers_of
from bookings.queries.providers import providers_of
from bookings.queries.services import services_of
from bookings.services import bookings as booking_services
from bookings.slots import Rules, TakenTime, free_starts
from bookings.states import Payment, Status
from dashboard.core.clock import frozen, now
from dashboard.core.ids import predictable
from dashboard.platform.businesses.queries import find_business
from dashboard.platform.demos.logins import DOMAIN
from dashboard.platform.demos.moments import days_ago
from dashboard.table.commands import Actor, Command

BUSINESSES = (
    ("andina", Actor(f"owner@{DOMAIN}", "Olivia Andrade")),
    ("harbour", Actor(f"owner2@{DOMAIN}", "Óscar Nguyen")),
)
BEFORE, AFTER = 4, 5
MAX_PER_DAY = 4
NOTES = ("", "", "", "Primera vez", "Prefiere la sala del fondo", "Llega en bicicleta")


def seed() -> int:
    """Add bookings where there are none from today on, and return how many were added."""
    return sum(_fill(business, owner) for business, owner in BUSINESSES)


@dataclass(frozen=True)
class _Demo:
    business: str
    owner: Actor
    chance: random.Random

    def command(self, name: str) -> Command:
        return Command(f"demo-{self.business}-{now().date()}-{name}", self.owner)


def _fill(business: str, owner: Actor) -> int:
    if find_business(business) is None or bookings_starting_between(business, now(), now() + AFTER * DAY).bookings:
        return 0
    services, people = services_of(business).items, customers_of(business).items
    if not people:
        return 0
    demo = _Demo(business, owner, random.Random(f"{business} {now().date()}"))
    count = 0
    for provider in providers_of(business).items:
        offered = [each for each in services if each.id in provider.service_ids]
        with days_ago(BEFORE + 2, f"bookings {business} {provider.id} {now().date()}"):
            made = list(_book_all(demo, provider, offered, people))
        for number, booking in enumerate(made):
            _decide(demo, number, booking)
        count += len(made)
    return count


def _book_all(demo: _Demo, provider: Provider, offered: list[Service], people: list[Customer]) -> Iterator[Booking]:
    """Book with the clock set back, so that no booking is in the past."""
    _who, hours = provider_and_hours(demo.business, provider.id)
    today, count = now().date() + timedelta(days=BEFORE + 2), 0
    for offset in range(-BEFORE, AFTER + 1):
        for made in _book_day(demo, provider, hours, today + timedelta(days=offset), offered, people, count):
            count += 1
            yield made


def _book_day(
    demo: _Demo,
    provider: Provider,
    hours: Hours,
    day: date,
    offered: list[Service],
    people: list[Customer],
    before: int,
) -> Iterator[Booking]:
    taken: list[TakenTime] = []
    for number in range(demo.chance.randint(2, MAX_PER_DAY) if offered else 0):
        service = demo.chance.choice(offered)
        want = service.slot_length
        free = free_starts(hours, day, want, taken, Rules(now())) if want else []
        if not free:
            return
        start = demo.chance.choice(free)
        customer, note = demo.chance.choice(people), demo.chance.choice(NOTES)
        is_pending, lapses = _pending(before + number, start)
        made = booking_services.create(
            demo.business,
            service.id,
            provider.id,
            start,
            customer.id,
            status=Status.PENDING if is_pending else Status.CONFIRMED,
            lapses_at=lapses,
            note=note,
            command=demo.command(f"{provider.id}-{day}-{number}"),
        )
        taken += [made.taken] if made.taken else []
        yield made


def _pending(number: int, start: datetime) -> tuple[bool, datetime | None]:
    """Whether a booking is to confirm, and until when. The first of each staff member lapses."""
    if number % 7 == 0:
        return True, max(now() + timedelta(hours=1), start - timedelta(days=1))
    return number % 7 == 4, None


def _decide(demo: _Demo, number: int, booking: Booking) -> None:
    """Cancel, pay or mark as no-show. The number decides, so that every state occurs on every day."""
    past = bool(booking.start_time and booking.start_time < now())
    if booking.has_lapsed(now()):
        return
    command, revision, booking_key = (
        demo.command(f"decided-{booking.id}"),
        booking.revision,
        (demo.business, booking.id),
    )
    cancelled = number % 9 == 2
    with frozen(_when(number, booking, before=cancelled)), predictable(f"decided {booking.id}"):
        if cancelled:
            booking_services.cancel(
                *booking_key, revision=revision, reason="Enfermedad" if number % 2 else "", command=command
            )
        elif number % 9 == 1 and past and booking.status == Status.CONFIRMED:
            booking_services.no_show(*booking_key, revision=revision, command=command)
        elif past or number % 3 == 0:
            payment = Payment.PENDING if number % 5 == 3 else Payment.PAID
            booking_services.pay(*booking_key, payment=payment, revision=revision, command=command)


def _when(number: int, booking: Booking, *, before: bool) -> datetime:
    """When it was decided: `before` a past booking or at its end; for an upcoming one on one of the last days."""
    start, end = booking.start_time, booking.end_time
    if start is None or end is None or start >= now():
        return now() - timedelta(days=1 + number % (BEFORE - 1), hours=number % 7)
    return start - timedelta(hours=3) if before else min(end, now())
