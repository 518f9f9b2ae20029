"""A day of the event for the tests of its pages: some minutes of activity now, and a closed day in the archive."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from activity.archive.storage import ArchiveFolder
from activity.archive.writer import seal_past, write_events
from activity.events import Event
from activity.services import log
from dashboard.core.clock import now
from tests.rooms.rooms import BOGOTA, create_room

ANA, BRUNO, CARLA = "ana@empresa.test", "bruno@empresa.test", "carla@otra.test"


def event(user: str, at: datetime, action: str = "room_enter", **values: Any) -> Event:
    """Its id follows from its content, so that it can be logged again."""
    name = f"{user.partition('@')[0]}-{action.replace('_', '-')}-{int(at.timestamp() * 1000)}"
    return Event(id=name, user=user, at=at, action=action, **({"room": "sala3", "country": "Colombia"} | values))


def create_rooms() -> None:
    """Rooms that opened yesterday."""
    for number in (1, 3):
        create_room(f"sala{number}", now() - timedelta(days=1), name=f"Sala {number}", zone=BOGOTA)


def log_now() -> datetime:
    """Log what happened in the last minutes: Ana and Bruno are in sala 3, Carla in sala 1. Returns the moment."""
    moment = now().replace(second=0)
    log(
        [
            event(ANA, moment - timedelta(minutes=4)),
            event(ANA, moment - timedelta(minutes=2), "video_start"),
            event(BRUNO, moment - timedelta(minutes=3), country="México"),
            event(BRUNO, moment - timedelta(minutes=1), "post_created", country="México"),
            event(CARLA, moment - timedelta(minutes=2), room="sala1", country=None),
        ]
    )
    return moment


def visits_of(day: datetime) -> list[Event]:
    """One day: Ana completes sala 3, Bruno leaves early, Carla comes before it opens and does not come back."""
    closed = {"open": False}
    return [
        event(ANA, day),
        event(ANA, day + timedelta(minutes=1), "time_spent", metadata={"duration": 900}),
        event(ANA, day + timedelta(minutes=20), "room_completed"),
        event(BRUNO, day + timedelta(minutes=2), country="México"),
        event(CARLA, day - timedelta(minutes=30), metadata=closed, country="El Salvador"),
    ]


def archive_day(folder: Path, day: datetime) -> list[Event]:
    """The local day touches two dates in UTC: both are sealed."""
    events = visits_of(day)
    write_events(ArchiveFolder(folder), events)
    date = day.astimezone(UTC).date()
    seal_past(ArchiveFolder(folder), [date, date + timedelta(days=1)])
    return events
