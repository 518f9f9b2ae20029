"""What a change of hours, of a zone, or of whether someone can be booked has in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pynamodb.expressions.condition import Condition

from bookings.displaced_bookings import AHEAD, live
from bookings.hours import Hours, hours_of
from bookings.items import Availability, Booking, Provider
from bookings.queries import providers as queries
from dashboard.core.clock import now
from dashboard.core.errors import Conflict
from dashboard.table.commands import Command
from dashboard.table.read import gather_all


class HoursMoved(Conflict):
    """Someone changed the provider's hours meanwhile."""


@dataclass(frozen=True)
class ScheduleState:
    """A provider, their hours, and what is booked with them from now on."""

    provider: Provider
    availabilities: list[Availability]
    ahead: list[Booking]

    def hours(self, business_zone: str | None) -> Hours:
        return hours_of(self.provider.zone(business_zone), self.availabilities)


def standing(business: str, provider_id: str) -> ScheduleState:
    """All of it in one trip, consistent."""
    moment = now()
    reads: Sequence[Callable[[], Any]] = (
        lambda: queries.load_provider(business, provider_id),
        lambda: queries.hours_of(business, provider_id),
        lambda: queries.bookings_ahead(business, provider_id, moment, moment + AHEAD),
    )
    provider, availabilities, bookings = gather_all(reads)
    return ScheduleState(provider, availabilities, live(bookings.items, moment))


def as_scheduled(provider: Provider) -> Condition:
    """The provider is there, and nobody has changed the hours that were read. Another service may have put anything
    where they are counted: that stands as it stood."""
    return cast(Condition, Provider.pk.exists() & provider.unchanged("scheduleRevision"))


def move(provider: Provider, command: Command) -> None:
    """Mark that what bookings rely on has changed: who books meanwhile is told to look again."""
    provider.schedule_revision = provider.schedule_revision + 1
    provider.schedule_by, provider.schedule_by_name = command.by.email, command.by.name or None
    provider.schedule_at = now()
