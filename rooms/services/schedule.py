"""The opening of a room: the room and its schedule entry change together."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused, StaleRevision
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

# Leaves the closing as it is.
KEEP = "keep"


class ScheduleMismatch(Conflict):
    """The event's schedule and the room have different times: a person has to choose."""

    text = _("The event's schedule has a different time for this room. Open the room and choose one.")


@idempotent
def set_schedule(
    room_id: str,
    *,
    open_at: datetime | None,
    zone: str | None,
    close_at: datetime | str | None = KEEP,
    revision: int,
    shown_opening: str | None = None,
    shown_entry: str | None = None,
    command: Command,
) -> Room:
    """Set or remove the opening and the closing of a room. `KEEP` leaves the closing as it is.

    `shown_opening` is the opening that the person saw, because outside writers change it without changing the
    revision. `shown_entry` is the schedule entry that they saw, if it differed from the room.
    """

    def attempt() -> Room:
        loaded = queries.load_room(room_id)
        if loaded.room.revision != revision or (
            shown_opening is not None and shown_opening != moment_as_text(loaded.room.open_at)
        ):
            raise Conflict(loaded.room)
        current_entry = schedule_entries.find_entry(loaded.config, room_id)
        is_consistent = schedule_entries.is_consistent(loaded.room, current_entry)
        if not is_consistent and shown_entry != schedule_entries.entry_text(current_entry):
            raise ScheduleMismatch(loaded.room)
        closing = _closing_after(loaded.room, open_at) if isinstance(close_at, str) else close_at
        return _write_schedule(loaded.room, loaded.config, open_at, zone, closing, command)

    return retry_on(StaleRevision, attempt)


def _closing_after(room: Room, open_at: datetime | None) -> datetime | None:
    """The closing of the room. A past one does not apply to a later opening."""
    closing: datetime | None = room.close_at
    is_over = closing is not None and open_at is not None and closing <= min(open_at, now())
    return None if open_at is None or is_over else closing


def _write_schedule(
    room: Room,
    config: Config | None,
    open_at: datetime | None,
    zone: str | None,
    close_at: datetime | None,
    command: Command,
) -> Room:
    if close_at is not None and (open_at is None or close_at <= open_at):
        raise Refused(_("A room closes after it opens. Choose a later closing time."), field="close_at")
    # Without an opening the room keeps its time zone.
    zone = zone if open_at is not None else room.open_zone
    before, values_before = audit_values(room), previous_values(room)
    is_same = (room.open_at, room.close_at) == (open_at, close_at) and (room.open_zone == zone or open_at is None)
    current_entry = schedule_entries.find_entry(config, room.id)
    if is_same and schedule_entries.entry_time(current_entry) == open_at and not room.plan.has_expired(now()):
        return report_unchanged(room, values_before, command)
    # A person sets this opening, so it no longer belongs to a shift.
    room.shift = None
    transaction = Transaction(command)
    ended_override = set_opening(transaction, room, open_at, zone, close_at)
    schedule_entries.write_entries(transaction, config, {room.id: open_at}, StaleRevision)
    record_change(transaction, "room.schedule", room, before=before, after=audit_values(room))
    return transaction.commit(room, values_before | ({"let_go": ended_override} if ended_override else {}))


def previous_values(room: Room) -> dict[str, str]:
    """The values that Undo sends."""
    times = {"open_at": moment_as_text(room.open_at), "close_at": moment_as_text(room.close_at)}
    return times | {"zone": room.open_zone or ""}


def set_opening(
    transaction: Transaction,
    room: Room,
    open_at: datetime | None,
    zone: str | None,
    close_at: datetime | str | None = KEEP,
) -> str:
    """Set opening and closing. An override until the opening gets the new end. Return the override that ended."""
    override = room.manual_override
    room.open_at, room.open_zone = open_at, zone
    if not isinstance(close_at, str):
        room.close_at = close_at
    ended_override = _adjust_override(room)
    room.mark_schedule(now())
    fields = ("openAt", "closeAt") if room.manual_override == override else ("openAt", "closeAt", OVERRIDE)
    unchanged_condition = room.unchanged(*fields)
    transaction.save(room, revision=room.revision, condition=unchanged_condition)
    return ended_override


def _adjust_override(room: Room) -> str:
    """Clear an expired override; move one that ends at the opening. Return the override that the new opening ended."""
    plan, moment, ends_at_opening = room.plan, now(), room.until_opening
    if plan.has_expired(moment):
        clear_override(room)
    elif ends_at_opening and plan.open_at is None:
        room.override_until = room.until_opening = None
    elif ends_at_opening and plan.open_at is not None and plan.open_at <= moment:
        clear_override(room)
        return plan.override or ""
    elif ends_at_opening:
        room.override_until = plan.open_at
    return ""


def moment_as_text(moment: datetime | None) -> str:
    """Return a moment as forms send it, or an empty text for None."""
    return to_wire(moment) if moment is not None else ""


def audit_values(room: Room) -> dict[str, Any]:
    """Return the values of a room for the audit trail."""
    values: dict[str, Any] = {"name": room.name, "openAt": moment_as_text(room.open_at), "openZone": room.open_zone}
    values["closeAt"] = moment_as_text(room.close_at)
    return {name: value for name, value in (values | override_audit_values(room)).items() if value not in (None, "")}
