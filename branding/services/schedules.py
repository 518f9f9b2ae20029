"""Schedule a publication, cancel it, and publish it at its time."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.update import Action

from branding import contrast, queries
from branding.items import ScheduledPublication, Theme
from branding.services import asset_usage, publishing
from branding.services.drafts import record_change, unchanged_by_others
from dashboard.core.errors import Conflict, DomainError, NotFound, Refused
from dashboard.platform.audit.services import record
from dashboard.platform.businesses.queries import find_business
from dashboard.table.commands import SYSTEM, Actor, Command
from dashboard.table.items import Item
from dashboard.table.retries import Backoff
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction, at_revision, idempotent

# Per business: they are read with every list of its versions.
MAX_SCHEDULES = 50
# Why a version was not published at its time.
MISSED_REASONS = {
    "gone": _("The version no longer exists."),
    "discarded": _("The draft was discarded."),
    "unpadded": publishing.NOT_FOUND_BY_APPS,
    "closed": _("The business was suspended or cancelled."),
}


@idempotent
def schedule(
    business: str,
    version: int,
    *,
    due_at: datetime,
    zone: str,
    note: str = "",
    accept_low_contrast: bool = False,
    revision: int,
    command: Command,
) -> ScheduledPublication:
    """Schedule a version to publish. A scheduled draft is not deleted automatically."""
    theme, schedules = queries.load_theme(business, version), queries.schedules(business)
    publishing.check_can_be_live(theme)
    if theme.is_editable and theme.revision != revision:
        raise Conflict(theme)
    _check_time(schedules, due_at)
    failing = contrast.failing_pairs(theme.style)
    if failing and not accept_low_contrast:
        raise publishing.LowContrast(failing)

    made = ScheduledPublication.new(tenant=business, due_at=due_at, version=version)
    made.version, made.due_at, made.timezone, made.note = version, due_at, zone, note or None
    made.created_by, made.created_by_name = command.by.email, command.by.name or None
    made.below_aa = [each.pair.id for each in failing] or None
    transaction = Transaction(command)
    transaction.create(made, on_failure=lambda _item: _time_taken(version))
    _protect_draft(transaction, theme)
    record_change(transaction, "theme.schedule", theme, after=_audit_values(made))
    return transaction.commit(made)


def _check_time(schedules: list[ScheduledPublication], due_at: datetime) -> None:
    if len(schedules) >= MAX_SCHEDULES:
        text = _("You can have up to %(most)s scheduled versions. Cancel one first.")
        raise Refused(text % {"most": MAX_SCHEDULES})
    same = next((each for each in schedules if each.due_at == due_at and not each.missed), None)
    if same is not None:
        raise _time_taken(same.number)


def _time_taken(version: int) -> Refused:
    return Refused(_("%(version)s is already scheduled for that time.") % {"version": f"v{version}"}, field="time")


def _protect_draft(transaction: Transaction, theme: Theme) -> None:
    """Stop the automatic deletion. The new revision makes a discard at the same time fail, or this one."""
    if not theme.is_editable:
        transaction.check(theme.key, Theme.pk.exists(), lambda _item: NotFound())
        return
    revision = theme.revision
    theme.time_to_archive = theme.ttl = None
    actions: list[Action] = [
        Theme.stored_revision.set(revision + 1),
        Theme.time_to_archive.remove(),
        Theme.ttl.remove(),
    ]
    # Not stamped as an edit: the theme has not changed.
    transaction.update(theme.key, actions, at_revision(revision) & unchanged_by_others(theme), Conflict)
    asset_usage.record_usage(transaction, theme, before=theme.asset_ids)


@idempotent
def cancel(business: str, due_at: str, version: int, *, command: Command) -> queries.PublicationState | None:
    """Cancel a scheduled publication, or dismiss one that was missed."""
    state = queries.load_schedule(business, due_at, version)
    transaction = Transaction(command)
    transaction.delete(state.schedule, revision=state.schedule.revision, on_failure=_schedule_changed)
    action = "theme.clear" if state.schedule.missed else "theme.unschedule"
    _record(transaction, action, state.schedule, state.theme, before=_audit_values(state.schedule))
    transaction.commit(None)
    return state


def _schedule_changed(item: Item | None) -> DomainError:
    return NotFound(queries.NOT_SCHEDULED) if item is None else Conflict(item)


def publish_due(schedule: ScheduledPublication) -> str:
    """Publish and replace the live version; return the result as text.

    The command is derived from the schedule, so that it is published once, however many processes try.
    """
    command = _command(schedule)
    business = find_business(schedule.business)
    if business is None or business.is_closed:
        return _miss(schedule, "closed", command)
    backoff = Backoff(tries=12)
    while True:
        try:
            return _publish(schedule, command)
        except publishing.LiveVersionChanged:
            if not backoff.wait():
                raise
        except Conflict:
            try:
                queries.load_schedule(schedule.business, schedule.due_key, schedule.number)
            except NotFound:
                return "it was cancelled or published meanwhile"
            raise


def _publish(schedule: ScheduledPublication, command: Command) -> str:
    business, version = schedule.business, schedule.number
    try:
        state = queries.load_theme_state(business, version)
    except NotFound:
        return _miss(schedule, "gone", command)
    if state.live_version == version:
        return _lapse(schedule, state.theme, command)
    if state.theme.is_discarded:
        return _miss(schedule, "discarded", command, state.theme)
    if state.theme.must_be_copied_to_publish:
        return _miss(schedule, "unpadded", command, state.theme)
    publishing.publish(
        business,
        version,
        expected_live_version=state.live_version,
        note=schedule.note or "",
        accept_low_contrast=True,
        schedule=schedule,
        command=command,
    )
    return f"published v{version}"


def _command(schedule: ScheduledPublication) -> Command:
    """The same command for each try, by the person who scheduled it."""
    identity = repr((schedule.pk, schedule.sk, schedule.created_at))
    # The id begins with the time, so that publications of the same second are in the order of their schedules.
    due = "".join(re.findall("[0-9]", schedule.due_key))[:14]
    by = Actor(schedule.created_by, schedule.created_by_name or "") if schedule.created_by else SYSTEM
    return Command(f"schedule-{due}-{hashlib.sha256(identity.encode()).hexdigest()[:32]}", by)


def _system_command(command: Command, name: str) -> Command:
    return Command(command.part(name).id, SYSTEM)


@idempotent
def _record_miss(
    schedule: ScheduledPublication, reason: str, *, theme: Theme | None, command: Command
) -> ScheduledPublication:
    """It stays in the list with the reason, but is not due any more."""
    schedule.missed = reason
    transaction = Transaction(command)
    transaction.save(schedule, revision=schedule.revision)
    after = _audit_values(schedule) | {"missed": reason}
    _record(transaction, "theme.miss", schedule, theme, after=after)
    return transaction.commit(schedule)


def _miss(schedule: ScheduledPublication, reason: str, command: Command, theme: Theme | None = None) -> str:
    _record_miss(schedule, reason, theme=theme, command=_system_command(command, f"missed {reason}"))
    return f"could not publish v{schedule.number}: {reason}"


@idempotent
def _record_lapse(schedule: ScheduledPublication, theme: Theme, *, command: Command) -> None:
    transaction = Transaction(command)
    transaction.delete(schedule, revision=schedule.revision)
    _record(transaction, "theme.lapse", schedule, theme, before=_audit_values(schedule))
    transaction.commit(None)


def _lapse(schedule: ScheduledPublication, theme: Theme, command: Command) -> str:
    """Someone has published the version before its time, and it is still live."""
    _record_lapse(schedule, theme, command=_system_command(command, "lapsed"))
    return f"v{schedule.number} was already live"


def _audit_values(schedule: ScheduledPublication) -> dict[str, Any]:
    """The values of an audit entry."""
    values = {
        "due": to_wire(schedule.due_at) if schedule.due_at else schedule.due_key,
        "timezone": schedule.timezone,
        "note": schedule.note,
        "below_aa": ", ".join(map(str, schedule.below_aa or [])),
    }
    return {name: value for name, value in values.items() if value}


def _record(
    transaction: Transaction, action: str, schedule: ScheduledPublication, theme: Theme | None, **states: Any
) -> None:
    """The version may not exist any more."""
    title = theme.title if theme else f"v{schedule.number}"
    target = queries.audit_target(schedule.number)
    record(transaction, action, target=target, kind="theme", title=title, business=schedule.business, **states)
