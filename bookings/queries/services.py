"""What is asked about what can be booked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from bookings.fields import SERVICE_FIELDS
from bookings.items import Booking, Service
from bookings.queries.raw import proper
from dashboard.core.errors import NotFound
from dashboard.core.names import unaccented
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

# A business has some dozens: so many come at once, and are put in order here.
PAGE = 500
IN_LISTS = SERVICE_FIELDS.projection("active")


@access_pattern("What can be booked in this business?", keys.SERVICE, partition=True)
def services_of(business: str, start: Any = None, limit: int = PAGE) -> read.Page[Service]:
    """Consistent, from the table: what another service wrote without index keys is there too."""
    where = keys.SERVICE.under(tenant=business)
    return proper(read.page(where, Service, limit=limit, start=start, only=IN_LISTS, consistent=True))


@access_pattern("What can be booked of this category, by name?", keys.SERVICES_BY_CATEGORY)
def of_category(business: str, category: str, limit: int = PAGE) -> list[Service]:
    try:
        where = keys.SERVICES_BY_CATEGORY.under(tenant=business, category=category)
    except BadKey:
        return []
    return proper(read.page(where, Service, limit=limit, only=IN_LISTS)).items


@access_pattern("What is this service?", keys.SERVICE)
def find_service(business: str, service_id: str) -> Service | None:
    try:
        return read.get(Service, keys.SERVICE.key(tenant=business, service=service_id))
    except BadKey:
        return None


def service(business: str, service_id: str) -> Service:
    """The same, where there has to be one."""
    found = find_service(business, service_id)
    if found is None:
        raise NotFound
    return found


@access_pattern("Has this service ever been booked?", keys.BOOKINGS_OF_SERVICE)
def is_booked(business: str, service_id: str) -> bool:
    where = keys.BOOKINGS_OF_SERVICE.under(tenant=business, service=service_id)
    return bool(read.page(where, Booking, limit=1, only=("status",)).items)


def by_name(services: Sequence[Service]) -> list[Service]:
    """As people look for them: what can be booked first."""
    return sorted(services, key=lambda each: (not each.is_active, unaccented(each.title), each.id))


def having(services: Sequence[Service], words: str) -> list[Service]:
    """Those whose name, category or description has all of these words."""
    sought = unaccented(words).split()
    return [each for each in services if _has(each, sought)]


def _has(service: Service, sought: list[str]) -> bool:
    text = unaccented(f"{service.title} {service.category or ''} {service.description or ''}")
    return all(word in text for word in sought)


def categories(services: Sequence[Service]) -> list[str]:
    found = {each.category for each in services if each.category}
    return sorted(found, key=lambda each: (unaccented(each), each))


def usual_currency(services: Sequence[Service]) -> str:
    """What most of them are priced in; empty where none says."""
    counted = Counter(each.currency for each in services if each.currency)
    return counted.most_common(1)[0][0] if counted else ""
