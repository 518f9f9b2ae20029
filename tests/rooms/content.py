"""Versions of room content, created with our services or written by outside writers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys, read
from dashboard.table.commands import Actor, new_command
from rooms.items import Room, RoomContent
from rooms.queries import content as queries
from rooms.services import content as services
from tests.conftest import ACTOR
from tests.rooms.rooms import put_item

SEEDS = Path(__file__).parent.parent / "transfer" / "seed_items.jsonl"
ACTIVE = {"GSI1PK": "CONTENT#ACTIVE"}


def put_seeds() -> None:
    """Write the rooms of the seed with their content."""
    for line in SEEDS.read_text().splitlines():
        values = json.loads(line)
        if str(values["PK"]).startswith("ROOM#"):
            put_item(values.pop("PK"), values.pop("SK"), **values)


def put_version(version: int | str, room: str = "sala1", *, active: bool = False, **values: Any) -> None:
    index_keys = ACTIVE | {"GSI1SK": room} if active else {}
    put_item(f"ROOM#{room}", f"CONTENT#v{version}", **index_keys, **values)


def create_version(title: str = "Bienvenida", room: str = "sala1", *, by: Actor = ACTOR, **more: Any) -> RoomContent:
    fields = {"title": title, "type": "video", "address": "https://vimeo.com/76979871"}
    return services.create(room, command=new_command(by), **fields | more)


def activate_version(number: int, room: str = "sala1", *, by: Actor = ACTOR, revision: int | None = None) -> Room:
    current = queries.load_for_update(room)
    return services.activate(
        room, number, revision=current.room.revision if revision is None else revision, command=new_command(by)
    )


def active_index_entries() -> list[tuple[str, str]]:
    """Room and sort key of the active content, as the apps read it from the index."""
    items = read.raw_page(keys.ACTIVE_CONTENT.collection()).items
    return [(raw["GSI1SK"]["S"], raw["SK"]["S"]) for raw in items]


def raw_items(room: str = "sala1") -> dict[str, dict[str, Any]]:
    """The raw versions of a room, by sort key."""
    items = read.raw_page(keys.ROOM_CONTENT.collection(room=room)).items
    return {raw["SK"]["S"]: raw for raw in items}


def active_content_of(room: Room) -> list[Any]:
    """The attributes of a room that describe its active version."""
    return [room.active_version, room.content_title, room.content_type]


def content_entries(prefix: str = "room.content.") -> list[AuditEntry]:
    """The audit entries whose action begins with this prefix."""
    entries = read.page(keys.SYSTEM_AUDIT.collection(), AuditEntry, limit=2_000, consistent=True).items
    return [entry for entry in entries if (entry.action or "").startswith(prefix)]
