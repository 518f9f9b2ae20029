"""Code that changes of hours, time zone and availability share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from pynamodb.expressions.condition import Condition

from bookings.displaced_bookings import LOOK_AHEAD, live
from bookings.hours import Hours, hours_of
from bookings.items import Availability, Booking, Provider
from bookings.queries import providers as queries
from dashboard.core.clock import now
from dashboard.core.errors import Conflict
from dashboard.table.commands import Command
from dashboard.table.read import gather


class HoursChanged(Conflict):
    """Someone else changed the provider's hours in the meantime."""


@dataclass(frozen=True)
class ScheduleState:
    """A provider, their hours and their upcoming bookings."""

    provider: Provider
    availabilities: list[Availability]
    upcoming: list[Booking]

    def hours(self, business_zone: str | None) -> Hours:
        return hours_of(self.provider.zone(business_zone), self.availabilities)


def load_schedule_state(business: str, provider_id: str) -> ScheduleState:
    """One consistent trip."""
    moment = now()
    provider, availabilities, bookings = gather(
        lambda: queries.load_provider(business, provider_id),
        lambda: queries.hours_of(business, provider_id),
        lambda: queries.upcoming_bookings(business, provider_id, moment, moment + LOOK_AHEAD),
    )
    return ScheduleState(provider, availabilities, live(bookings.items, moment))


def schedule_unchanged(provider: Provider) -> Condition:
    """The provider exists, and the revision of their schedule is the one that was read. Its type may be any."""
    return cast(Condition, Provider.pk.exists() & provider.unchanged("scheduleRevision"))


def mark_schedule_changed(provider: Provider, command: Command) -> None:
    """Increase the revision of the schedule, so that a booking made at the same moment is retried."""
    provider.schedule_revision = provider.schedule_revision + 1
    provider.schedule_by, provider.schedule_by_name = command.by.email, command.by.name or None
    provider.schedule_at = now()
