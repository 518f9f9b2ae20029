"""The hours of a staff member: the weekdays and the schedule revision are written in one transaction."""

from __future__ import annotations

import json
from typing import Any

from django.utils.translation import gettext_lazy as _

from bookings.displaced_bookings import displaced_by, require_accepted
from bookings.hours import WEEKDAYS, hours_of
from bookings.items import Availability, Provider
from bookings.queries.history import target_of
from bookings.services.schedule import (
    HoursChanged,
    ScheduleState,
    load_schedule_state,
    mark_schedule_changed,
    schedule_unchanged,
)
from bookings.week import StoredDay, Week, changed_days, stored_dates_text, stored_hours_text
from dashboard.core.errors import Refused
from dashboard.platform.audit.services import record
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, find_result, idempotent, report_unchanged

LISTS = ("time_ranges", "breaks", "exceptions")
# The part of a command's record that the previous hours may take.
MAX_BYTES = 200_000


@idempotent
def save(
    business: str,
    provider_id: str,
    week: Week,
    *,
    revision: int,
    business_zone: str | None,
    accepts: str = "",
    command: Command,
) -> Provider:
    """Save the week. `accepts` is the digest of the displaced bookings that the person accepted."""
    state = load_schedule_state(business, provider_id)
    if state.provider.schedule_revision != revision:
        raise HoursChanged(state.provider)
    return _write(state, changed_days(stored_days(state.availabilities), week), business_zone, accepts, command)


@idempotent
def restore(
    business: str,
    provider_id: str,
    *,
    of: str,
    revision: int,
    business_zone: str | None,
    accepts: str = "",
    command: Command,
) -> Provider:
    """Undo a save of the same person. The previous lists return, with the entries of outside writers."""
    state = load_schedule_state(business, provider_id)
    previous = _previous_lists(business, provider_id, Command(of, command.by))
    if state.provider.schedule_revision != revision:
        raise HoursChanged(state.provider)
    current = stored_days(state.availabilities)
    requested = {day: StoredDay(day, *[lists.get(name) or [] for name in LISTS]) for day, lists in previous.items()}
    changed = {day: each for day, each in requested.items() if each != current.get(day)}
    return _write(state, changed, business_zone, accepts, command)


def _write(
    state: ScheduleState, changed: dict[str, StoredDay], business_zone: str | None, accepts: str, command: Command
) -> Provider:
    provider, current = state.provider, stored_days(state.availabilities)
    if not changed:
        return report_unchanged(provider, {}, command)
    after = hours_of(provider.zone(business_zone), (current | changed).values())
    if provider.is_active:
        require_accepted(displaced_by(state.upcoming, state.hours(business_zone), after), accepts)
    transaction = Transaction(command)
    _save_schedule(transaction, provider, command)
    items = {each.weekday: each for each in state.availabilities}
    for weekday, stored in changed.items():
        _save_day(transaction, provider, items.get(weekday), stored)
    days = sorted(changed, key=WEEKDAYS.index)
    record(
        transaction,
        "hours.save",
        target=target_of("provider", provider.id),
        kind="provider",
        title=provider.title,
        before=_audit_values({day: current.get(day) for day in days}),
        after=_audit_values({day: changed[day] for day in days}),
        business=str(provider.key_parts["tenant"]),
    )
    return transaction.commit(provider, _undo_record(provider, {day: current.get(day) for day in days}))


def _save_schedule(transaction: Transaction, provider: Provider, command: Command) -> None:
    """Update only the schedule, so that an edit of the staff member at the same time is no conflict."""
    mark_schedule_changed(provider, command)
    name = provider.schedule_by_name
    actions = [
        Provider.stored_schedule_revision.set(provider.schedule_revision),
        Provider.schedule_by.set(provider.schedule_by),
        Provider.schedule_by_name.set(name) if name else Provider.schedule_by_name.remove(),
        Provider.schedule_at.set(provider.schedule_at),
    ]
    transaction.update(provider.key, actions, schedule_unchanged(provider), HoursChanged)


def _save_day(transaction: Transaction, provider: Provider, item: Availability | None, stored: StoredDay) -> None:
    if item is None:
        created = Availability.new(**{**provider.key_parts, "weekday": stored.weekday})
        created.time_ranges, created.breaks = stored.time_ranges or [], stored.breaks or []
        created.exceptions = stored.exceptions or []
        transaction.create(created, HoursChanged)
        return
    for name in LISTS:
        if getattr(stored, name) != getattr(item, name):
            setattr(item, name, getattr(stored, name))
    transaction.save(item, revision=item.revision, on_failure=HoursChanged)


def stored_days(availabilities: list[Availability]) -> dict[str, StoredDay]:
    """The stored hours by weekday, without those of outside writers under an unknown weekday."""
    return {
        each.weekday: StoredDay(each.weekday, each.time_ranges, each.breaks, each.exceptions)
        for each in availabilities
        if each.weekday in WEEKDAYS
    }


def _audit_values(days: dict[str, StoredDay | None]) -> dict[str, Any]:
    texts = {day: stored_hours_text(each) for day, each in days.items()}
    dates = ", ".join(text for each in days.values() if (text := stored_dates_text(each)))
    # One engine refuses empty texts.
    return {name: text for name, text in (texts | {"dates": dates}).items() if text}


def _undo_record(provider: Provider, previous: dict[str, StoredDay | None]) -> dict[str, Any]:
    """What Undo restores; empty where it is too large, or an outside writer's values cannot be serialized."""
    lists = {day: {name: getattr(each, name) for name in LISTS} if each else {} for day, each in previous.items()}
    try:
        fits = len(json.dumps(lists)) <= MAX_BYTES
    except TypeError:
        fits = False
    return {"provider": provider.id, "was": lists} if fits else {}


def _previous_lists(business: str, provider_id: str, command: Command) -> dict[str, dict[str, Any]]:
    """The lists before a command, if the command saved the hours of this staff member."""
    subject = Provider.key_pattern.key(tenant=business, provider=provider_id)
    result = find_result(command, subject_pk=subject.pk)
    if result.get("provider") != provider_id:
        raise Refused(_("There is nothing to undo."))
    previous: dict[str, dict[str, Any]] = result.get("was") or {}
    return {day: lists for day, lists in previous.items() if day in WEEKDAYS}
