"""Queries for services."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from bookings.fields import SERVICE_FIELDS
from bookings.items import Booking, Service
from bookings.queries.raw import contains_words
from dashboard.core.errors import NotFound
from dashboard.core.names import unaccented
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

# A business has some dozens of services: one page holds them, and they are sorted here.
PAGE = 500
IN_LISTS = SERVICE_FIELDS.list_attributes("active")


@access_pattern("Which services does this business have?", keys.SERVICE, partition=True)
def services_of(
    business: str, start_key: Any = None, limit: int = PAGE, *, consistent: bool = True
) -> read.Page[Service]:
    """From the table: includes items that an outside writer stored without index keys."""
    collection = keys.SERVICE.collection(tenant=business)
    return read.page(collection, Service, limit=limit, start_key=start_key, attributes=IN_LISTS, consistent=consistent)


@access_pattern("Which services are in this category, by name?", keys.SERVICES_BY_CATEGORY)
def services_in_category(business: str, category: str, limit: int = PAGE) -> list[Service]:
    try:
        collection = keys.SERVICES_BY_CATEGORY.collection(tenant=business, category=category)
    except BadKey:
        return []
    return read.page(collection, Service, limit=limit, attributes=IN_LISTS).items


@access_pattern("Which service has this id?", keys.SERVICE)
def find_service(business: str, service_id: str) -> Service | None:
    try:
        return read.get(Service, keys.SERVICE.key(tenant=business, service=service_id))
    except BadKey:
        return None


def load_service(business: str, service_id: str) -> Service:
    service = find_service(business, service_id)
    if service is None:
        raise NotFound
    return service


@access_pattern("Has this service ever been booked?", keys.BOOKINGS_OF_SERVICE)
def is_booked(business: str, service_id: str) -> bool:
    collection = keys.BOOKINGS_OF_SERVICE.collection(tenant=business, service=service_id)
    return bool(read.page(collection, Booking, limit=1, attributes=("status",)).items)


def sort_by_name(services: Sequence[Service]) -> list[Service]:
    """Sorted by name, active services first."""
    return sorted(services, key=lambda each: (not each.is_active, unaccented(each.title), each.id))


def matching(services: Sequence[Service], words: str) -> list[Service]:
    """The services whose name, category or description contains all words."""
    return [each for each in services if contains_words(_searched_text(each), words)]


def _searched_text(service: Service) -> str:
    return f"{service.title} {service.category or ''} {service.description or ''}"


def categories(services: Sequence[Service]) -> list[str]:
    names = {each.category for each in services if each.category}
    return sorted(names, key=lambda each: (unaccented(each), each))


def usual_currency(services: Sequence[Service]) -> str:
    """The currency of most services; empty where none has one."""
    counts = Counter(each.currency for each in services if each.currency)
    return counts.most_common(1)[0][0] if counts else ""
