"""Possible duplicates as the forms for bookings and customers show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from bookings.errors import PossibleDuplicates
from bookings.items import Customer
from bookings.presenters import BookingLine, DisplayNames
from bookings.queries.customers import has_email, has_phone
from bookings.queries.providers import providers_of
from bookings.views.redirects import booking_path
from bookings.views.shared import has_page, item_url
from dashboard.core.clock import now


def describe_duplicates(
    business: str, error: PossibleDuplicates, given: Mapping[str, str], business_zone: ZoneInfo
) -> dict[str, Any]:
    """The values of `bookings/_duplicates.html`. `given` are the contact details that were typed."""
    names = DisplayNames.of((), providers_of(business).items) if error.bookings else DisplayNames()
    lines = [BookingLine(each, names, business_zone, now()) for each in error.bookings]
    return {
        "customers": [_customer(business, each, given) for each in error.customers],
        "bookings": [(line, booking_path(business, line.id)) for line in lines],
        "token": error.token,
    }


def _customer(business: str, customer: Customer, given: Mapping[str, str]) -> dict[str, Any]:
    return {
        "id": customer.id,
        "title": customer.title,
        "same_email": customer.email if has_email(customer, given.get("email")) else "",
        "same_phone": customer.phone if has_phone(customer, given.get("phone")) else "",
        "url": item_url("customer", business, customer) if has_page(customer.id) else "",
    }
