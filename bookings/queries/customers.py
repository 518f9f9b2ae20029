"""What is asked about those who book."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from bookings.fields import CUSTOMER_FIELDS
from bookings.items import Booking, Customer
from bookings.queries.raw import proper
from dashboard.core.errors import NotFound
from dashboard.core.names import unaccented
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

PAGE = 50
IN_LISTS = CUSTOMER_FIELDS.projection("createdAt")
# So many are looked through for words at once: one answer holds them.
LOOKED_THROUGH = 500


@dataclass(frozen=True)
class CustomerPage(read.Page[Customer]):
    """Customers; with words, found among so many."""

    among: int | None = None


@access_pattern("Who books in this business, newest first?", keys.CUSTOMER, partition=True)
def customers_of(business: str, start: Any = None, limit: int = PAGE) -> read.Page[Customer]:
    """Our ids grow with time, so that by id is by age."""
    where = keys.CUSTOMER.under(tenant=business)
    asked: dict[str, Any] = {"limit": limit, "start": start, "newest_first": True, "consistent": True}
    return proper(read.page(where, Customer, only=IN_LISTS, **asked))


def search(business: str, words: str, start: Any = None) -> CustomerPage:
    """Those whose name, e-mail or phone has all of these words, among the next five hundred."""
    if not words.strip():
        page = customers_of(business, start)
        return CustomerPage(page.items, page.next)
    page = customers_of(business, start, LOOKED_THROUGH)
    return CustomerPage(having(page.items, words), page.next, len(page.items))


def having(customers: Sequence[Customer], words: str) -> list[Customer]:
    sought = unaccented(words).split()
    return [each for each in customers if _has(each, sought)]


def _has(customer: Customer, sought: list[str]) -> bool:
    text = unaccented(f"{customer.title} {customer.email or ''} {customer.phone or ''}")
    # A phone number is looked for with its spaces or without.
    digits = "".join(char for char in customer.phone or "" if char.isdecimal())
    return all(word in text or (word.isdecimal() and word in digits) for word in sought)


@access_pattern("Who is this customer?", keys.CUSTOMER)
def find_customer(business: str, customer_id: str) -> Customer | None:
    try:
        return read.get(Customer, keys.CUSTOMER.key(tenant=business, customer=customer_id))
    except BadKey:
        return None


def customer(business: str, customer_id: str) -> Customer:
    """The same, where there has to be one."""
    found = find_customer(business, customer_id)
    if found is None:
        raise NotFound
    return found


@access_pattern("What has this customer booked, newest first?", keys.BOOKINGS_OF_CUSTOMER)
def booked_by(business: str, customer_id: str, start: Any = None, limit: int = PAGE) -> read.Page[Booking]:
    try:
        where = keys.BOOKINGS_OF_CUSTOMER.under(tenant=business, customer=customer_id)
    except BadKey:
        return read.Page([])
    return proper(read.page(where, Booking, limit=limit, start=start, only=Booking.CARD, newest_first=True))


def is_booked(business: str, customer_id: str) -> bool:
    """Whether they have ever booked anything."""
    return bool(booked_by(business, customer_id, limit=1).items)


@access_pattern("What are these customers called?", keys.CUSTOMER)
def names_of(business: str, customer_ids: Sequence[str]) -> dict[str, str]:
    """By id, in one call; whoever is not there is left out."""
    wanted = []
    for each in dict.fromkeys(customer_ids):
        with suppress(BadKey):
            wanted.append(keys.CUSTOMER.key(tenant=business, customer=each))
    return {each.id: each.title for each in read.get_many(wanted) if isinstance(each, Customer)}
