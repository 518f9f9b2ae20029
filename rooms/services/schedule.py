"""The opening of a room: the room and its schedule entry change together."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, StaleRevision
from dashboard.platform.configs.items import Config
from dashboard.table.commands import Command
from dashboard.table.retries import retry_on
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction, idempotent, report_unchanged
from rooms import schedule_entries
from rooms.items import Room
from rooms.queries import rooms as queries
from rooms.services.audit import record_change
from rooms.services.overrides import OVERRIDE, clear_override, override_audit_values


class ScheduleMismatch(Conflict):
    """The event's schedule and the room have different times: a person has to choose."""

    text = _("The event's schedule has a different time for this room. Open the room and choose one.")


@idempotent
def schedule(
    room_id: str,
    *,
    open_at: datetime | None,
    zone: str | None,
    revision: int,
    shown_opening: str | None = None,
    entry: str | None = None,
    command: Command,
) -> Room:
    """Set or remove the opening of a room.

    `shown_opening` is the opening that the person saw, because outside writers change it without changing the
    revision. `entry` is the schedule entry that they saw, if it differed from the room.
    """

    def attempt() -> Room:
        state = queries.load_room(room_id)
        if state.room.revision != revision or (
            shown_opening is not None and shown_opening != wire_or_empty(state.room.open_at)
        ):
            raise Conflict(state.room)
        current_entry = schedule_entries.find_entry(state.config, room_id)
        if not schedule_entries.is_consistent(state.room, current_entry) and entry != schedule_entries.entry_text(
            current_entry
        ):
            raise ScheduleMismatch(state.room)
        return _schedule(state.room, state.config, open_at, zone, command)

    return retry_on(StaleRevision, attempt)


def _schedule(room: Room, config: Config | None, open_at: datetime | None, zone: str | None, command: Command) -> Room:
    before, previous = audit_values(room), {"open_at": wire_or_empty(room.open_at), "zone": room.open_zone or ""}
    same = room.open_at == open_at and (room.open_zone == zone or open_at is None)
    current_entry = schedule_entries.find_entry(config, room.id)
    if same and schedule_entries.entry_time(current_entry) == open_at and not room.plan.has_expired(now()):
        return report_unchanged(room, previous, command)
    # The opening is no longer the one that a shift set.
    room.shift = None
    transaction = Transaction(command)
    ended_override = set_opening(transaction, room, open_at, zone)
    schedule_entries.write_entries(transaction, config, {room.id: open_at}, StaleRevision)
    record_change(transaction, "room.schedule", room, before=before, after=audit_values(room))
    return transaction.commit(room, previous | ({"let_go": ended_override} if ended_override else {}))


def set_opening(transaction: Transaction, room: Room, open_at: datetime | None, zone: str | None) -> str:
    """Set a room's opening and move the end of an override until opening. Returns the override that this ended."""
    override = room.manual_override
    room.open_at, room.open_zone = open_at, zone
    ended_override = _move_override_end(room)
    also = room.unchanged("openAt") if room.manual_override == override else room.unchanged("openAt", OVERRIDE)
    transaction.save(room, revision=room.revision, condition=also)
    return ended_override


def _move_override_end(room: Room) -> str:
    """An override until opening moves with the opening, and ends if the opening has passed."""
    plan, moment = room.plan, now()
    if plan.has_expired(moment):
        clear_override(room)
    elif room.until_opening and plan.open_at is None:
        room.override_until = room.until_opening = None
    elif room.until_opening and plan.open_at is not None and plan.open_at <= moment:
        clear_override(room)
        return plan.override or ""
    elif room.until_opening:
        room.override_until = plan.open_at
    return ""


def wire_or_empty(moment: datetime | None) -> str:
    """A moment as forms send it; empty for None."""
    return to_wire(moment) if moment is not None else ""


def audit_values(room: Room) -> dict[str, Any]:
    """The values of a room for the audit trail."""
    values: dict[str, Any] = {"name": room.name, "openAt": wire_or_empty(room.open_at), "openZone": room.open_zone}
    return {name: value for name, value in (values | override_audit_values(room)).items() if value not in (None, "")}
