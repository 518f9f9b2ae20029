"""Who books: they come, change their number, and go while they have booked nothing."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from bookings.fields import CUSTOMER_FIELDS
from bookings.items import Customer
from bookings.queries import customers as queries
from bookings.queries.raw import raw_item
from bookings.services.audit import record_change
from bookings.services.deletion import kept
from dashboard.core.errors import Refused
from dashboard.core.ids import new_id
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent, unchanged

KIND = "customer"
BOOKED = _("They have bookings, and those need to know who comes. Change the name or the contact instead.")


@idempotent
def create(business: str, values: dict[str, str], *, command: Command) -> Customer:
    customer = Customer.at(tenant=business, customer=new_id())
    customer.business_id, customer.customer_id = business, customer.id
    CUSTOMER_FIELDS.apply(customer, values)
    transaction = Transaction(command)
    transaction.create(customer)
    record_change(transaction, "customer.create", customer, None, audit_values(customer))
    return transaction.commit(customer)


@idempotent
def edit(business: str, customer_id: str, values: dict[str, str], *, revision: int, command: Command) -> Customer:
    customer = queries.customer(business, customer_id)
    before = audit_values(customer)
    CUSTOMER_FIELDS.apply(customer, values)
    after = audit_values(customer)
    if after == before:
        return unchanged(customer, {"before": before, "after": before}, command)
    transaction = Transaction(command)
    transaction.save(customer, revision=revision)
    record_change(transaction, "customer.edit", customer, before, after)
    return transaction.commit(customer, {"before": before, "after": after})


@idempotent
def remove(business: str, customer_id: str, *, revision: int, command: Command) -> Customer | None:
    """Delete someone who has never booked."""
    customer = queries.customer(business, customer_id)
    if queries.is_booked(business, customer_id):
        raise Refused(BOOKED)
    raw = raw_item(customer.key)
    transaction = Transaction(command)
    transaction.delete(customer, revision=revision)
    record_change(transaction, "customer.remove", customer, audit_values(customer), None)
    transaction.commit(None, kept([raw] if raw else []))
    return customer


def audit_values(customer: Customer) -> dict[str, Any]:
    """The values in audit entries, which Undo restores."""
    return CUSTOMER_FIELDS.audit_values(customer)
