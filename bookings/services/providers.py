"""Staff members: create, edit, deactivate, activate and delete."""

from __future__ import annotations

from typing import Any, cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from bookings.displaced_bookings import displaced_by, require_accepted
from bookings.fields import PROVIDER_FIELDS
from bookings.hours import hours_of
from bookings.items import Provider
from bookings.queries import providers as queries
from bookings.queries.raw import raw_hours, raw_item
from bookings.services.booking_writes import retry_while_busy
from bookings.services.catalog_items import audit_values, commit_deletion, create_item, save_item, set_active
from bookings.services.schedule import load_schedule_state, mark_schedule_changed, schedule_unchanged
from dashboard.core.errors import Conflict, DomainError, Refused, StaleRevision
from dashboard.core.ids import new_id
from dashboard.table import write
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.keypattern import Key
from dashboard.table.transactions import Transaction, idempotent

KIND = "provider"
BOOKED = _("This staff member has bookings, so they can't be deleted. Deactivate them instead.")


@idempotent
def create(business: str, values: dict[str, Any], *, command: Command) -> Provider:
    provider = Provider.new(tenant=business, provider=new_id())
    provider.business_id, provider.provider_id, provider.active = business, provider.id, True
    return create_item(provider, values, command)


@idempotent
def edit(
    business: str,
    provider_id: str,
    values: dict[str, Any],
    *,
    revision: int,
    business_zone: str | None,
    accepts: str = "",
    command: Command,
) -> Provider:
    """Edit a staff member. Another time zone moves all hours, so the person has to accept the displaced bookings."""

    def attempt() -> Provider:
        state = load_schedule_state(business, provider_id)
        provider, hours = state.provider, state.hours(business_zone)
        before, zone = audit_values(provider), provider.timezone
        PROVIDER_FIELDS.apply(provider, values)
        if (provider.timezone or None) != (zone or None):
            if provider.is_active:
                moved_hours = hours_of(provider.zone(business_zone), state.availabilities)
                require_accepted(displaced_by(state.upcoming, hours, moved_hours), accepts)
            mark_schedule_changed(provider, command)
        return save_item(provider, before, revision=revision, command=command, **_same_schedule(provider, revision))

    return retry_while_busy(attempt)


@idempotent
def deactivate(business: str, provider_id: str, *, revision: int, accepts: str = "", command: Command) -> Provider:
    """Stop new bookings with a staff member. Existing bookings stay, and the person has to accept that."""

    def attempt() -> Provider:
        state = load_schedule_state(business, provider_id)
        if not state.provider.is_active:
            raise Conflict(state.provider, _("This staff member is already inactive."))
        require_accepted(state.upcoming, accepts)
        return _set_active(state.provider, False, revision, command)

    return retry_while_busy(attempt)


@idempotent
def activate(business: str, provider_id: str, *, revision: int, command: Command) -> Provider:
    def attempt() -> Provider:
        state = load_schedule_state(business, provider_id)
        if state.provider.is_active:
            raise Conflict(state.provider, _("This staff member is already active."))
        return _set_active(state.provider, True, revision, command)

    return retry_while_busy(attempt)


def _set_active(provider: Provider, active: bool, revision: int, command: Command) -> Provider:
    condition = _same_schedule(provider, revision)
    # A booking that is being made at this moment has to check again.
    mark_schedule_changed(provider, command)
    return set_active(provider, active, revision=revision, command=command, **condition)


def _same_schedule(provider: Provider, revision: int) -> dict[str, Any]:
    """The condition that nobody changed the hours. Where only the hours changed, the attempt is repeated."""

    def refusal(item: Item | None) -> DomainError:
        return StaleRevision(item) if item is not None and item.revision == revision else Conflict(item)

    return {"condition": schedule_unchanged(provider), "on_failure": refusal}


@idempotent
def remove(business: str, provider_id: str, *, revision: int, command: Command) -> Provider | None:
    """Delete a staff member whom nobody has ever booked, with their hours: at most ten writes."""
    provider = queries.load_provider(business, provider_id)
    if queries.is_booked(business, provider_id):
        raise Refused(BOOKED)
    if provider.ever_booked:
        # All their bookings were moved to others. The next booking sets the mark again.
        write.update(provider.key, [Provider.ever_booked.remove()], Provider.pk.exists())
        if queries.is_booked(business, provider_id):
            raise Refused(BOOKED)
    raw, hours = raw_item(provider.key), raw_hours(business, provider_id)[:7]
    transaction = Transaction(command)
    never_booked = cast(Condition, schedule_unchanged(provider) & Provider.ever_booked.does_not_exist())
    transaction.delete(provider, revision=revision, condition=never_booked, on_failure=_booked_meanwhile)
    for each in hours:
        transaction.remove(Key(each["PK"]["S"], each["SK"]["S"]))
    commit_deletion(transaction, provider, [raw, *hours] if raw else [])
    return provider


def _booked_meanwhile(item: Item | None) -> DomainError:
    return Refused(BOOKED) if isinstance(item, Provider) and item.ever_booked else Conflict(item)
