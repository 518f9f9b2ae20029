"""Who and what can be booked: the rules for services and providers, checked again in the transaction."""

from __future__ import annotations

from typing import cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from bookings.errors import ServiceNotOffered
from bookings.items import Provider, Service
from bookings.services.schedule import schedule_unchanged
from bookings.slots import SlotLength
from dashboard.core.errors import Refused, StaleRevision
from dashboard.table.transactions import Transaction


def ensure_bookable(service: Service | None) -> tuple[Service, SlotLength]:
    if service is None:
        raise Refused(_("This service does not exist. Choose another."), field="service")
    if service.active is False:
        raise Refused(_("This service is no longer offered. Choose another."), field="service")
    slot_length = service.slot_length
    if slot_length is None:
        text = _("This service cannot be booked: its duration is missing, or with its buffers longer than a day.")
        raise Refused(text, field="service")
    return service, slot_length


def ensure_offers(provider: Provider | None, service_id: str) -> Provider:
    if provider is None:
        raise Refused(_("This staff member does not exist. Choose another."), field="provider")
    if provider.active is False:
        raise Refused(_("This staff member can no longer be booked. Choose another."), field="provider")
    if service_id not in (provider.services or []):
        raise ServiceNotOffered
    return provider


def mark_booked(transaction: Transaction, provider: Provider) -> None:
    """Check that the provider is unchanged, and mark them as booked, so that a deletion at this moment is refused."""
    if provider.ever_booked:
        is_bookable_and_marked = cast(Condition, _is_bookable(provider) & (Provider.ever_booked == True))  # noqa: E712
        transaction.check(provider.key, is_bookable_and_marked, StaleRevision)
    else:
        transaction.update(provider.key, [Provider.ever_booked.set(True)], _is_bookable(provider), StaleRevision)


def _is_bookable(provider: Provider) -> Condition:
    """Return the condition that the hours are unchanged and the provider is active."""
    active = Provider.active.does_not_exist() | (Provider.active != False)  # noqa: E712
    return cast(Condition, schedule_unchanged(provider) & active)
