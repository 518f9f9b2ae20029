"""Who can be booked: they come, change, are not booked for a while, and go while nobody has booked them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from bookings.displaced_bookings import check, stranded
from bookings.fields import PROVIDER_FIELDS
from bookings.hours import hours_of
from bookings.items import Provider
from bookings.queries import providers as queries
from bookings.queries.raw import raw_hours, raw_item
from bookings.services.audit import record_change
from bookings.services.booking_writes import retry_while_busy
from bookings.services.deletion import kept
from bookings.services.schedule import ScheduleState, load_schedule_state, mark_schedule_changed, schedule_unchanged
from dashboard.core.errors import Conflict, DomainError, Refused, StaleRevision
from dashboard.core.ids import new_id
from dashboard.table import write
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.keypattern import Key
from dashboard.table.transactions import Transaction, idempotent, unchanged

KIND = "provider"
BOOKED = _("They have been booked, and those bookings need them. Deactivate them instead: nobody can book them then.")


@idempotent
def create(business: str, values: dict[str, Any], *, command: Command) -> Provider:
    provider = Provider.at(tenant=business, provider=new_id())
    provider.business_id, provider.provider_id, provider.active = business, provider.id, True
    PROVIDER_FIELDS.apply(provider, values)
    transaction = Transaction(command)
    transaction.create(provider)
    record_change(transaction, "provider.create", provider, None, audit_values(provider))
    return transaction.commit(provider)


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
    """Another zone moves all hours: bookings that would fall out of them have to be read first."""
    return retry_while_busy(lambda: _edit(business, provider_id, values, revision, business_zone, accepts, command))


def _edit(
    business: str,
    provider_id: str,
    values: dict[str, Any],
    revision: int,
    business_zone: str | None,
    accepts: str,
    command: Command,
) -> Provider:
    at = load_schedule_state(business, provider_id)
    provider, hours = at.provider, at.hours(business_zone)
    before = audit_values(provider)
    PROVIDER_FIELDS.apply(provider, values)
    after = audit_values(provider)
    if after == before:
        return unchanged(provider, {"before": before, "after": before}, command)
    if before.get("timezone") != after.get("timezone"):
        moved = hours_of(provider.zone(business_zone), at.availabilities)
        if provider.is_active:
            check(stranded(at.upcoming, hours, moved), accepts)
        mark_schedule_changed(provider, command)
    transaction = Transaction(command)
    transaction.save(provider, revision=revision, also=schedule_unchanged(provider), otherwise=_otherwise(revision))
    record_change(transaction, "provider.edit", provider, before, after)
    return transaction.commit(provider, {"before": before, "after": after})


@idempotent
def deactivate(business: str, provider_id: str, *, revision: int, accepts: str = "", command: Command) -> Provider:
    """Nobody can book them from now on; bookings that there are stay, and are read first."""

    def turn() -> Provider:
        at = load_schedule_state(business, provider_id)
        if not at.provider.is_active:
            raise Conflict(at.provider, _("They are deactivated already."))
        check(at.upcoming, accepts)
        return _turn(at, False, "provider.deactivate", revision, command)

    return retry_while_busy(turn)


@idempotent
def activate(business: str, provider_id: str, *, revision: int, command: Command) -> Provider:
    def turn() -> Provider:
        at = load_schedule_state(business, provider_id)
        if at.provider.is_active:
            raise Conflict(at.provider, _("They are active already."))
        return _turn(at, True, "provider.activate", revision, command)

    return retry_while_busy(turn)


def _turn(at: ScheduleState, active: bool, action: str, revision: int, command: Command) -> Provider:
    provider = at.provider
    before = audit_values(provider)
    provider.active = active
    # Whoever is booking them at this moment has to look again.
    mark_schedule_changed(provider, command)
    transaction = Transaction(command)
    transaction.save(provider, revision=revision, also=schedule_unchanged(provider), otherwise=_otherwise(revision))
    record_change(transaction, action, provider, before, audit_values(provider))
    return transaction.commit(provider)


def _otherwise(revision: int) -> Callable[[Item | None], DomainError]:
    """Hours and the rest of a provider are changed apart: where only the hours have moved, we look again."""

    def refusal(item: Item | None) -> DomainError:
        return StaleRevision(item) if item is not None and item.revision == revision else Conflict(item)

    return refusal


@idempotent
def remove(business: str, provider_id: str, *, revision: int, command: Command) -> Provider | None:
    """Delete someone whom nobody has ever booked, with their hours: ten steps at the most."""
    provider = queries.provider(business, provider_id)
    if queries.is_booked(business, provider_id):
        raise Refused(BOOKED)
    if provider.ever_booked:
        # All their bookings were moved away. Who books them from here on marks them again.
        write.touch(provider.key, [Provider.ever_booked.remove()], Provider.pk.exists())
        if queries.is_booked(business, provider_id):
            raise Refused(BOOKED)
    raw, hours = raw_item(provider.key), raw_hours(business, provider_id)[:7]
    transaction = Transaction(command)
    unmarked = cast(Condition, schedule_unchanged(provider) & Provider.ever_booked.does_not_exist())
    transaction.delete(provider, revision=revision, also=unmarked, otherwise=_booked_meanwhile)
    for each in hours:
        transaction.remove(Key(each["PK"]["S"], each["SK"]["S"]))
    record_change(transaction, "provider.remove", provider, audit_values(provider), None)
    transaction.commit(None, kept([raw, *hours] if raw else []))
    return provider


def _booked_meanwhile(item: Item | None) -> DomainError:
    return Refused(BOOKED) if isinstance(item, Provider) and item.ever_booked else Conflict(item)


def audit_values(provider: Provider) -> dict[str, Any]:
    """The values in audit entries, which Undo restores."""
    return PROVIDER_FIELDS.audit_values(provider) | {"active": provider.is_active}
