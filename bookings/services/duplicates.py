"""Possible duplicates: another booking of the customer at the same time, a customer with the same phone or e-mail."""

from __future__ import annotations

from collections.abc import Mapping

from bookings.errors import PossibleDuplicates
from bookings.fields import CUSTOMER_FIELDS
from bookings.hours import Span
from bookings.items import Customer
from bookings.queries import customers as queries


def new_customer_item(business: str, customer_id: str, values: Mapping[str, str]) -> Customer:
    """A customer who is not stored yet."""
    customer = Customer.new(tenant=business, customer=customer_id)
    customer.business_id, customer.customer_id = business, customer_id
    CUSTOMER_FIELDS.apply(customer, dict(values))
    return customer


def ensure_no_duplicates(business: str, customer: Customer, span: Span, *, is_new: bool, accepts: str) -> None:
    """Raise PossibleDuplicates if there are others than those that the person accepts."""
    if is_new:
        ensure_new_contact(business, customer, accepts=accepts)
        return
    ensure_no_other_booking(business, customer.id, span, accepts=accepts)


def ensure_no_other_booking(business: str, customer_id: str, span: Span, *, accepts: str, without: str = "") -> None:
    """Raise PossibleDuplicates if the customer has another booking at this time. `without` is the id of their own."""
    bookings = [each for each in queries.bookings_during(business, customer_id, span) if each.id != without]
    _raise_unless_accepted(PossibleDuplicates([], bookings), accepts)


def ensure_new_contact(business: str, customer: Customer, *, accepts: str) -> None:
    customers = queries.customers_with_contact(business, customer.email, customer.phone)
    others = [each for each in customers if each.id != customer.id]
    _raise_unless_accepted(PossibleDuplicates(others, []), accepts)


def _raise_unless_accepted(found: PossibleDuplicates, accepts: str) -> None:
    if found and accepts != found.token:
        raise found
