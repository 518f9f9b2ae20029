"""Versions of a room's content: created, activated, deactivated, and read whoever wrote them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from dashboard.core.clock import frozen
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.platform.audit.queries import history
from dashboard.platform.audit.sentences import history_lines
from dashboard.table import keys
from dashboard.table.commands import Actor, new_command
from dashboard.table.items import CLASSES
from rooms.demo import content as demo
from rooms.queries import content as queries
from rooms.queries.content import MAX_NUMBER
from rooms.queries.rooms import audit_target
from rooms.services import content as services
from tests.conftest import ACTOR, every_engine
from tests.rooms.content import (
    activate_version,
    active_content_of,
    active_index_entries,
    content_entries,
    create_version,
    put_seeds,
    put_version,
    raw_items,
)
from tests.rooms.rooms import put_item, put_room, stored_room
from tests.ui.walk import values

SOFIA = Actor("sofia@example.com", "Sofía Duarte")
TEN = datetime(2026, 3, 1, 10, tzinfo=UTC)


def stored_numbers(room: str = "sala1") -> list[int]:
    return [each.number for each in queries.load_room_content(room).versions]


def test_the_seed_content_loads_with_its_active_version(table: str) -> None:
    put_seeds()
    at = queries.load_room_content("sala1")
    assert [(each.number, each.title, each.type, each.vimeo_url) for each in at.versions] == [
        (2, "Bienvenida, otra vez", "video", "https://vimeo.com/2"),
        (1, "Bienvenida", "video", "https://vimeo.com/1"),
    ]
    assert at.current is not None
    assert (at.current.number, len(at.playing), at.highest_number, at.has_item) == (1, 1, 2, True)
    assert queries.load_room_content("sala2").versions == []


def test_a_new_version_has_the_attributes_of_the_seed_and_an_audit_entry(table: str) -> None:
    put_seeds()
    fields = {"title": "Cierre", "type": "live", "address": "https://vimeo.com/event/4154130", "open_at": TEN}

    created = services.create("sala1", source=2, open_zone="America/Bogota", command=new_command(SOFIA), **fields)

    assert created.key == ("ROOM#sala1", "CONTENT#v3"), "the sort key has the format of the seed"
    raw = raw_items()["CONTENT#v3"]
    assert {name: raw[name]["S"] for name in ("type", "title", "vimeoUrl", "openAt", "openZone")} == {
        "type": "live",
        "title": "Cierre",
        "vimeoUrl": "https://vimeo.com/event/4154130",
        "openAt": "2026-03-01T10:00:00Z",
        "openZone": "America/Bogota",
    }
    assert (raw["updatedBy"]["S"], raw["updatedByName"]["S"], raw["madeFrom"]["N"]) == (*SOFIA.__dict__.values(), "2")
    assert not {"GSI1PK", "active", "shownAt"} & raw.keys()
    assert active_index_entries() == [("sala1", "CONTENT#v1")], "the active version stays active"
    room = stored_room()
    assert (room.content_version, active_content_of(room)) == (3, [None] * 3)
    assert room.revision == 0, "the revision of the room does not change, so open forms stay valid"
    (entry,) = content_entries()
    assert (entry.action, entry.target["id"], entry.target["type"]) == ("room.content.create", "room:sala1", "room")
    assert entry.after == {
        "version": "3",
        "title": "Cierre",
        "type": "live",
        "video": "https://vimeo.com/event/4154130",
        "opening": "2026-03-01T10:00:00Z",
        "made_from": "v2",
    }
    assert [each.what for each in history_lines(history(audit_target("sala1")))] == ["added version 3 to sala1"]


def test_the_next_number_is_above_the_room_counter_and_all_versions(table: str) -> None:
    put_room(contentVersion=4)
    assert create_version().number == 5, "the number of a deleted version is not used again"
    put_version("9")
    put_version("00000012")
    assert create_version().number == 13
    assert stored_room().content_version == 13
    assert stored_numbers() == [13, 12, 9, 5]


def test_versions_are_ordered_by_number_in_any_format(table: str) -> None:
    put_room()
    for version in ("9", "10", "00000002", "100", "0011"):
        put_version(version, title=version)
    assert stored_numbers() == [100, 11, 10, 9, 2]
    activate_version(2)
    assert active_index_entries() == [("sala1", "CONTENT#v00000002")], "the version keeps its key"


def test_two_items_with_one_number_are_one_version(table: str) -> None:
    put_room()
    put_version("3", title="Ours")
    put_version("00000003", title="Theirs", active=True)
    at = queries.load_room_content("sala1")
    assert [(each.number, each.title) for each in at.versions] == [(3, "Theirs")]
    put_version("00000003", title="Theirs")
    assert queries.load_room_content("sala1").load_version(3).title == "Ours"


@every_engine
def test_activating_changes_index_versions_and_room_together(table: str) -> None:
    put_seeds()
    created = create_version("Cierre", source=1)

    room = services.activate("sala1", created.number, revision=0, command=new_command(SOFIA))

    assert active_index_entries() == [("sala1", "CONTENT#v3")]
    items = raw_items()
    assert [sk for sk, raw in items.items() if "active" in raw] == ["CONTENT#v3"]
    assert items["CONTENT#v3"]["active"] == {"BOOL": True}
    assert {"shownAt"} <= items["CONTENT#v1"].keys() & items["CONTENT#v3"].keys()
    assert "shownAt" not in items["CONTENT#v2"]
    assert items["CONTENT#v3"]["updatedBy"]["S"] == ACTOR.email, "activating does not change the author of the version"
    stored = stored_room()
    assert active_content_of(stored) == [3, "Cierre", "video"]
    assert (stored.content_version, stored.revision, stored.updated_by) == (3, 1, SOFIA.email)
    assert room.outcome.result == {"version": 3, "previous": 1}
    entry = content_entries()[-1]
    assert (entry.action, entry.before, entry.after) == (
        "room.content.activate",
        {"version": "1", "title": "Bienvenida"},
        {"version": "3", "title": "Cierre"},
    )
    (activation, _creation) = history_lines(history(audit_target("sala1")))
    assert (activation.who, activation.what) == ("Sofía Duarte", "activated version 3 in sala1")
    assert activation.note == "version: 1 → 3 · title: Bienvenida → Cierre"

    # Activating does not change the opening time of the room.
    assert stored.open_at == datetime(2025, 8, 18, 14, tzinfo=UTC)


def test_a_version_keeps_the_time_when_it_was_last_shown(table: str) -> None:
    put_seeds()
    for hours, number in enumerate((2, 1, 2)):
        with frozen(TEN + timedelta(hours=hours)):
            activate_version(number)
    shown_at = {sk: raw["shownAt"]["S"] for sk, raw in raw_items().items()}
    assert shown_at == {"CONTENT#v1": "2026-03-01T11:00:00Z", "CONTENT#v2": "2026-03-01T12:00:00Z"}


def test_activating_sets_the_version_counter_of_the_room(table: str) -> None:
    put_seeds()
    assert activate_version(2).content_version == 2


def test_deactivating_leaves_no_active_version(table: str) -> None:
    put_seeds()
    activate_version(2)
    room = services.deactivate("sala1", revision=1, command=new_command(SOFIA))
    assert active_index_entries() == []
    assert active_content_of(stored_room()) == [None] * 3
    assert not any("active" in raw for raw in raw_items().values())
    assert room.outcome.result == {"version": None, "previous": 2}
    assert [entry.action for entry in content_entries()] == ["room.content.activate", "room.content.deactivate"]
    assert history_lines(history(audit_target("sala1")))[0].what == "deactivated version 2 in sala1"


def test_activating_the_active_version_changes_nothing(table: str) -> None:
    put_seeds()
    room = services.activate("sala1", 1, revision=0, command=new_command(SOFIA))
    assert room.outcome.is_no_change
    services.deactivate("sala1", revision=0, command=new_command(SOFIA))
    again = services.deactivate("sala1", revision=stored_room().revision, command=new_command(SOFIA))
    assert again.outcome.is_no_change
    assert [entry.action for entry in content_entries()] == ["room.content.deactivate"]


def test_a_repeated_command_is_executed_once(table: str) -> None:
    put_seeds()
    command = new_command(SOFIA)
    first = services.activate("sala1", 2, revision=0, command=command)
    again = services.activate("sala1", 2, revision=0, command=command)
    assert (first.outcome.result, first.revision) == (again.outcome.result, again.revision)
    assert not again.outcome.is_no_change and not again.outcome.has_changed_since
    command = new_command(SOFIA)
    fields: dict[str, Any] = {"title": "Cierre", "type": "video", "address": "https://vimeo.com/3"}
    created = [services.create("sala1", command=command, **fields).number for _ in range(2)]
    assert created == [3, 3]
    assert [entry.action for entry in content_entries()] == ["room.content.activate", "room.content.create"]
    assert stored_numbers() == [3, 2, 1]


def test_an_outdated_revision_is_a_conflict_and_nothing_changes(table: str) -> None:
    put_seeds()
    activate_version(2, by=SOFIA)
    before = raw_items()
    for revision in (0, 7):
        with pytest.raises(Conflict) as refusal:
            activate_version(1, revision=revision)
        assert refusal.value.item is not None and refusal.value.item.updated_by == SOFIA.email
    with pytest.raises(Conflict):
        services.deactivate("sala1", revision=0, command=new_command(ACTOR))
    assert raw_items() == before
    assert len(content_entries()) == 1


def test_activating_deactivates_all_other_active_versions(table: str) -> None:
    put_room()
    for version in range(1, 12):
        put_version(version, active=True, title=f"v{version}")
    at = queries.load_room_content("sala1")
    assert (len(at.playing), at.current and at.current.number) == (11, 11)
    activate_version(4)
    assert active_index_entries() == [("sala1", "CONTENT#v4")]
    assert queries.load_room_content("sala1").current is not None
    services.deactivate("sala1", revision=1, command=new_command(ACTOR))
    assert active_index_entries() == []


def test_of_several_active_versions_the_one_named_by_the_room_counts(table: str) -> None:
    put_room(activeVersion=1)
    put_version(1, active=True)
    put_version(2, active=True)
    at = queries.load_room_content("sala1")
    assert at.current is not None and at.current.number == 1
    # Activating one of two active versions is a change: it deactivates the other.
    assert not activate_version(1).outcome.is_no_change
    assert active_index_entries() == [("sala1", "CONTENT#v1")]


def test_a_room_that_names_another_version_is_corrected(table: str) -> None:
    put_room(activeVersion=7, contentTitle="Gone")
    put_version(1, active=True, title="Bienvenida")
    assert not activate_version(1).outcome.is_no_change
    assert active_content_of(stored_room()) == [1, "Bienvenida", None]


def test_a_room_without_an_item_gets_one_with_its_content(table: str) -> None:
    for act in (
        lambda: queries.load_room_content("sala9"),
        lambda: create_version(room="sala9"),
        lambda: activate_version(1, "sala9"),
    ):
        with pytest.raises(NotFound):
            act()
    put_version(1, "sala9", active=True, title="Sola")
    assert queries.load_room_content("sala9").has_item is False
    created = create_version("Nueva", "sala9")
    assert created.number == 2
    room = stored_room("sala9")
    assert room.content_version == 2
    assert not room.manual_override
    put_version(1, "sala8", title="Sola")
    assert activate_version(1, "sala8", revision=0).active_version == 1
    assert stored_room("sala8").content_title == "Sola"


def test_a_copy_without_changes_creates_no_version(table: str) -> None:
    put_seeds()
    opening = datetime(2025, 8, 18, 14, tzinfo=UTC)
    without = {"title": "Bienvenida", "type": "video", "address": "https://vimeo.com/1"}
    same: dict[str, Any] = {**without, "open_at": opening, "open_zone": "America/Bogota"}
    assert services.create("sala1", source=1, command=new_command(ACTOR), **same).outcome.is_no_change
    assert stored_numbers() == [2, 1] and content_entries() == []
    created = services.create("sala1", source=1, command=new_command(ACTOR), **without)
    assert values(created, "number", "open_at", "open_zone") == (3, None, None)
    assert services.create("sala1", source=3, command=new_command(ACTOR), **without).outcome.is_no_change


@pytest.mark.parametrize("room", ["", "a#b", "STATUS", "x" * 2000, "none"])
def test_an_unknown_room_is_not_found(table: str, room: str) -> None:
    put_seeds()
    for act in (
        lambda: queries.load_room_content(room),
        lambda: create_version(room=room),
        lambda: services.activate(room, 1, revision=0, command=new_command(ACTOR)),
        lambda: services.deactivate(room, revision=0, command=new_command(ACTOR)),
    ):
        with pytest.raises(NotFound):
            act()


def test_an_unknown_version_cannot_be_copied_or_activated(table: str) -> None:
    put_seeds()
    for act in (lambda: create_version(source=7), lambda: activate_version(7), lambda: activate_version(10**30)):
        with pytest.raises(NotFound):
            act()
    assert content_entries() == []


MALFORMED: dict[str, dict[str, Any]] = {
    "nothing at all": {},
    "other types": {"title": ["a"], "type": 3, "vimeoUrl": {"a": "b"}, "openAt": 7, "shownAt": True, "madeFrom": "x"},
    "no moments": {"openAt": "soon", "createdAt": "never", "openZone": "Nowhere/At_All", "active": "yes"},
    "odd numbers": {"madeFrom": 1.5, "revision": "x"},
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_versions_can_be_activated(table: str, name: str) -> None:
    put_room(activeVersion="two", contentVersion="three", contentTitle=["a"])
    put_version(1, **MALFORMED[name])
    put_item("ROOM#sala1", "CONTENT#vX", title="No number")
    put_item("ROOM#sala1", "CONTENT#v1#draft", title="Something else")
    assert stored_numbers() == [1]
    created = create_version("Nueva")
    assert created.number == 2
    for number in (1, 2):
        activate_version(number)
        assert active_index_entries() == [("sala1", f"CONTENT#v{number}")]
    assert stored_room().active_version == 2


@pytest.mark.parametrize("content_version", [-3, 2.5, 10**20, True])
def test_an_invalid_version_counter_is_ignored(table: str, content_version: Any) -> None:
    put_room(contentVersion=content_version)
    put_version(4)
    put_version(10**20)
    assert create_version().number == 5


def test_no_version_is_created_after_the_highest_number(table: str) -> None:
    put_room(contentVersion=MAX_NUMBER - 1)
    with pytest.raises(Refused):
        create_version()


def test_content_is_in_the_index_only_while_it_is_active() -> None:
    """Reindexing keeps active content in the index, and adds nothing else."""
    cls = CLASSES["room content"]
    raw = {"PK": {"S": "ROOM#sala1"}, "SK": {"S": "CONTENT#v1"}}
    assert list(cls.of(raw).index_keys()) == []
    assert list(cls.of(raw | {"active": {"BOOL": True}}).index_keys()) == [keys.ACTIVE_CONTENT.key(room="sala1")]
    assert list(cls.of(raw | {"GSI1PK": {"S": "CONTENT#ACTIVE"}}).index_keys()) == [
        keys.ACTIVE_CONTENT.key(room="sala1")
    ]


def test_the_demo_content_is_created_once(table: str) -> None:
    put_room("sala1", name="Auditorio")
    for room in ("sala2", "sala7"):
        put_room(room)
    assert (demo.seed(), demo.seed()) == (6, 0)
    assert active_index_entries() == [("sala1", "CONTENT#v2"), ("sala2", "CONTENT#v1")]
    assert stored_room().title == "Auditorio"
    assert len(content_entries()) == 6 + 3
