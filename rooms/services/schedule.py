"""When a room opens: the room and its entry in the event's schedule are moved together."""

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
from dashboard.table.transactions import Transaction, idempotent, unchanged
from rooms import times
from rooms.items import Room
from rooms.queries import rooms as queries
from rooms.services.audit import record_change
from rooms.services.overrides import HELD, forget, told_override


class Disagrees(Conflict):
    """The event's schedule has another time for the room than the room itself: somebody has to say which one holds."""

    text = _("The event's schedule has another time for this room. Open the room and say which one holds.")


@idempotent
def schedule(
    room_id: str,
    *,
    open_at: datetime | None,
    zone: str | None,
    revision: int,
    knew: str | None = None,
    entry: str | None = None,
    command: Command,
) -> Room:
    """Set when a room opens, or that no opening is set.

    `knew` is the opening that the person saw, for other services move it without counting revisions; `entry` is
    what they saw in the schedule where that differs from the room.
    """

    def attempt() -> Room:
        at = queries.room(room_id)
        if at.room.revision != revision or (knew is not None and knew != wire(at.room.open_at)):
            raise Conflict(at.room)
        stands = times.entry_of(at.config, room_id)
        if not times.agrees(at.room, stands) and entry != times.in_words(stands):
            raise Disagrees(at.room)
        return _schedule(at.room, at.config, open_at, zone, command)

    return retry_on(StaleRevision, attempt)


def _schedule(room: Room, config: Config | None, open_at: datetime | None, zone: str | None, command: Command) -> Room:
    before, was = audit_values(room), {"open_at": wire(room.open_at), "zone": room.open_zone or ""}
    same = room.open_at == open_at and (room.open_zone == zone or open_at is None)
    stands = times.entry_of(config, room.id)
    if same and times.time_in(stands) == open_at and not room.plan.lapsed(now()):
        return unchanged(room, was, command)
    # It does not stand any more where a shift put it.
    room.shift = None
    transaction = Transaction(command)
    let_go = move(transaction, room, open_at, zone)
    times.put(transaction, config, {room.id: open_at}, StaleRevision)
    record_change(transaction, "room.schedule", room, before=before, after=audit_values(room))
    return transaction.commit(room, was | ({"let_go": let_go} if let_go else {}))


def move(transaction: Transaction, room: Room, open_at: datetime | None, zone: str | None) -> str:
    """Move a room's opening, and with it the end of what is held until it opens; says what it lets go of."""
    held = room.manual_override
    room.open_at, room.open_zone = open_at, zone
    let_go = _follow(room)
    also = room.unchanged("openAt") if room.manual_override == held else room.unchanged("openAt", HELD)
    transaction.save(room, revision=room.revision, also=also)
    return let_go


def _follow(room: Room) -> str:
    """What is held until the opening ends with it: it goes along, and is over where the opening has come."""
    plan, moment = room.plan, now()
    if plan.lapsed(moment):
        forget(room)
    elif room.until_opening and plan.open_at is None:
        room.override_until = room.until_opening = None
    elif room.until_opening and plan.open_at is not None and plan.open_at <= moment:
        forget(room)
        return plan.override or ""
    elif room.until_opening:
        room.override_until = plan.open_at
    return ""


def wire(moment: datetime | None) -> str:
    """A moment as forms carry it; empty for none."""
    return to_wire(moment) if moment is not None else ""


def audit_values(room: Room) -> dict[str, Any]:
    """What the trail says of a room."""
    says: dict[str, Any] = {"name": room.name, "openAt": wire(room.open_at), "openZone": room.open_zone}
    return {name: value for name, value in (says | told_override(room)).items() if value not in (None, "")}
