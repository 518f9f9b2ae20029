"""Queries for customers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from bookings.fields import CUSTOMER_FIELDS
from bookings.hours import Span
from bookings.items import Booking, Customer
from bookings.items.customers import comparable_email, last_digits, phone_digits
from bookings.queries.bookings import key_bounds
from bookings.slots import MAX_BOOKING_LENGTH
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.core.names import unaccented
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

PAGE = 50
IN_LISTS = CUSTOMER_FIELDS.list_attributes("createdAt")
# A search reads this many customers at a time, which fit into one answer of DynamoDB.
SEARCHED = 500


@dataclass(frozen=True)
class CustomerPage(read.Page[Customer]):
    """A page of customers. A search also has the number of customers that it read."""

    searched: int | None = None


@access_pattern("Which customers does this business have, newest first?", keys.CUSTOMER, partition=True)
def customers_of(business: str, start_key: Any = None, limit: int = PAGE) -> read.Page[Customer]:
    """Sorted by id: our ids grow with time."""
    collection = keys.CUSTOMER.collection(tenant=business)
    options: dict[str, Any] = {"limit": limit, "start_key": start_key, "newest_first": True, "consistent": True}
    return read.page(collection, Customer, attributes=IN_LISTS, **options)


def search(business: str, words: str, start_key: Any = None) -> CustomerPage:
    """The customers whose name, e-mail or phone contains all words, among the next 500."""
    if not words.strip():
        page = customers_of(business, start_key)
        return CustomerPage(page.items, page.next_start_key)
    page = customers_of(business, start_key, SEARCHED)
    return CustomerPage(matching(page.items, words), page.next_start_key, len(page.items))


def matching(customers: Sequence[Customer], words: str) -> list[Customer]:
    sought = unaccented(words).split()
    return [each for each in customers if _matches(each, sought)]


def _matches(customer: Customer, sought: list[str]) -> bool:
    text = unaccented(f"{customer.title} {customer.email or ''} {customer.phone or ''}")
    # A phone number is found with its spaces or without.
    digits = "".join(char for char in customer.phone or "" if char.isdecimal())
    return all(word in text or (word.isdecimal() and word in digits) for word in sought)


@access_pattern("Which customer has this id?", keys.CUSTOMER)
def find_customer(business: str, customer_id: str) -> Customer | None:
    try:
        return read.get(Customer, keys.CUSTOMER.key(tenant=business, customer=customer_id))
    except BadKey:
        return None


def load_customer(business: str, customer_id: str) -> Customer:
    customer = find_customer(business, customer_id)
    if customer is None:
        raise NotFound
    return customer


@access_pattern("Which bookings does this customer have, newest first?", keys.BOOKINGS_OF_CUSTOMER)
def bookings_of_customer(
    business: str, customer_id: str, start_key: Any = None, limit: int = PAGE
) -> read.Page[Booking]:
    try:
        collection = keys.BOOKINGS_OF_CUSTOMER.collection(tenant=business, customer=customer_id)
    except BadKey:
        return read.Page([])
    return read.page(
        collection, Booking, limit=limit, start_key=start_key, attributes=Booking.IN_LISTS, newest_first=True
    )


def is_booked(business: str, customer_id: str) -> bool:
    """Whether the customer has ever booked."""
    return bool(bookings_of_customer(business, customer_id, limit=1).items)


@access_pattern("What are the names of these customers?", keys.CUSTOMER)
def names_of(business: str, customer_ids: Sequence[str]) -> dict[str, str]:
    """Names by id, in one call, without those that do not exist."""
    customer_keys = []
    for each in dict.fromkeys(customer_ids):
        with suppress(BadKey):
            customer_keys.append(keys.CUSTOMER.key(tenant=business, customer=each))
    return {each.id: each.title for each in read.get_many(customer_keys) if isinstance(each, Customer)}


@access_pattern("Which bookings does this customer have at this time?", keys.BOOKINGS_OF_CUSTOMER)
def bookings_during(business: str, customer_id: str, span: Span) -> list[Booking]:
    """Bookings with any provider that take some of this time."""
    try:
        collection = keys.BOOKINGS_OF_CUSTOMER.collection(tenant=business, customer=customer_id)
    except BadKey:
        return []
    bounds = key_bounds(span.start - MAX_BOOKING_LENGTH, span.end)
    found = read.page(collection, Booking, limit=PAGE, attributes=Booking.IN_LISTS, **bounds).items
    moment = now()
    taken = [each for each in found if each.taken and each.taken.takes_time(moment)]
    return [each for each in taken if each.span is not None and each.span.overlaps(span)]


def customers_with_contact(business: str, email: str | None, phone: str | None) -> list[Customer]:
    """Two numbers are the same if one ends with the other, as without its country code."""
    by_email, by_phone = read.gather(
        partial(customers_by_email, business, email), partial(customers_by_phone, business, phone)
    )
    found = {each.id: each for each in [*by_email, *by_phone]}
    return [each for each in found.values() if has_email(each, email) or has_phone(each, phone)]


@access_pattern("Which customers have this e-mail?", keys.CUSTOMERS_BY_EMAIL)
def customers_by_email(business: str, email: str | None) -> list[Customer]:
    address = comparable_email(email)
    if address is None:
        return []
    try:
        collection = keys.CUSTOMERS_BY_EMAIL.collection(tenant=business, email=address)
    except BadKey:
        return []
    return read.page(collection, Customer, limit=PAGE, attributes=IN_LISTS).items


@access_pattern("Which customers have a phone with these last digits?", keys.CUSTOMERS_BY_PHONE)
def customers_by_phone(business: str, phone: str | None) -> list[Customer]:
    digits = last_digits(phone)
    if digits is None:
        return []
    collection = keys.CUSTOMERS_BY_PHONE.collection(tenant=business, digits=digits)
    return read.page(collection, Customer, limit=PAGE, attributes=IN_LISTS).items


def has_email(customer: Customer, email: str | None) -> bool:
    return comparable_email(email) is not None and comparable_email(customer.email) == comparable_email(email)


def has_phone(customer: Customer, phone: str | None) -> bool:
    own, other = phone_digits(customer.phone), phone_digits(phone)
    return bool(last_digits(phone)) and (own.endswith(other) or other.endswith(own)) and bool(own)
