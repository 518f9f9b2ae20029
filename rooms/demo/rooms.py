"""Eight rooms of one day: some open, some about to open, two overridden."""

from __future__ import annotations

from datetime import datetime, timedelta

from dashboard.core.clock import now
from dashboard.platform.demos.logins import DOMAIN
from dashboard.platform.demos.moments import days_ago, in_recent_weeks
from dashboard.platform.jobs import interruptions
from dashboard.platform.jobs.items import Job, JobState
from dashboard.table import write
from dashboard.table.commands import Actor, Command
from rooms.queries import rooms as queries
from rooms.services import overrides, rooms, schedule, shifts
from rooms.shifts import build_lines
from rooms.state import CLOSED, OPEN

STAFF = Actor(f"staff@{DOMAIN}", "Sofía Duarte")
ZONE = "America/Bogota"
# Id, name, and opening in minutes from now.
ROOMS: tuple[tuple[str, str, int | None], ...] = (
    ("sala1", "Bienvenida", -190),
    ("sala2", "Plenaria", -130),
    ("sala3", "Taller de liderazgo", -40),
    ("sala4", "Salud y bienestar", 25),
    ("sala5", "Innovación", 70),
    ("sala6", "Finanzas personales", 70),
    ("sala7", "Concierto de cierre", 205),
    ("sala8", "Sala de pruebas", None),
)


def seed() -> int:
    """Add the missing rooms, and return their number."""
    there = {room.id for room in queries.all_rooms()}
    missing = [each for each in ROOMS if each[0] not in there]
    quarter = now().replace(minute=now().minute // 5 * 5, second=0)
    for room_id, name, minutes in missing:
        opening = quarter + timedelta(minutes=minutes) if minutes is not None else None
        with in_recent_weeks(f"room {room_id}"):
            _add(room_id, name, opening)
    if missing:
        _close("sala1", quarter - timedelta(minutes=30))
        _close("sala2", quarter + timedelta(minutes=50))
        _override("sala3", CLOSED, None)
        _override("sala4", OPEN, overrides.OPENING)
        _interrupt_shift(["sala5", "sala6"])
    return len(missing)


def _add(room_id: str, name: str, opening: datetime | None) -> None:
    command = Command(f"demo-room-{room_id}", STAFF)
    rooms.create(room_id, name=name, open_at=opening, zone=ZONE, command=command)


def _close(room_id: str, closing: datetime) -> None:
    room = queries.load_room(room_id).room
    command = Command(f"demo-room-{room_id}-closes", STAFF)
    with days_ago(1, command.id):
        schedule.set_schedule(
            room_id, open_at=room.open_at, zone=ZONE, close_at=closing, revision=room.revision, command=command
        )


def _override(room_id: str, value: str, until: str | None) -> None:
    command = Command(f"demo-room-{room_id}-held", STAFF)
    revision = queries.load_room(room_id).room.revision
    with days_ago(1, command.id):
        overrides.override(room_id, value=value, until=until, revision=revision, command=command)


def _interrupt_shift(room_ids: list[str]) -> None:
    """A job that an error has interrupted: its person can continue it, and admins see it."""
    with days_ago(0.1, "interrupted shift"):
        lines = build_lines([queries.load_room(room_id).room for room_id in room_ids], 5)
        job = shifts.prepare(lines, 5, ZONE, command=Command("demo-interrupted-shift", STAFF))
        write.update(job.key, [Job.state.set(JobState.FAILED), *interruptions.listing(job)])
