"""Rooms for the tests, created with our services or written by outside writers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.test import Client
from pynamodb.expressions.operand import Path

from dashboard.core.clock import now
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.queries import history
from dashboard.platform.configs.items import Config
from dashboard.table import connection, keys, read, write
from dashboard.table.attributes import from_attribute, to_attribute
from dashboard.table.commands import new_command
from dashboard.table.timestamps import to_wire
from rooms.items import Room
from rooms.queries import rooms as queries
from rooms.services import rooms as services
from tests.conftest import ACTOR
from tests.ui.html import undo_form

DAY = datetime(2026, 3, 2, tzinfo=UTC)
NINE, TEN, NOON = (DAY + timedelta(hours=hour) for hour in (9, 10, 12))
BOGOTA = "America/Bogota"


def create_room(
    room_id: str = "sala1", open_at: datetime | None = TEN, name: str = "", zone: str | None = BOGOTA
) -> Room:
    return services.create(room_id, name=name, open_at=open_at, zone=zone, command=new_command(ACTOR))


def create_rooms(count: int, first: datetime = TEN) -> list[Room]:
    """Create rooms that open ten minutes apart."""
    return [create_room(f"sala{n}", first + timedelta(minutes=10 * n)) for n in range(1, count + 1)]


def put_item(pk: str, sk: str, **values: Any) -> None:
    """Write an item as an outside writer does."""
    item = {"PK": pk, "SK": sk, **values}
    raw = {name: to_attribute(value) for name, value in item.items()}
    connection.client().put_item(TableName=settings.DYNAMODB_TABLE, Item=raw)


def put_room(room_id: str = "sala1", **values: Any) -> None:
    put_item("ROOM#STATUS", f"ROOM#{room_id}", **{"manualOverride": None, **values})


def put_schedule(**times: Any) -> None:
    put_item("CONFIG#schedule", "CONFIG#schedule", salaOpenTimes=times)


def change_schedule_entry(room_id: str, time: str = "2026-03-02T12:00:00Z") -> None:
    """An outside writer changes a room's time in the schedule, but not in the room."""
    key = keys.CONFIG.key(name="schedule")
    write.update(key, [Path(["salaOpenTimes", room_id]).set(time)])


def stored_room(room_id: str = "sala1") -> Room:
    return queries.load_room(room_id).room


def stored_schedule() -> dict[str, Any]:
    """The opening times in the event's schedule, as they are stored."""
    config = read.get(Config, keys.CONFIG.key(name="schedule"))
    return dict(from_attribute(config.raw["salaOpenTimes"])) if config else {}


def audit_entries(room_id: str = "sala1") -> list[AuditEntry]:
    return history(queries.audit_target(room_id))


def audit_actions(room_id: str = "sala1") -> list[str | None]:
    """The actions in the audit entries of a room, oldest first."""
    return [each.action for each in reversed(audit_entries(room_id))]


def assert_schedule_matches() -> None:
    """Check that every room opens at the time in the schedule."""
    openings = {room.id: room.plan.open_at for room in queries.all_rooms()}
    assert stored_schedule() == {name: to_wire(moment) for name, moment in openings.items() if moment is not None}


def minutes_from_now(minutes: float = 30) -> datetime:
    return now() + timedelta(minutes=minutes)


def press_undo(client: Client, page: str = "/rooms/") -> None:
    """Press Undo in the toast on this page."""
    form = undo_form(client.get(page))
    assert client.post(form.action, form.data()).status_code == 303
