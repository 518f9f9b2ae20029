"""Customers: create, edit and delete."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from bookings.fields import CUSTOMER_FIELDS
from bookings.items import Customer
from bookings.queries import customers as queries
from bookings.queries.raw import raw_item
from bookings.services.catalog_items import audit_values, commit_deletion, create_item, save_item
from dashboard.core.errors import Refused
from dashboard.core.ids import new_id
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent

KIND = "customer"
BOOKED = _("This customer has bookings, so they can't be deleted. You can change their name and contact details.")


@idempotent
def create(business: str, values: dict[str, str], *, command: Command) -> Customer:
    customer = Customer.new(tenant=business, customer=new_id())
    customer.business_id, customer.customer_id = business, customer.id
    return create_item(customer, values, command)


@idempotent
def edit(business: str, customer_id: str, values: dict[str, str], *, revision: int, command: Command) -> Customer:
    customer = queries.load_customer(business, customer_id)
    before = audit_values(customer)
    CUSTOMER_FIELDS.apply(customer, values)
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
