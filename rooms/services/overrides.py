"""Overrides: forcing a room open or closed, until changed or until an end time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.table import write
from dashboard.table.commands import SYSTEM, Command
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction, idempotent, report_unchanged
from rooms.items import Room
from rooms.queries import rooms as queries
from rooms.services.audit import record_change

# The value of `until` for an override that ends at the room's opening.
OPENING = "opening"
# Attributes that outside writers change without changing the revision.
OVERRIDE, OVERRIDE_UNTIL = str(Room.manual_override.attr_name), str(Room.override_until.attr_name)


@idempotent
def override(
    room_id: str, *, value: str | None, until: datetime | str | None = None, revision: int, command: Command
) -> Room:
    """Force a room open or closed; without a value, back to schedule. `until` is a time, `OPENING` or no end."""
    room = queries.load_room(room_id).room
    if room.revision != revision:
        raise Conflict(room)
    before, previous = override_audit_values(room), form_values(room)
    end = _end_of(room, until) if value else None
    if _is_unchanged(room, value, end, until):
        return report_unchanged(room, previous, command)
    clear_override(room)
    if value:
        room.closed_at = None
        room.manual_override, room.override_at = value, now()
        room.override_by, room.override_by_name = command.by.email, command.by.name or None
        room.override_until, room.until_opening = end, True if until == OPENING else None
    transaction = Transaction(command)
    transaction.save(room, revision=revision, condition=room.unchanged(OVERRIDE))
    record_change(
        transaction,
        "room.override" if value else "room.release",
        room,
        before=before,
        after=override_audit_values(room),
    )
    return transaction.commit(room, previous)


def _end_of(room: Room, until: datetime | str | None) -> datetime | None:
    if until == OPENING:
        if room.open_at is None or room.open_at <= now():
            raise Refused(_("This room has no upcoming opening time. Choose another end."), field="until")
        return room.open_at
    if isinstance(until, datetime) and until <= now():
        raise Refused(_("Choose a time in the future."), field="until")
    return until if isinstance(until, datetime) else None


def _is_unchanged(room: Room, value: str | None, end: datetime | None, until: datetime | str | None) -> bool:
    """An expired override is cleared although the state stays the same: other readers see only the item."""
    if not value:
        return not room.override and room.override_until is None
    same = (room.override, room.override_until, bool(room.until_opening)) == (value, end, until == OPENING)
    return same and not room.plan.has_expired(now())


@idempotent
def follow_schedule(room: Room, *, command: Command) -> Room:
    """Close the room at its closing time, or clear that at the next opening, for readers that see only the item."""
    room.mark_schedule(now())
    transaction = Transaction(command)
    condition = room.unchanged(OVERRIDE, "openAt", "closeAt")
    transaction.save(room, revision=room.revision, condition=condition)
    record_change(transaction, "room.close" if room.is_marked_closed else "room.open", room)
    return transaction.commit(room)


def schedule_command(room: Room) -> Command:
    """One command per closing or opening, so that it happens once."""
    due = int(room.due_at.timestamp()) if room.due_at else 0
    return Command(f"schedule-{room.revision}-{due}", SYSTEM).part(room.id)


@idempotent
def expire(room: Room, *, command: Command) -> Room:
    """Clear an expired override, for readers that see only the item."""
    before = override_audit_values(room)
    clear_override(room)
    transaction = Transaction(command)
    transaction.save(room, revision=room.revision, condition=room.unchanged(OVERRIDE, OVERRIDE_UNTIL))
    record_change(transaction, "room.lapse", room, before=before, after=override_audit_values(room))
    return transaction.commit(room)


def update_due_time(room: Room) -> None:
    """Correct the due time of an override that has not expired, without changing the revision."""
    room.set_index_keys()
    attributes = room.get_attributes()
    actions = [
        attributes[name].remove() if value is None else attributes[name].set(value)
        for name, value in room.changes().items()
    ]
    write.update(room.key, actions, room.unchanged(OVERRIDE, OVERRIDE_UNTIL, "openAt", "closeAt"))


def expiry_command(room: Room) -> Command:
    """One command per override, so that it expires once."""
    ended = room.override_until
    return Command(f"lapse-{room.revision}-{int(ended.timestamp()) if ended else 0}", SYSTEM).part(room.id)


def clear_override(room: Room) -> None:
    """Remove the override. After the closing time, the schedule closes the room."""
    room.manual_override = room.override_at = room.override_until = room.until_opening = None
    room.override_by = room.override_by_name = None
    room.mark_schedule(now())


def form_values(room: Room) -> dict[str, str]:
    """The form values for the current override; an expired one counts as none."""
    if room.plan.active_override(now()) is None:
        return {"value": "", "until": ""}
    end = OPENING if room.until_opening else to_wire(room.override_until) if room.override_until else ""
    return {"value": room.override or "", "until": end}


def override_audit_values(room: Room) -> dict[str, Any]:
    """The values of the override for the audit trail."""
    if not room.override:
        return {}
    until = to_wire(room.override_until) if room.override_until else ""
    return {"override": room.override} | ({"heldUntil": until} if until else {})
