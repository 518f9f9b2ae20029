"""Queries for the content of rooms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.platform.audit import queries as audit
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.configs.items import Config
from dashboard.table import keys, read
from dashboard.table.items import Item, PlainItem, Raw
from dashboard.table.keypattern import BadKey
from dashboard.table.read import Page
from dashboard.table.registry import access_pattern
from rooms.fields import CONTENT_FIELDS
from rooms.items import Room, RoomContent
from rooms.queries.rooms import audit_target
from rooms.schedule_entries import SCHEDULE

# The attributes that the pages read.
IN_LISTS = CONTENT_FIELDS.list_attributes(
    "openZone",
    "active",
    "shownAt",
    "madeFrom",
    "GSI1PK",
    "GSI1SK",
    "createdAt",
    "updatedAt",
    "updatedBy",
    "updatedByName",
)
# Versions in one answer; a write reads all pages.
PAGE_SIZE = 500
MAX_PAGES = 40
# Higher numbers are ignored: they are something else, perhaps a timestamp.
MAX_NUMBER = 10**15


@dataclass(frozen=True)
class RoomAndContent:
    """A room and the versions of its content."""

    room: Room
    # False if an outside writer stored content without the room's item.
    has_item: bool
    config: Config | None
    # As stored: two items may have one number.
    items: list[RoomContent]
    more: bool = False
    history: tuple[AuditEntry, ...] = ()

    @property
    def versions(self) -> list[RoomContent]:
        """One version of each number, highest first."""
        found: dict[int, RoomContent] = {}
        for each in sorted(self.items, key=_order):
            found[each.number] = each
        return sorted(found.values(), key=lambda each: each.number, reverse=True)

    @property
    def playing(self) -> list[RoomContent]:
        """The versions in the index: one or none; several only if an outside writer put them there."""
        return sorted((each for each in self.items if each.is_playing), key=_order, reverse=True)

    @property
    def current(self) -> RoomContent | None:
        """The version that plays; of several the one that the room names, else the newest."""
        named_by_room = [each for each in self.playing if each.number == self.room.active_version]
        return next(iter([*named_by_room, *self.playing]), None)

    @property
    def highest_number(self) -> int:
        """The highest number that was ever used in this room."""
        remembered: Any = self.room.content_version
        is_valid = remembered is not None and 0 < remembered < MAX_NUMBER and remembered == int(remembered)
        return max(
            [int(remembered) if is_valid else 0, *(each.number for each in self.items if each.number < MAX_NUMBER)]
        )

    def find_version(self, number: int) -> RoomContent | None:
        return next((each for each in self.versions if each.number == number), None)

    def load_version(self, number: int) -> RoomContent:
        found = self.find_version(number)
        if found is None:
            raise NotFound
        return found


def _order(content: RoomContent) -> tuple[int, bool, int]:
    """Sort by number; of two with one number the playing one comes last, then the one with our key format."""
    return content.number, content.is_playing, -len(content.sk)


@access_pattern("What is a room's state, and what are these versions?", keys.ROOM, keys.CONFIG, keys.ROOM_CONTENT)
def find_room_and_versions(
    room_id: str, numbers: Iterable[int] = ()
) -> tuple[Room | None, Config | None, list[RoomContent]]:
    """The room, the schedule, and versions by number, in one consistent read."""
    try:
        keys_to_read = [keys.ROOM.key(room=room_id), keys.CONFIG.key(name=SCHEDULE)]
        keys_to_read += [keys.ROOM_CONTENT.key(room=room_id, version=number) for number in numbers]
    except BadKey:
        raise NotFound from None
    room, config, *found = read.get_many(keys_to_read)
    return (
        room if isinstance(room, Room) else None,
        config if isinstance(config, Config) else None,
        _contents(found),
    )


@access_pattern("Which versions of its content does a room have?", keys.ROOM_CONTENT, partition=True)
def versions(room_id: str, start_key: Raw | None = None) -> Page[RoomContent]:
    """One page of versions, newest keys first, with a consistent read."""
    try:
        keys.ROOM.key(room=room_id)
    except BadKey:
        raise NotFound from None
    collection = keys.ROOM_CONTENT.collection(room=room_id)
    found = read.page(
        collection, limit=PAGE_SIZE, start_key=start_key, attributes=IN_LISTS, newest_first=True, consistent=True
    )
    return Page(_contents(found.items), found.next_start_key)


def load_room_content(room_id: str, *numbers: int | None, with_history: bool = False) -> RoomAndContent:
    """A room with one page of versions and the versions in `numbers`, for a page."""
    known_numbers = [number for number in numbers if number is not None]
    (room, config, versions_by_number), listed, history = read.gather(
        lambda: find_room_and_versions(room_id, known_numbers),
        lambda: versions(room_id),
        lambda: audit.history(audit_target(room_id)) if with_history else [],
    )
    items = {each.key: each for each in [*listed.items, *versions_by_number]}
    return _build(room_id, room, config, list(items.values()), listed.next_start_key is not None, tuple(history))


def load_for_update(room_id: str) -> RoomAndContent:
    """A room with all versions, for a write that depends on all of them."""
    # The room is read first: an activation after that changes its revision, and the write is refused.
    room, config, _none = find_room_and_versions(room_id)
    found = versions(room_id)
    items = found.items
    for _ in range(MAX_PAGES):
        if found.next_start_key is None:
            break
        found = versions(room_id, found.next_start_key)
        items = items + found.items
    return _build(room_id, room, config, items, found.next_start_key is not None, ())


def _build(
    room_id: str,
    room: Room | None,
    config: Config | None,
    items: list[RoomContent],
    more: bool,
    history: tuple[AuditEntry, ...],
) -> RoomAndContent:
    if room is None and not items:
        raise NotFound
    return RoomAndContent(room or Room.new(room=room_id), room is not None, config, items, more, history)


def _contents(found: Iterable[Item | PlainItem | None]) -> list[RoomContent]:
    return [each for each in found if isinstance(each, RoomContent)]
