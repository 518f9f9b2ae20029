"""Rooms come, get a name, and go."""

from __future__ import annotations

import re
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from dashboard.errors import Conflict, DomainError, Refused
from dashboard.names import folded
from dashboard.table.items import Item
from dashboard.table.operations import Operation
from dashboard.table.retries import settled
from dashboard.table.transactions import Transaction, once, unchanged
from rooms import times
from rooms.items import Room
from rooms.queries import rooms as queries
from rooms.services.scheduling import Moved, told, wire
from rooms.services.trail import note

# Words that stand in an address where a room's id would, and the one that no room can have.
RESERVED = frozenset({"new", "shift", "people", "domains", "status"})
MAX_ID = 60


def id_for(name: str) -> str:
    """An id that says what the room is called; empty where nothing of the name can stand in one."""
    return re.sub(r"[^a-z0-9]+", "-", folded(name)).strip("-")[:MAX_ID]


@once
def create(
    room_id: str, *, name: str, open_at: datetime | None = None, zone: str | None = None, operation: Operation
) -> Room:
    """Another room. It is closed until it opens by its schedule, or someone opens it."""
    if room_id in RESERVED:
        raise Refused(_("This word is taken. Choose another id."), field="room")
    return settled(lambda: _create(room_id, name, open_at, zone, operation), Moved)


def _create(room_id: str, name: str, open_at: datetime | None, zone: str | None, operation: Operation) -> Room:
    (there,), config = queries.some_rooms([room_id])
    if there is not None:
        raise _taken(there)
    room = Room.at(room=room_id)
    room.name, room.open_at, room.open_zone = name or None, open_at, zone if open_at else None
    transaction = Transaction(operation)
    transaction.create(room, _taken)
    if open_at is not None:
        times.put(transaction, config, {room_id: open_at}, Moved)
    note(transaction, "room.create", room, after=told(room))
    return transaction.commit(room)


def _taken(there: Item | None) -> DomainError:
    title = there.title if isinstance(there, Room) else ""
    return Refused(_("There is a room with this id already: %(room)s.") % {"room": title}, field="room")


@once
def rename(room_id: str, *, name: str, seen: int, operation: Operation) -> Room:
    room = queries.room(room_id).room
    if room.seen != seen:
        raise Conflict(room)
    was = {"name": room.name or ""}
    if (room.name or "") == name:
        return unchanged(room, was, operation)
    before = told(room)
    room.name = name or None
    transaction = Transaction(operation)
    transaction.save(room, seen=seen)
    note(transaction, "room.rename", room, before=before, after=told(room))
    return transaction.commit(room, was)


@once
def remove(room_id: str, *, seen: int, operation: Operation) -> Room | None:
    """Take a room off the list, and its time off the schedule. What was shown in it stays, should it come back."""
    return settled(lambda: _remove(room_id, seen, operation), Moved)


def _remove(room_id: str, seen: int, operation: Operation) -> Room:
    at = queries.room(room_id)
    room = at.room
    if room.seen != seen:
        raise Conflict(room)
    if room.plays:
        raise Refused(_("Something plays in this room. Take it off first."))
    transaction = Transaction(operation)
    transaction.delete(room, seen=seen)
    if times.entry_of(at.config, room_id) is not None:
        times.put(transaction, at.config, {room_id: None}, Moved)
    note(transaction, "room.remove", room, before=told(room))
    transaction.commit(None, {"name": room.name or "", "open_at": wire(room.open_at), "zone": room.open_zone})
    return room
