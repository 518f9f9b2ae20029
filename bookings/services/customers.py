"""Customers: create, edit and delete."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from bookings.fields import CUSTOMER_FIELDS
from bookings.items import Customer
from bookings.queries import customers as queries
from bookings.queries.raw import raw_item
from bookings.services.catalog_items import audit_values, commit_deletion, create_item, save_item
from bookings.services.duplicates import ensure_new_contact, new_customer_item
from dashboard.core.errors import Refused
from dashboard.core.ids import new_id
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent

KIND = "customer"
BOOKED = _("This customer has bookings, so they can't be deleted. You can change their name and contact details.")


@idempotent
def create(business: str, values: dict[str, str], *, accepts: str | None = None, command: Command) -> Customer:
    """With `accepts`, a customer with the same phone or e-mail is refused, except those that it names."""
    customer = new_customer_item(business, new_id(), values)
    if accepts is not None:
        ensure_new_contact(business, customer, accepts=accepts)
    return create_item(customer, values, command)


@idempotent
def edit(
    business: str,
    customer_id: str,
    values: dict[str, str],
    *,
    revision: int,
    accepts: str | None = None,
    command: Command,
) -> Customer:
    customer = queries.load_customer(business, customer_id)
    before, contact_before = audit_values(customer), (customer.email, customer.phone)
    CUSTOMER_FIELDS.apply(customer, values)
    if accepts is not None and (customer.email, customer.phone) != contact_before:
        ensure_new_contact(business, customer, accepts=accepts)
    return save_item(customer, before, revision=revision, command=command)


@idempotent
def remove(business: str, customer_id: str, *, revision: int, command: Command) -> Customer | None:
    """Delete a customer who has never booked."""
    customer = queries.load_customer(business, customer_id)
    if queries.is_booked(business, customer_id):
        raise Refused(BOOKED)
    raw = raw_item(customer.key)
    transaction = Transaction(command)
    transaction.delete(customer, revision=revision)
    commit_deletion(transaction, customer, [raw] if raw else [])
    return customer
