"""Versions of what rooms show, as we make them and as other services do."""

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
from rooms.services.content import ContentFields
from tests.conftest import ACTOR
from tests.rooms.rooms import put

SEEDS = Path(__file__).parent.parent / "transfer" / "seed_items.jsonl"
ACTIVE = {"GSI1PK": "CONTENT#ACTIVE"}


def put_seeds() -> None:
    """The seed's rooms and their content."""
    for line in SEEDS.read_text().splitlines():
        values = json.loads(line)
        if str(values["PK"]).startswith("ROOM#"):
            put(values.pop("PK"), values.pop("SK"), **values)


def put_version(version: int | str, room: str = "sala1", *, active: bool = False, **values: Any) -> None:
    place = ACTIVE | {"GSI1SK": room} if active else {}
    put(f"ROOM#{room}", f"CONTENT#v{version}", **place, **values)


def a_version(title: str = "Bienvenida", room: str = "sala1", *, by: Actor = ACTOR, **more: Any) -> RoomContent:
    fields = ContentFields(title, "video", more.pop("address", "https://vimeo.com/76979871"), more.pop("open_at", None))
    return services.create(room, fields, command=new_command(by), **more)


def activated(number: int, room: str = "sala1", *, by: Actor = ACTOR, revision: int | None = None) -> Room:
    at = queries.load_for_update(room)
    return services.activate(
        room, number, revision=at.room.revision if revision is None else revision, command=new_command(by)
    )


def in_index() -> list[tuple[str, str]]:
    """What the apps are answered: room and key of what plays."""
    found = read.raw_page(keys.ACTIVE_CONTENT.collection()).items
    return [(raw["GSI1SK"]["S"], raw["SK"]["S"]) for raw in found]


def raw_items(room: str = "sala1") -> dict[str, dict[str, Any]]:
    found = read.raw_page(keys.ROOM_CONTENT.collection(room=room)).items
    return {raw["SK"]["S"]: raw for raw in found}


def named(room: Room) -> list[Any]:
    """What a room says of the version that plays."""
    return [room.active_version, room.content_title, room.content_type]


def trail(prefix: str = "room.content.") -> list[AuditEntry]:
    found = read.page(keys.SYSTEM_AUDIT.collection(), AuditEntry, limit=2_000, consistent=True).items
    return [entry for entry in found if (entry.action or "").startswith(prefix)]
