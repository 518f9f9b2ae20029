"""When someone works: the days that change and the provider's schedule move together, once, with who did it."""

from __future__ import annotations

import json
from typing import Any

from django.utils.translation import gettext_lazy as _

from bookings.displaced_bookings import check, stranded
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
from bookings.week import Kept, Week, told, told_exceptions, written
from dashboard.core.errors import Refused
from dashboard.platform.audit.services import record
from dashboard.table.commands import Command
from dashboard.table.keypattern import BadKey
from dashboard.table.transactions import Transaction, find_done, idempotent, unchanged

LISTS = ("time_ranges", "breaks", "exceptions")
# What a command's record can keep beside the rest.
MOST = 200_000


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
    """Set when someone works; `accepts` names the bookings whose loss of their time was read."""
    at = load_schedule_state(business, provider_id)
    if at.provider.schedule_revision != revision:
        raise HoursChanged(at.provider)
    return _write(at, written(kept_of(at.availabilities), week), business_zone, accepts, command)


@idempotent
def put_back(
    business: str,
    provider_id: str,
    *,
    of: str,
    revision: int,
    business_zone: str | None,
    accepts: str = "",
    command: Command,
) -> Provider:
    """Undo a change of one's own: every list as it was, also what other services had in it."""
    at = load_schedule_state(business, provider_id)
    was = _was(business, provider_id, Command(of, command.by))
    if at.provider.schedule_revision != revision:
        raise HoursChanged(at.provider)
    there = kept_of(at.availabilities)
    wanted = {day: Kept(day, *[lists.get(name) or [] for name in LISTS]) for day, lists in was.items()}
    changed = {day: each for day, each in wanted.items() if each != there.get(day)}
    return _write(at, changed, business_zone, accepts, command)


def _write(
    at: ScheduleState, changed: dict[str, Kept], business_zone: str | None, accepts: str, command: Command
) -> Provider:
    provider, there = at.provider, kept_of(at.availabilities)
    if not changed:
        return unchanged(provider, {}, command)
    after = hours_of(provider.zone(business_zone), (there | changed).values())
    if provider.is_active:
        check(stranded(at.upcoming, at.hours(business_zone), after), accepts)
    transaction = Transaction(command)
    _move(transaction, provider, command)
    items = {each.weekday: each for each in at.availabilities}
    for weekday, wanted in changed.items():
        _put(transaction, provider, items.get(weekday), wanted)
    days = sorted(changed, key=WEEKDAYS.index)
    record(
        transaction,
        "hours.save",
        target=target_of("provider", provider.id),
        kind="provider",
        title=provider.title,
        before=_told({day: there.get(day) for day in days}),
        after=_told({day: changed[day] for day in days}),
        business=str(provider.key_parts["tenant"]),
    )
    return transaction.commit(provider, _record(provider, {day: there.get(day) for day in days}))


def _move(transaction: Transaction, provider: Provider, command: Command) -> None:
    """Only the schedule: who renames a provider meanwhile is not in the way."""
    mark_schedule_changed(provider, command)
    named = provider.schedule_by_name
    actions = [
        Provider.stored_schedule_revision.set(provider.schedule_revision),
        Provider.schedule_by.set(provider.schedule_by),
        Provider.schedule_by_name.set(named) if named else Provider.schedule_by_name.remove(),
        Provider.schedule_at.set(provider.schedule_at),
    ]
    transaction.update(provider.key, actions, schedule_unchanged(provider), HoursChanged)


def _put(transaction: Transaction, provider: Provider, item: Availability | None, wanted: Kept) -> None:
    if item is None:
        fresh = Availability.at(**{**provider.key_parts, "weekday": wanted.weekday})
        fresh.time_ranges, fresh.breaks = wanted.time_ranges or [], wanted.breaks or []
        fresh.exceptions = wanted.exceptions or []
        transaction.create(fresh, HoursChanged)
        return
    for name in LISTS:
        if getattr(wanted, name) != getattr(item, name):
            setattr(item, name, getattr(wanted, name))
    transaction.save(item, revision=item.revision, otherwise=HoursChanged)


def kept_of(availabilities: list[Availability]) -> dict[str, Kept]:
    """What the table has, by day of the week; another service may call a day as no week does."""
    return {
        each.weekday: Kept(each.weekday, each.time_ranges, each.breaks, each.exceptions)
        for each in availabilities
        if each.weekday in WEEKDAYS
    }


def _told(days: dict[str, Kept | None]) -> dict[str, Any]:
    says = {day: told(each) for day, each in days.items()}
    dates = ", ".join(text for each in days.values() if (text := told_exceptions(each)))
    # No empty texts: one engine refuses them.
    return {name: text for name, text in (says | {"dates": dates}).items() if text}


def _record(provider: Provider, was: dict[str, Kept | None]) -> dict[str, Any]:
    """What Undo goes back to; nothing where another service's values cannot be written down."""
    lists = {day: {name: getattr(each, name) for name in LISTS} if each else {} for day, each in was.items()}
    try:
        fits = len(json.dumps(lists)) <= MOST
    except TypeError:
        fits = False
    return {"provider": provider.id, "was": lists} if fits else {}


def _was(business: str, provider_id: str, command: Command) -> dict[str, dict[str, Any]]:
    """The lists as that command found them, if it was about this provider."""
    try:
        done = find_done(command)
    except BadKey:
        done = None
    result = done.result if done is not None and isinstance(done.result, dict) else {}
    subject = done.subject_pk if done is not None else None
    if (
        subject != Provider.pattern.key(tenant=business, provider=provider_id).pk
        or result.get("provider") != provider_id
    ):
        raise Refused(_("There is nothing to go back to."))
    found: dict[str, dict[str, Any]] = result.get("was") or {}
    return {day: lists for day, lists in found.items() if day in WEEKDAYS}
