"""Repairs of rooms, of their content, and of the count of people by domain."""

from __future__ import annotations

from collections.abc import Iterable

from dashboard.core.clock import now
from dashboard.platform.accounts.items import Person
from dashboard.platform.stream.lost_attributes import is_replaced, restore_lost
from dashboard.platform.stream.repairs import Change, Write, repairs_of
from dashboard.table import keys
from dashboard.table.attributes import to_attribute
from dashboard.table.items import Raw
from dashboard.table.schema import BY_NAME
from dashboard.table.timestamps import to_wire
from rooms.domain_counts import add_people, remove_person, valid_counts
from rooms.items import DomainCount, Room, RoomContent
from rooms.queries.domains import find_domain_count, is_passed
from rooms.queries.rooms import find_rooms
from rooms.services.domain_counts import LAG

# Outside writers know neither names nor versions of content; the rest belongs to an opening or an override.
_ROOM = ("name", "contentVersion", "activeVersion", "contentTitle", "contentType")
_OVERRIDE = ("overrideBy", "overrideByName", "overrideAt", "overrideUntil", "overrideUntilOpening")
_PEOPLE = BY_NAME[keys.PEOPLE_BY_AGE.index]
# What the count of a person depends on.
_COUNT_SOURCES = ("upTo", "freshUpTo", "freshSince", "corrections")


@repairs_of("room")
def repair_room(change: Change, _: None) -> Iterable[Write]:
    """The due time follows from the override; our own attributes come back after a Put."""
    room = change.new_item
    if not isinstance(room, Room):
        return
    names = list(_ROOM)
    names += ["openZone"] if "openAt" not in change.changed else []
    names += _OVERRIDE if "manualOverride" not in change.changed else []
    values = {name: value for write in restore_lost(change, names) for name, value in write.values.items()}
    restored = Room.of({**room.raw, **{name: value for name, value in values.items() if value is not None}})
    due_at = restored.plan.override_end
    if due_at != restored.due_at:
        values["dueAt"] = {"S": Room.due_at.serialize(due_at)} if due_at else None
    if values:
        yield Write(change.key, values)


def load_room_of(change: Change) -> Room | None:
    """The room of a content that a Put replaced."""
    content = change.new_item
    if not isinstance(content, RoomContent) or not content.key_parts or not is_replaced(change):
        return None
    (room,), _ = find_rooms([str(content.key_parts["room"])])
    return room


@repairs_of("room content", load=load_room_of)
def repair_content(change: Change, room: Room | None) -> Iterable[Write]:
    """The room names the version that plays, so a Put of that version does not stop it."""
    content = change.new_item
    if room is None or not isinstance(content, RoomContent):
        return
    yield from restore_lost(change, ("openZone", "shownAt", "madeFrom"))
    if room.active_version == content.number and "active" not in content.raw:
        yield Write(change.key, {"active": to_attribute(True)})


def load_count(change: Change) -> DomainCount | None:
    """The count by domain, if the person gets another position in the index of people."""
    return find_domain_count() if _position_before(change) != _position_after(change) else None


@repairs_of("person", load=load_count)
def repair_count(change: Change, count: DomainCount | None) -> Iterable[Write]:
    """Count a person whose new position the count has passed, and nobody twice."""
    person = change.new_item
    if count is None or not isinstance(person, Person):
        return
    before, after = _position_before(change), _position_after(change)
    values = {}
    maps = [("counts", count.counts, count.up_to)]
    maps += [("fresh", count.recount_counts, count.recount_up_to)] if count.is_recounting else []
    for name, counts, position in maps:
        was_counted = bool(before) and is_passed(position, before)
        is_counted = bool(after) and is_passed(position, after)
        if was_counted != is_counted:
            numbers = valid_counts(counts)
            numbers = add_people(numbers, [person.email]) if is_counted else remove_person(numbers, person.email)
            values[name] = to_attribute(numbers)
    # A count that runs now may pass the new position before the index shows the person. Increasing `corrections` makes
    # its save fail. A person who registered in the last minute needs none: the count stays two minutes behind.
    if values or after <= to_wire(now() - LAG / 2):
        values["corrections"] = to_attribute(int(count.corrections or 0) + 1)
        yield Write(count.key, values, {name: count.raw.get(name) for name in _COUNT_SOURCES})


def _position_before(change: Change) -> str:
    """The key in the index of people; after a Put that removed it, the previous one."""
    return _position_in(change.new) or _position_in(change.old)


def _position_in(raw: Raw | None) -> str:
    found = raw or {}
    is_listed = found.get(_PEOPLE.pk) == {"S": keys.PEOPLE_BY_AGE.collection().pk}
    return str(found.get(str(_PEOPLE.sk), {}).get("S", "")) if is_listed else ""


def _position_after(change: Change) -> str:
    person = change.new_item
    own = person.index_keys() if isinstance(person, Person) else ()
    return next((str(key.sk) for key in own if key.index == _PEOPLE.name), "")
