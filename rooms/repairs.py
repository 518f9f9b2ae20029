"""Repairs of rooms, of their content, and of the count of people by domain."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dashboard.core.clock import now
from dashboard.platform.accounts.items import Person
from dashboard.platform.stream.changes import AttributeValue, Change, Write
from dashboard.platform.stream.lost_attributes import lost_attributes, restore_lost_attributes
from dashboard.platform.stream.rules import repairs_of
from dashboard.table import keys
from dashboard.table.attributes import to_attribute
from dashboard.table.items import Raw
from dashboard.table.schema import BY_NAME
from dashboard.table.timestamps import to_wire
from rooms.domain_counts import add_people, remove_person, valid_counts
from rooms.items import DomainCount, Room, RoomContent, SubtractedPerson
from rooms.queries.domains import find_domain_count, is_passed, is_subtracted
from rooms.queries.rooms import find_rooms
from rooms.services.domain_counts import LAG

# Outside writers know neither names nor versions of content; the rest belongs to an opening or an override.
_ROOM_ATTRIBUTES = ("name", "contentVersion", "activeVersion", "contentTitle", "contentType")
_OVERRIDE_ATTRIBUTES = (
    "overrideBy",
    "overrideByName",
    "overrideAt",
    "overrideUntil",
    "overrideUntilOpening",
    "closedAt",
)
_PEOPLE_INDEX = BY_NAME[keys.PEOPLE_BY_AGE.index]
# What the count of a person depends on.
_COUNT_SOURCES = ("upTo", "freshUpTo", "freshSince", "corrections")


@repairs_of("room")
def repair_room(change: Change, _: None) -> Iterable[Write]:
    """The due time follows from the override; our own attributes come back after a Put."""
    room = change.new_item
    if not isinstance(room, Room):
        return
    names = list(_ROOM_ATTRIBUTES)
    names += ["openZone", "closeAt"] if "openAt" not in change.changed else []
    names += _OVERRIDE_ATTRIBUTES if "manualOverride" not in change.changed else []
    values: dict[str, AttributeValue | None] = {**lost_attributes(change, names)}
    restored = Room.of({**room.raw, **lost_attributes(change, names)})
    due_at = restored.next_due
    if due_at != restored.due_at:
        values["dueAt"] = {"S": Room.due_at.serialize(due_at)} if due_at else None
    if values:
        yield Write(change.key, values)


def load_room_of(change: Change) -> Room | None:
    """The room of a content that a Put replaced."""
    content = change.new_item
    if not isinstance(content, RoomContent) or not content.key_parts or not change.is_replaced:
        return None
    (room,), _ = find_rooms([str(content.key_parts["room"])])
    return room


@repairs_of("room content", load=load_room_of)
def repair_content(change: Change, room: Room | None) -> Iterable[Write]:
    """The room names the version that plays, so a Put of that version does not stop it."""
    content = change.new_item
    if room is None or not isinstance(content, RoomContent):
        return
    yield from restore_lost_attributes(change, ("openZone", "shownAt", "madeFrom"))
    if room.active_version == content.number and "active" not in content.raw:
        yield Write(change.key, {"active": to_attribute(True)})


def load_count(change: Change) -> DomainCount | None:
    """The count by domain, if the person gets another key in the index of people."""
    return find_domain_count() if _index_key_before(change) != _index_key_after(change) else None


def load_count_before_deletion(change: Change) -> DomainCount | None:
    """The count by domain, if this deleted person is not subtracted from it yet."""
    person, registered_at = change.old_item, _index_key_in(change.old)
    if change.new is not None or not registered_at or not isinstance(person, Person):
        return None
    return None if is_subtracted(person.email, registered_at) else find_domain_count()


@repairs_of("person", load=load_count_before_deletion, on_delete=True)
def subtract_person(change: Change, count: DomainCount | None) -> Iterable[Write]:
    """Subtract a deleted person whom the count has passed. A second item prevents that this happens twice."""
    person, registered_at = change.old_item, _index_key_in(change.old)
    if count is None or not isinstance(person, Person):
        return
    values = {
        name: to_attribute(remove_person(valid_counts(counts), person.email))
        for name, counts, position in _counts_in(count)
        if is_passed(position, registered_at)
    }
    # A count that runs now may have read the person: its save fails, and it reads again.
    values["corrections"] = to_attribute(int(count.corrections or 0) + 1)
    yield Write(count.key, values, {name: count.raw.get(name) for name in _COUNT_SOURCES})
    yield Write.of_new(SubtractedPerson.until_stream_ends(person.email, registered_at))


@repairs_of("person", load=load_count)
def repair_count(change: Change, count: DomainCount | None) -> Iterable[Write]:
    """Count a person whose new key in the index of people the count has passed, and nobody twice."""
    person = change.new_item
    if count is None or not isinstance(person, Person):
        return
    before, after = _index_key_before(change), _index_key_after(change)
    values = {}
    for name, counts, position in _counts_in(count):
        was_counted = bool(before) and is_passed(position, before)
        is_counted = bool(after) and is_passed(position, after)
        if was_counted != is_counted:
            numbers = valid_counts(counts)
            numbers = add_people(numbers, [person.email]) if is_counted else remove_person(numbers, person.email)
            values[name] = to_attribute(numbers)
    # A count that runs now may pass the new key before the index shows the person. Increasing `corrections` makes
    # its save fail. A person who registered in the last minute needs none: the count stays two minutes behind.
    if values or after <= to_wire(now() - LAG / 2):
        values["corrections"] = to_attribute(int(count.corrections or 0) + 1)
        yield Write(count.key, values, {name: count.raw.get(name) for name in _COUNT_SOURCES})


def _counts_in(count: DomainCount) -> list[tuple[str, Any, Any]]:
    """The stored maps of counts, each with its name and the position in the index that it has reached."""
    current = [("counts", count.counts, count.up_to)]
    return [*current, ("fresh", count.recount_counts, count.recount_up_to)] if count.is_recounting else current


def _index_key_before(change: Change) -> str:
    """The key in the index of people; after a Put that removed it, the previous one."""
    return _index_key_in(change.new) or _index_key_in(change.old)


def _index_key_in(raw: Raw | None) -> str:
    stored = raw or {}
    is_listed = stored.get(_PEOPLE_INDEX.pk) == {"S": keys.PEOPLE_BY_AGE.collection().pk}
    return str(stored.get(str(_PEOPLE_INDEX.sk), {}).get("S", "")) if is_listed else ""


def _index_key_after(change: Change) -> str:
    person = change.new_item
    own = person.index_keys() if isinstance(person, Person) else ()
    return next((str(key.sk) for key in own if key.index == _PEOPLE_INDEX.name), "")
