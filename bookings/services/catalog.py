"""What a business offers: it comes, changes, is not offered for a while, and goes while nobody has booked it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from bookings.fields import SERVICE_FIELDS
from bookings.items import Service
from bookings.queries import services as queries
from bookings.queries.raw import raw_item
from bookings.services.audit import record_change
from bookings.services.deletion import kept
from dashboard.core.errors import Conflict, Refused
from dashboard.core.ids import new_id
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent, unchanged

KIND = "service"
BOOKED = _("It has been booked, and those bookings need it. Deactivate it instead: then nobody can book it any more.")


@idempotent
def create(business: str, values: dict[str, Any], *, command: Command) -> Service:
    """Something else that one can book."""
    service = Service.at(tenant=business, service=new_id())
    service.business_id, service.service_id, service.active = business, service.id, True
    SERVICE_FIELDS.apply(service, values)
    transaction = Transaction(command)
    transaction.create(service)
    record_change(transaction, "service.create", service, None, audit_values(service))
    return transaction.commit(service)


@idempotent
def edit(business: str, service_id: str, values: dict[str, Any], *, revision: int, command: Command) -> Service:
    """What is booked already stays as it was booked: a booking has its own length and price."""
    service = queries.service(business, service_id)
    before = audit_values(service)
    SERVICE_FIELDS.apply(service, values)
    after = audit_values(service)
    if after == before:
        return unchanged(service, {"before": before, "after": before}, command)
    transaction = Transaction(command)
    transaction.save(service, revision=revision)
    record_change(transaction, "service.edit", service, before, after)
    return transaction.commit(service, {"before": before, "after": after})


@idempotent
def deactivate(business: str, service_id: str, *, revision: int, command: Command) -> Service:
    """Nobody can book it from now on; bookings that have it keep it."""
    service = queries.service(business, service_id)
    if not service.is_active:
        raise Conflict(service, _("It is deactivated already."))
    return _turn(service, False, "service.deactivate", revision, command)


@idempotent
def activate(business: str, service_id: str, *, revision: int, command: Command) -> Service:
    service = queries.service(business, service_id)
    if service.is_active:
        raise Conflict(service, _("It is active already."))
    return _turn(service, True, "service.activate", revision, command)


def _turn(service: Service, active: bool, action: str, revision: int, command: Command) -> Service:
    before = audit_values(service)
    service.active = active
    transaction = Transaction(command)
    transaction.save(service, revision=revision)
    record_change(transaction, action, service, before, audit_values(service))
    return transaction.commit(service)


@idempotent
def remove(business: str, service_id: str, *, revision: int, command: Command) -> Service | None:
    """Delete what nobody has ever booked."""
    service = queries.service(business, service_id)
    if queries.is_booked(business, service_id):
        raise Refused(BOOKED)
    raw = raw_item(service.key)
    transaction = Transaction(command)
    transaction.delete(service, revision=revision)
    record_change(transaction, "service.remove", service, audit_values(service), None)
    transaction.commit(None, kept([raw] if raw else []))
    return service


def audit_values(service: Service) -> dict[str, Any]:
    """The values in audit entries, which Undo restores."""
    return SERVICE_FIELDS.audit_values(service) | {"active": service.is_active}
