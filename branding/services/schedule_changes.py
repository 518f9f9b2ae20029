"""Schedules that change in the transaction of a publication: it cancels them, and its Undo restores them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_lazy as _

from branding import queries
from branding.items import ScheduledPublication
from dashboard.core.clock import now
from dashboard.core.errors import Refused, StaleRevision
from dashboard.table import keys
from dashboard.table.commands import Command
from dashboard.table.keypattern import BadKey
from dashboard.table.timestamps import from_wire, to_wire
from dashboard.table.transactions import Transaction, find_done

# The names of the entries in the result of a publication.
CANCELLED, RESTORED = "cancelled", "restored"


@dataclass(frozen=True)
class ScheduleChanges:
    """The schedules that a publication cancels, and those that it restores."""

    cancelled: list[ScheduledPublication] = field(default_factory=list)
    restored: list[ScheduledPublication] = field(default_factory=list)

    def apply(self, transaction: Transaction) -> None:
        """A schedule that someone changes at the same time makes the service try again."""
        if len(self.cancelled) + len(self.restored) > transaction.free_steps:
            raise Refused(_("Too many schedules would change at once. Cancel some of them first."))
        for each in self.cancelled:
            transaction.delete(each, revision=each.revision, on_failure=StaleRevision)
        for each in self.restored:
            transaction.create(each, on_failure=StaleRevision)

    @property
    def result(self) -> dict[str, Any]:
        """For the result of the command, which Undo reads."""
        named = {CANCELLED: self.cancelled, RESTORED: self.restored}
        values = {name: [_to_dict(each) for each in schedules] for name, schedules in named.items()}
        return {name: value for name, value in values.items() if value}

    @property
    def audit_values(self) -> dict[str, str]:
        named = {"schedules_cancelled": self.cancelled, "schedules_restored": self.restored}
        return {
            name: ", ".join(f"v{each.number} ({each.due_key})" for each in schedules)
            for name, schedules in named.items()
            if schedules
        }


def plan(
    business: str, version: int | None, cancel: Collection[str], restore: str, command: Command
) -> ScheduleChanges:
    """Cancel the schedules of `version` and those with the ids in `cancel`; restore what `restore` cancelled.

    `restore` is the id of the command that is undone. A schedule whose time is over is not restored.
    """
    schedules = queries.schedules(business)
    pending = [each for each in schedules if not each.missed]
    cancelled = [each for each in pending if each.number == version or each.url_id in cancel]
    taken = {each.key for each in schedules}
    restored = [each for each in _cancelled_by(business, restore, command) if each.key not in taken]
    return ScheduleChanges(cancelled, [each for each in restored if each.due_at and each.due_at > now()])


def _cancelled_by(business: str, command_id: str, command: Command) -> list[ScheduledPublication]:
    """The schedules that an earlier command of this business cancelled."""
    try:
        done = find_done(Command(command_id, command.by)) if command_id else None
    except BadKey:
        return []  # The id comes from a form.
    marker = keys.PUBLISHED.key(tenant=business)
    if done is None or (done.subject_pk, done.subject_sk) != (marker.pk, marker.sk):
        return []
    cancelled = (done.result or {}).get(CANCELLED, [])
    # A schedule of an outside writer may have no readable time: then it was never due.
    return [_from_dict(business, values) for values in cancelled if values["due"]]


def _to_dict(schedule: ScheduledPublication) -> dict[str, Any]:
    return {
        "due": to_wire(schedule.due_at) if schedule.due_at else "",
        "version": schedule.number,
        "timezone": schedule.timezone,
        "note": schedule.note,
        "created_by": schedule.created_by,
        "created_by_name": schedule.created_by_name,
        "below_aa": list(schedule.below_aa or []),
    }


def _from_dict(business: str, values: dict[str, Any]) -> ScheduledPublication:
    due_at = from_wire(values["due"])
    made = ScheduledPublication.new(tenant=business, due_at=due_at, version=values["version"])
    made.version, made.due_at, made.timezone, made.note = values["version"], due_at, values["timezone"], values["note"]
    made.created_by, made.created_by_name = values["created_by"], values["created_by_name"]
    made.below_aa = values["below_aa"] or None
    return made
