"""Services: create, edit, deactivate, activate and delete."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from bookings.fields import SERVICE_FIELDS
from bookings.items import Service
from bookings.queries import services as queries
from bookings.queries.raw import raw_item
from bookings.services.catalog_items import audit_values, commit_deletion, create_item, save_item, set_active
from dashboard.core.errors import Conflict, Refused
from dashboard.core.ids import new_id
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent

KIND = "service"
BOOKED = _("This service has bookings, so it can't be deleted. Deactivate it instead.")


@idempotent
def create(business: str, values: dict[str, Any], *, command: Command) -> Service:
    service = Service.new(tenant=business, service=new_id())
    service.business_id, service.service_id, service.active = business, service.id, True
    return create_item(service, values, command)


@idempotent
def edit(business: str, service_id: str, values: dict[str, Any], *, revision: int, command: Command) -> Service:
    """Existing bookings do not change: a booking has its own duration and price."""
    service = queries.load_service(business, service_id)
    before = audit_values(service)
    SERVICE_FIELDS.apply(service, values)
    return save_item(service, before, revision=revision, command=command)


@idempotent
def deactivate(business: str, service_id: str, *, revision: int, command: Command) -> Service:
    """Stop new bookings of a service. Existing bookings stay."""
    service = queries.load_service(business, service_id)
    if not service.is_active:
        raise Conflict(service, _("This service is already inactive."))
    return set_active(service, False, revision=revision, command=command)


@idempotent
def activate(business: str, service_id: str, *, revision: int, command: Command) -> Service:
    service = queries.load_service(business, service_id)
    if service.is_active:
        raise Conflict(service, _("This service is already active."))
    return set_active(service, True, revision=revision, command=command)


@idempotent
def remove(business: str, service_id: str, *, revision: int, command: Command) -> Service | None:
    """Delete a service that nobody has ever booked."""
    service = queries.load_service(business, service_id)
    if queries.is_booked(business, service_id):
        raise Refused(BOOKED)
    raw = raw_item(service.key)
    transaction = Transaction(command)
    transaction.delete(service, revision=revision)
    commit_deletion(transaction, service, [raw] if raw else [])
    return service
