"""Creating, activating and deactivating versions of a room's content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused, StaleRevision
from dashboard.table import keys, write
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent, report_unchanged
from rooms.fields import CONTENT_FIELDS
from rooms.items import Room, RoomContent
from rooms.queries import content as queries
from rooms.queries.content import MAX_NUMBER, RoomAndContent
from rooms.services.audit import record_change

MAX_TRIES = 24
# Versions that fit into a transaction with the room, the new version, the audit entry and the command.
MAX_DEACTIVATED = 6


@idempotent
def create(
    room_id: str, *, source: int | None = None, open_zone: str | None = None, command: Command, **values: Any
) -> RoomContent:
    """Create a version with the next number and the given fields (`CONTENT_FIELDS`).

    Versions never change: an edit copies the version `source`. `open_zone` is the time zone of the opening.
    """
    try:
        return retry_on(
            StaleRevision,
            lambda: _create(queries.load_for_update(room_id), values, open_zone, source, command),
            tries=MAX_TRIES,
        )
    except StaleRevision:
        raise Refused(_("Someone else is saving versions right now. Try again.")) from None


def _create(
    state: RoomAndContent, values: Mapping[str, Any], open_zone: str | None, source: int | None, command: Command
) -> RoomContent:
    origin = state.load_version(source) if source is not None else None
    if origin is not None and _has_values(origin, values, open_zone):
        return report_unchanged(origin, {}, command)
    number = state.highest_number + 1
    if number >= MAX_NUMBER:
        raise Refused(_("This room can't have more versions."))
    version = RoomContent.new(room=state.room.id, version=number)
    CONTENT_FIELDS.apply(version, values)
    version.open_zone = open_zone
    version.made_from = _stored_number(origin)
    transaction = Transaction(command)
    _take_number(transaction, state, number)
    transaction.create(version, on_failure=StaleRevision)
    copied = {"made_from": f"v{source}"} if origin else {}
    record_change(transaction, "room.content.create", state.room, after=_audit_values(version) | copied)
    return transaction.commit(version)


def _has_values(content: RoomContent, values: Mapping[str, Any], open_zone: str | None) -> bool:
    """Whether a version has these values. Outside writers store no time zone."""
    if values.get("open_at") and content.open_zone and content.open_zone != open_zone:
        return False
    stored = CONTENT_FIELDS.values_of(content)
    return all((values.get(name) or None) == (value or None) for name, value in stored.items())


def _take_number(transaction: Transaction, state: RoomAndContent, number: int) -> None:
    """Store the number on the room without changing its revision, so that open forms stay valid."""
    if not state.has_item:
        state.room.content_version = number
        transaction.create(state.room, on_failure=StaleRevision)
        return
    transaction.update(state.room.key, [Room.content_version.set(number)], _number_unchanged(state.room), StaleRevision)


def _number_unchanged(room: Room) -> Condition:
    """The condition that the room's number is as it was read; it may be missing or of another type."""
    return cast(Condition, Room.pk.exists() & room.unchanged(str(Room.content_version.attr_name)))


@idempotent
def activate(room_id: str, number: int, *, revision: int, command: Command) -> Room:
    """Make this the only version that plays, if the room is as the person saw it. Restoring is the same action."""
    return retry_on(
        StaleRevision, lambda: _set_active(queries.load_for_update(room_id), number, revision, command), tries=MAX_TRIES
    )


@idempotent
def deactivate(room_id: str, *, revision: int, command: Command) -> Room:
    """Make no version play."""
    return retry_on(
        StaleRevision, lambda: _set_active(queries.load_for_update(room_id), None, revision, command), tries=MAX_TRIES
    )


def _set_active(state: RoomAndContent, number: int | None, revision: int, command: Command) -> Room:
    new_version = state.load_version(number) if number is not None else None
    before, room = state.current, state.room
    result = {"version": number, "previous": before.number if before else None}
    if _is_unchanged(state, new_version):
        return report_unchanged(room, result, command)
    if room.revision != revision:
        raise Conflict(room)
    others = [each for each in state.playing if new_version is None or each.key != new_version.key]
    for each in others[MAX_DEACTIVATED:]:
        # Only an outside writer can have put more into the index than fit into a transaction.
        write.update(each.key, *_deactivation(each))
    transaction = Transaction(command)
    _copy_to_room(transaction, state, new_version, revision)
    if new_version is not None:
        transaction.update(new_version.key, _activation(new_version), RoomContent.pk.exists(), StaleRevision)
    for each in others[:MAX_DEACTIVATED]:
        transaction.update(each.key, *_deactivation(each), StaleRevision)
    action = "room.content.activate" if new_version else "room.content.deactivate"
    record_change(transaction, action, room, before=_audit_version(before), after=_audit_version(new_version))
    return transaction.commit(room, result)


def _is_unchanged(state: RoomAndContent, new_version: RoomContent | None) -> bool:
    """Whether this version already plays alone and the room's copies agree."""
    is_only_one = [each.key for each in state.playing] == ([new_version.key] if new_version else [])
    return is_only_one and state.room.active_version in {_stored_number(new_version), None}


def _copy_to_room(
    transaction: Transaction, state: RoomAndContent, new_version: RoomContent | None, revision: int
) -> None:
    """Copy number, title and type of the playing version to the room."""
    room, has_number = state.room, state.room.content_version is not None
    condition = None if has_number else _number_unchanged(room)
    room.active_version = _stored_number(new_version)
    room.content_title = (new_version.title or None) if new_version else None
    room.content_type = (new_version.type or None) if new_version else None
    if not has_number and state.highest_number:
        room.content_version = state.highest_number
    if not state.has_item:
        transaction.create(room, on_failure=StaleRevision)
        return

    def refuse(item: Item | None) -> Conflict:
        return StaleRevision(item) if item is not None and item.revision == revision else Conflict(item)

    transaction.save(room, revision=revision, condition=condition, on_failure=refuse)


def _stored_number(content: RoomContent | None) -> int | None:
    """Its number; None if it is too large for the table."""
    return content.number if content is not None and content.number < MAX_NUMBER else None


def _activation(content: RoomContent) -> list[Any]:
    """The author and time of the version stay as they are."""
    (index_key,) = keys.ACTIVE_CONTENT.optional_key(**content.key_parts)
    actions = [RoomContent.active.set(True), RoomContent.shown_at.set(now())]
    return [*actions, RoomContent.gsi1pk.set(index_key.pk), RoomContent.gsi1sk.set(index_key.sk or "")]


def _deactivation(content: RoomContent) -> tuple[list[Any], Condition]:
    """Remove it from the index. It counts as shown, so that activating it again is a restore."""
    actions: list[Any] = [RoomContent.active.remove(), RoomContent.gsi1pk.remove(), RoomContent.gsi1sk.remove()]
    return [*actions, RoomContent.shown_at.set(content.shown_at or now())], RoomContent.pk.exists()


def _audit_version(content: RoomContent | None) -> dict[str, Any]:
    if content is None:
        return {}
    return {"version": str(content.number)} | ({"title": content.title} if content.title else {})


def _audit_values(content: RoomContent) -> dict[str, Any]:
    """The values of a version for the audit trail, without empty ones."""
    return {"version": str(content.number)} | CONTENT_FIELDS.audit_values(content)
