"""Customers."""

from __future__ import annotations

from collections.abc import Iterator

from dashboard.table import keys
from dashboard.table.attributes import LenientUnicodeAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey

# Numbers with the same last digits may be the same number, with or without its country code.
COMPARED_DIGITS = 8


class Customer(Item):
    """A customer, who books."""

    key_pattern = keys.CUSTOMER
    needs_key_parts = True

    business_id = LenientUnicodeAttribute(null=True, attr_name="tenantId")
    customer_id = LenientUnicodeAttribute(null=True, attr_name="customerId")
    name = LenientUnicodeAttribute(null=True)
    email = LenientUnicodeAttribute(null=True)
    phone = LenientUnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        parts = {"tenant": self.key_parts["tenant"], "customer": self.id}
        yield from keys.CUSTOMERS_BY_EMAIL.optional_key(**parts, email=comparable_email(self.email))
        yield from keys.CUSTOMERS_BY_PHONE.optional_key(**parts, digits=last_digits(self.phone))

    @property
    def id(self) -> str:
        return str(self.key_parts["customer"])

    @property
    def title(self) -> str:
        return self.name or self.email or self.phone or self.id


def comparable_email(email: str | None) -> str | None:
    return (email or "").strip().lower() or None


def phone_digits(phone: str | None) -> str:
    return "".join(char for char in phone or "" if char in "0123456789")


def last_digits(phone: str | None) -> str | None:
    """The digits by which a number is found; None for a number that is too short."""
    digits = phone_digits(phone)
    return digits[-COMPARED_DIGITS:] if len(digits) >= COMPARED_DIGITS else None
