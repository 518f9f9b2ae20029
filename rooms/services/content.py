"""What staff do to the content of a room: another version, the one that plays, none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused, StaleRevision
from dashboard.table import keys, write
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.retries import retry_on
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction, idempotent, unchanged
from rooms.items import Room, RoomContent
from rooms.queries import content as queries
from rooms.queries.content import NUMBERS, Content
from rooms.services.audit import record_change

TRIES = 24
# What a transaction has room for beside the room, the version, the entry and the record.
MOST_PUT_ASIDE = 6


@dataclass(frozen=True)
class Fields:
    """What people say of a version."""

    title: str
    type: str
    address: str
    open_at: datetime | None = None
    open_zone: str | None = None

    def same_as(self, content: RoomContent) -> bool:
        """Whether a version says this already; other services do not say by which clocks."""
        zone = content.open_zone or self.open_zone
        said = Fields(content.title or "", content.type or "", content.vimeo_url or "", content.open_at, zone)
        return said == (self if self.open_at else replace(self, open_zone=zone))


@idempotent
def create(room_id: str, fields: Fields, *, source: int | None = None, command: Command) -> RoomContent:
    """Another version, with the next number. None is ever changed: an edit is a copy of what `source` names."""
    try:
        return retry_on(
            StaleRevision, lambda: _create(queries.to_change(room_id), fields, source, command), tries=TRIES
        )
    except StaleRevision:
        raise Refused(_("Others are saving versions at this moment. Send it again.")) from None


def _create(at: Content, fields: Fields, source: int | None, command: Command) -> RoomContent:
    origin = at.version(source) if source is not None else None
    if origin is not None and fields.same_as(origin):
        return unchanged(origin, {}, command)
    number = at.highest + 1
    if number >= NUMBERS:
        raise Refused(_("No number is left for another version."))
    made = RoomContent.at(room=at.room.id, version=number)
    made.title, made.type, made.vimeo_url = fields.title, fields.type, fields.address
    made.open_at, made.open_zone = fields.open_at, fields.open_zone
    made.made_from = _storable(origin)
    transaction = Transaction(command)
    _take_number(transaction, at, number)
    transaction.create(made, otherwise=StaleRevision)
    copied = {"made_from": f"v{source}"} if origin else {}
    record_change(transaction, "room.content.create", at.room, after=_snapshot(made) | copied)
    return transaction.commit(made)


def _take_number(transaction: Transaction, at: Content, number: int) -> None:
    """The room remembers its highest number. Nobody edits the room by that: no colleague's form grows old."""
    if not at.is_known:
        at.room.content_version = number
        transaction.create(at.room, otherwise=StaleRevision)
        return
    transaction.update(at.room.key, [Room.content_version.set(number)], _still_counted(at.room), StaleRevision)


def _still_counted(room: Room) -> Condition:
    """The highest number as it was read; other services' rooms have none, or something else in its place."""
    known: Any = room.content_version
    if known is not None:
        return cast(Condition, Room.content_version == known)
    a_number: Condition = Room.content_version.is_type()  # type: ignore[no-untyped-call]
    return cast(Condition, Room.pk.exists() & ~a_number)


@idempotent
def activate(room_id: str, number: int, *, revision: int, command: Command) -> Room:
    """Play this version and no other, if the room still is as the person saw it; a restore is an older one again."""
    return retry_on(StaleRevision, lambda: _put_on(queries.to_change(room_id), number, revision, command), tries=TRIES)


@idempotent
def deactivate(room_id: str, *, revision: int, command: Command) -> Room:
    """Play nothing: the way back from the first version that was put on."""
    return retry_on(StaleRevision, lambda: _put_on(queries.to_change(room_id), None, revision, command), tries=TRIES)


def _put_on(at: Content, number: int | None, revision: int, command: Command) -> Room:
    wanted = at.version(number) if number is not None else None
    before, room = at.plays, at.room
    did = {"version": number, "previous": before.number if before else None}
    if _is_so(at, wanted):
        return unchanged(room, did, command)
    if room.revision != revision:
        raise Conflict(room)
    aside = [each for each in at.playing if wanted is None or each.key != wanted.key]
    for each in aside[MOST_PUT_ASIDE:]:
        # More of them than a transaction holds can only be another service's doing.
        write.touch(each.key, *_off(each))
    transaction = Transaction(command)
    _name_in_room(transaction, at, wanted, revision)
    if wanted is not None:
        transaction.update(wanted.key, _on(wanted), RoomContent.pk.exists(), StaleRevision)
    for each in aside[:MOST_PUT_ASIDE]:
        transaction.update(each.key, *_off(each), StaleRevision)
    action = "room.content.activate" if wanted else "room.content.deactivate"
    record_change(transaction, action, room, before=_named(before), after=_named(wanted))
    return transaction.commit(room, did)


def _is_so(at: Content, wanted: RoomContent | None) -> bool:
    """Whether that plays already, alone, and the room says nothing else."""
    alone = [each.key for each in at.playing] == ([wanted.key] if wanted else [])
    return alone and at.room.active_version in {_storable(wanted), None}


def _name_in_room(transaction: Transaction, at: Content, wanted: RoomContent | None, revision: int) -> None:
    """What a list of rooms shows of the one that plays."""
    room, counted = at.room, at.room.content_version is not None
    condition = None if counted else _still_counted(room)
    room.active_version = _storable(wanted)
    room.content_title = (wanted.title or None) if wanted else None
    room.content_type = (wanted.type or None) if wanted else None
    if not counted and at.highest:
        room.content_version = at.highest
    if not at.is_known:
        transaction.create(room, otherwise=StaleRevision)
        return

    def refuse(item: Item | None) -> Conflict:
        return StaleRevision(item) if item is not None and item.revision == revision else Conflict(item)

    transaction.save(room, revision=revision, also=condition, otherwise=refuse)


def _storable(content: RoomContent | None) -> int | None:
    """Its number; none where another service's has more digits than a number of the table can have."""
    return content.number if content is not None and content.number < NUMBERS else None


def _on(content: RoomContent) -> list[Any]:
    """Not stamped as an edit: who made it, and when, stays said."""
    (place,) = keys.ACTIVE_CONTENT.place(**content.key_parts)
    actions = [RoomContent.active.set(True), RoomContent.shown_at.set(now())]
    return [*actions, RoomContent.gsi1pk.set(place.pk), RoomContent.gsi1sk.set(place.sk or "")]


def _off(content: RoomContent) -> tuple[list[Any], Condition]:
    """Out of the index, whoever put it there. It was shown: from now on putting it on is a restore."""
    actions: list[Any] = [RoomContent.active.remove(), RoomContent.gsi1pk.remove(), RoomContent.gsi1sk.remove()]
    return [*actions, RoomContent.shown_at.set(content.shown_at or now())], RoomContent.pk.exists()


def _named(content: RoomContent | None) -> dict[str, Any]:
    if content is None:
        return {}
    return {"version": str(content.number)} | ({"title": content.title} if content.title else {})


def _snapshot(content: RoomContent) -> dict[str, Any]:
    """What the trail says of a version: what people set, and nothing that they did not."""
    opening = to_wire(content.open_at) if content.open_at else None
    said = {"title": content.title, "type": content.type, "video": content.vimeo_url, "opening": opening}
    return {"version": str(content.number)} | {name: value for name, value in said.items() if value}
