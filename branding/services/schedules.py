"""Going live later: set for a moment, cancelled, and carried out when it has come."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.update import Action

from branding import contrast, queries
from branding.items import ScheduledPublication, Theme
from branding.services import publishing, uses
from branding.services.drafts import record_change as note_theme
from dashboard.core.errors import Conflict, DomainError, NotFound, Refused
from dashboard.platform.audit.services import record
from dashboard.platform.businesses.queries import find_business
from dashboard.table.commands import SYSTEM, Actor, Command
from dashboard.table.items import Item
from dashboard.table.retries import Backoff
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction, at_revision, idempotent

# So many a business: they are read with every list of its versions.
MOST = 50
# Why a version did not go live when it was to.
MISSED = {
    "gone": _("The version was not there any more."),
    "discarded": _("The draft was discarded."),
    "closed": _("The business was suspended or cancelled."),
}


@idempotent
def schedule(
    business: str,
    version: int,
    *,
    due_at: datetime,
    zone: str,
    text: str = "",
    accepted: bool = False,
    revision: int,
    command: Command,
) -> ScheduledPublication:
    """Set a version to go live at a moment to come. A draft that is waited for does not archive itself."""
    theme, planned = queries.theme(business, version), queries.schedules(business)
    if theme.is_discarded:
        raise Refused(_("This draft is discarded. Bring it back first."))
    if theme.is_open and theme.revision != revision:
        raise Conflict(theme)
    _check_room(planned, due_at)
    low = contrast.failing(theme.look)
    if low and not accepted:
        raise publishing.BelowAA(low)

    made = ScheduledPublication.at(tenant=business, due_at=due_at, version=version)
    made.version, made.due_at, made.timezone, made.note = version, due_at, zone, text or None
    made.created_by, made.created_by_name = command.by.email, command.by.name or None
    made.below_aa = [reading.pair.id for reading in low] or None
    transaction = Transaction(command)
    transaction.create(made, otherwise=lambda _item: _taken(version))
    _keep(transaction, theme)
    note_theme(transaction, "theme.schedule", theme, after=_told(made))
    return transaction.commit(made)


def _check_room(planned: list[ScheduledPublication], due_at: datetime) -> None:
    if len(planned) >= MOST:
        text = _("%(most)s publications are set already. Cancel one that is not needed any more.")
        raise Refused(text % {"most": MOST})
    same = next((each for each in planned if each.due_at == due_at and not each.missed), None)
    if same is not None:
        raise _taken(same.number)


def _taken(version: int) -> Refused:
    return Refused(_("%(version)s is set for that moment already.") % {"version": f"v{version}"}, field="time")


def _keep(transaction: Transaction, theme: Theme) -> None:
    """Someone who discards the draft at this moment collides with us: each of the two moves its revision."""
    if not theme.is_open:
        transaction.check(theme.key, Theme.pk.exists(), lambda _item: NotFound())
        return
    revision = theme.revision
    theme.time_to_archive = theme.ttl = None
    actions: list[Action] = [
        Theme.stored_revision.set(revision + 1),
        Theme.time_to_archive.remove(),
        Theme.ttl.remove(),
    ]
    # Not stamped as an edit: the look is as it was.
    transaction.update(theme.key, actions, at_revision(revision), Conflict)
    uses.follow(transaction, theme, before=theme.files)


@idempotent
def cancel(business: str, due_at: str, version: int, *, command: Command) -> queries.Planned | None:
    """Take a publication off the list: one that is to come, or one that was missed."""
    planned = queries.planned(business, due_at, version)
    transaction = Transaction(command)
    transaction.delete(planned.schedule, revision=planned.schedule.revision, otherwise=_moved)
    action = "theme.clear" if planned.schedule.missed else "theme.unschedule"
    _note(transaction, action, planned.schedule, planned.theme, before=_told(planned.schedule))
    transaction.commit(None)
    return planned


def _moved(item: Item | None) -> DomainError:
    return NotFound(queries.NOT_PLANNED) if item is None else Conflict(item)


def carry_out(schedule: ScheduledPublication) -> str:
    """Put it in force, over whatever is at this moment; says what came of it.

    The command is the schedule's own: however many try, and however often, it is published once.
    """
    command = _command(schedule)
    business = find_business(schedule.business)
    if business is None or business.is_closed:
        return _miss(schedule, "closed", command)
    backoff = Backoff(tries=12)
    while True:
        try:
            return _go_live(schedule, command)
        except publishing.Overtaken:
            if not backoff.wait():
                raise
        except Conflict:
            try:
                queries.planned(schedule.business, schedule.due_key, schedule.number)
            except NotFound:
                return "it was cancelled or carried out meanwhile"
            raise


def _go_live(schedule: ScheduledPublication, command: Command) -> str:
    business, version = schedule.business, schedule.number
    try:
        at = queries.standing(business, version)
    except NotFound:
        return _miss(schedule, "gone", command)
    if at.in_force == version:
        return _lapse(schedule, at.theme, command)
    if at.theme.is_discarded:
        return _miss(schedule, "discarded", command, at.theme)
    text = schedule.note or ""
    publishing.publish(
        business, version, expected=at.in_force, text=text, accepted=True, schedule=schedule, command=command
    )
    return f"published v{version}"


def _command(schedule: ScheduledPublication) -> Command:
    """Made of what was set, so that each try is the same command, in the name of whoever set it."""
    said = repr((schedule.pk, schedule.sk, schedule.created_at))
    # Two of the same second stand in the timeline as they were due.
    due = "".join(re.findall("[0-9]", schedule.due_key))[:14]
    by = Actor(schedule.created_by, schedule.created_by_name or "") if schedule.created_by else SYSTEM
    return Command(f"schedule-{due}-{hashlib.sha256(said.encode()).hexdigest()[:32]}", by)


def _by_ourselves(command: Command, name: str) -> Command:
    return Command(command.part(name).id, SYSTEM)


@idempotent
def _missed(
    schedule: ScheduledPublication, reason: str, *, theme: Theme | None, command: Command
) -> ScheduledPublication:
    """It stays, out of the list of what is due, until someone has read why."""
    schedule.missed = reason
    transaction = Transaction(command)
    transaction.save(schedule, revision=schedule.revision)
    after = _told(schedule) | {"missed": reason}
    _note(transaction, "theme.miss", schedule, theme, after=after)
    return transaction.commit(schedule)


def _miss(schedule: ScheduledPublication, reason: str, command: Command, theme: Theme | None = None) -> str:
    _missed(schedule, reason, theme=theme, command=_by_ourselves(command, f"missed {reason}"))
    return f"could not publish v{schedule.number}: {reason}"


@idempotent
def _lapsed(schedule: ScheduledPublication, theme: Theme, *, command: Command) -> None:
    transaction = Transaction(command)
    transaction.delete(schedule, revision=schedule.revision)
    _note(transaction, "theme.lapse", schedule, theme, before=_told(schedule))
    transaction.commit(None)


def _lapse(schedule: ScheduledPublication, theme: Theme, command: Command) -> str:
    """Someone has published it by hand, and nothing else since."""
    _lapsed(schedule, theme, command=_by_ourselves(command, "lapsed"))
    return f"v{schedule.number} was in force already"


def _told(schedule: ScheduledPublication) -> dict[str, Any]:
    """What the trail says of it."""
    says = {
        "due": to_wire(schedule.due_at) if schedule.due_at else schedule.due_key,
        "timezone": schedule.timezone,
        "note": schedule.note,
        "below_aa": ", ".join(map(str, schedule.below_aa or [])),
    }
    return {name: value for name, value in says.items() if value}


def _note(
    transaction: Transaction, action: str, schedule: ScheduledPublication, theme: Theme | None, **states: Any
) -> None:
    """Of a version that may be gone."""
    title = theme.title if theme else f"v{schedule.number}"
    target = queries.target_of(schedule.number)
    record(transaction, action, target=target, kind="theme", title=title, business=schedule.business, **states)
