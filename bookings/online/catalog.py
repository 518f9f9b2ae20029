"""What visitors can book: active services, and the staff members who offer them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

from bookings.items import Provider, Service
from bookings.queries.providers import providers_of
from bookings.queries.providers import sort_by_name as sort_staff
from bookings.queries.services import services_of, sort_by_name
from dashboard.core.errors import NotFound
from dashboard.core.names import unaccented

ANYONE = "any"


def catalog_reads(business: str) -> list[Callable[[], Any]]:
    return [partial(_services, business), partial(_providers, business)]


def _services(business: str) -> list[Service]:
    return services_of(business).items


def _providers(business: str) -> list[Provider]:
    return providers_of(business).items


@dataclass(frozen=True)
class OnlineCatalog:
    services: Sequence[Service]
    providers: Sequence[Provider]

    def bookable(self) -> list[Service]:
        """The services that somebody offers, by name."""
        active = [each for each in self.services if each.is_active and each.slot_length is not None]
        return sort_by_name([each for each in active if self.staff_for(each.id)])

    def by_category(self) -> list[tuple[str, list[Service]]]:
        """The services of each category, those without one first."""
        ordered = sorted(self.bookable(), key=lambda each: unaccented(each.category or ""))
        return [(name, list(group)) for name, group in groupby(ordered, key=lambda each: each.category or "")]

    def staff_for(self, service_id: str) -> list[Provider]:
        return sort_staff([each for each in self.providers if each.is_active and service_id in each.service_ids])

    def load_service(self, service_id: str) -> Service:
        found = next((each for each in self.bookable() if each.id == service_id), None)
        if found is None:
            raise NotFound
        return found

    def load_staff(self, service_id: str, provider_id: str) -> list[Provider]:
        """The staff members who may be booked: the chosen one, or everyone who offers the service."""
        staff = [each for each in self.staff_for(service_id) if provider_id in (ANYONE, each.id)]
        if not staff:
            raise NotFound
        return staff
