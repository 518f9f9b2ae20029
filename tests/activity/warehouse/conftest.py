"""An archive in a folder, and a moment in which its days are over."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from activity.archive.storage import ArchiveFolder, Storage
from activity.params import DayRange
from dashboard.core import clock
from dashboard.table import write
from rooms.items import Room

ZONE = ZoneInfo("America/Bogota")
DAY = DayRange.of_day(date(2026, 3, 10), ZONE)
# Two days later, in the morning: the archive has sealed both dates (UTC) of the day.
MOMENT = datetime(2026, 3, 12, 14, tzinfo=UTC)


@pytest.fixture
def moment() -> Iterator[datetime]:
    with clock.frozen(MOMENT):
        yield MOMENT


@pytest.fixture
def archive(moment: datetime, table: str, log_tables: None, tmp_path: Path, settings: Any) -> Storage:
    """An empty archive in a folder, on a table with one room, whose time zone is the event's."""
    settings.ACTIVITY_ARCHIVE = str(tmp_path / "archive")
    room = Room.new(room="sala1")
    room.open_zone = ZONE.key
    write.put(room)
    return ArchiveFolder(tmp_path / "archive")
