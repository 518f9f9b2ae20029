"""Creating, renaming, removing and restoring rooms."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, DomainError, NotFound, Refused, StaleRevision
from dashboard.core.names import folded
from dashboard.table import keys, schema
from dashboard.table.commands import SYSTEM, Command
from dashboard.table.items import Item, Raw
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, find_result, idempotent, report_unchanged
from rooms import schedule_entries
from rooms.items import PATH_WORDS, Room
from rooms.queries import content as contents
from rooms.queries import rooms as queries
from rooms.services.audit import record_change
from rooms.services.schedule import audit_values

# Words of our URLs, and the id that the key of all rooms uses.
RESERVED = PATH_WORDS | {"status"}
MAX_ID = 60


def id_from_name(name: str) -> str:
    """An id made of the name; empty if the name has no usable characters."""
    return re.sub(r"[^a-z0-9]+", "-", folded(name)).strip("-")[:MAX_ID]


@idempotent
def create(
    room_id: str, *, name: str, open_at: datetime | None = None, zone: str | None = None, command: Command
) -> Room:
    """Create a room. It is closed until its opening time or until someone opens it."""
    if room_id in RESERVED:
        raise Refused(_("This ID is reserved. Choose another one."), field="room")
    return retry_on(StaleRevision, lambda: _create(room_id, name, open_at, zone, command))


def _create(room_id: str, name: str, open_at: datetime | None, zone: str | None, command: Command) -> Room:
    (existing,), config = queries.find_rooms([room_id])
    if existing is not None:
        raise _id_taken(existing)
    room = Room.new(room=room_id)
    room.name, room.open_at, room.open_zone = name or None, open_at, zone
    transaction = Transaction(command)
    transaction.create(room, _id_taken)
    if open_at is not None:
        schedule_entries.write_entries(transaction, config, {room_id: open_at}, StaleRevision)
    record_change(transaction, "room.create", room, after=audit_values(room))
    return transaction.commit(room)


def _id_taken(existing: Item | None) -> DomainError:
    title = existing.title if isinstance(existing, Room) else ""
    return Refused(_("This ID is used by %(room)s.") % {"room": title}, field="room")


@idempotent
def rename(room_id: str, *, name: str, revision: int, command: Command) -> Room:
    room = queries.load_room(room_id).room
    if room.revision != revision:
        raise Conflict(room)
    previous = {"name": room.name or ""}
    if (room.name or "") == name:
        return report_unchanged(room, previous, command)
    before = audit_values(room)
    room.name = name or None
    transaction = Transaction(command)
    transaction.save(room, revision=revision)
    record_change(transaction, "room.rename", room, before=before, after=audit_values(room))
    return transaction.commit(room, previous)


@idempotent
def remove(room_id: str, *, revision: int, command: Command) -> Room | None:
    """Remove a room and its schedule entry. Its content stays, in case the room is restored."""
    return retry_on(StaleRevision, lambda: _remove(room_id, revision, command))


def _remove(room_id: str, revision: int, command: Command) -> Room:
    state = contents.load_for_update(room_id)
    room = state.room
    if not state.has_item:
        raise NotFound
    if room.revision != revision:
        raise Conflict(room)
    if state.playing:
        raise Refused(_("Deactivate the room's content first."))
    transaction = Transaction(command)
    transaction.delete(room, revision=revision)
    if schedule_entries.find_entry(state.config, room_id) is not None:
        schedule_entries.write_entries(transaction, state.config, {room_id: None}, StaleRevision)
    record_change(transaction, "room.remove", room, before=audit_values(room))
    transaction.commit(None, {"removed": room_id, "item": _storable_attributes(room)})
    return room


def _storable_attributes(room: Room) -> dict[str, Any]:
    """The attributes that a restore needs, including those of outside writers, except bytes."""
    return {name: value for name, value in room.raw.items() if _is_storable(name, value)}


def _is_storable(name: str, value: dict[str, Any]) -> bool:
    return name not in {schema.PK, schema.SK} and "[" not in name and not {"B", "BS"} & value.keys()


@idempotent
def restore(room_id: str, removal_id: str, *, command: Command) -> Room:
    """Restore a removed room with all its attributes."""
    attributes = _load_removed(room_id, removal_id)
    return retry_on(StaleRevision, lambda: _restore(room_id, attributes, command))


def _load_removed(room_id: str, removal_id: str) -> Raw:
    """The attributes that the removal stored in its command record."""
    result = find_result(Command(removal_id, SYSTEM))
    if result.get("removed") != room_id:
        raise Refused(_("This room can no longer be restored. Create it again."))
    attributes: Raw = result["item"]
    return attributes


def _restore(room_id: str, attributes: Raw, command: Command) -> Room:
    (existing,), config = queries.find_rooms([room_id])
    if existing is not None:
        raise _id_taken(existing)
    key = keys.ROOM.key(room=room_id)
    room = Room.of(attributes | {schema.PK: {"S": key.pk}, schema.SK: {"S": key.sk}})
    # The revision increases, so that forms from before the removal are outdated.
    room.revision, room.updated_at = room.revision + 1, now()
    room.updated_by, room.updated_by_name = command.by.email, command.by.name or None
    own_stamps = {"revision", "updatedAt", "updatedBy", "updatedByName"}
    actions: list[Any] = [Path([name]).set(value) for name, value in attributes.items() if name not in own_stamps]
    actions += [Room.stored_revision.set(room.revision), Room.updated_at.set(room.updated_at)]
    actions += [Room.updated_by.set(room.updated_by)]
    actions += [Room.updated_by_name.set(room.updated_by_name)] if room.updated_by_name else []
    transaction = Transaction(command)
    transaction.update(room.key, actions, cast(Condition, Room.pk.does_not_exist()), _id_taken)
    if room.open_at is not None:
        schedule_entries.write_entries(transaction, config, {room_id: room.open_at}, StaleRevision)
    record_change(transaction, "room.restore", room, after=audit_values(room))
    return transaction.commit(room)
