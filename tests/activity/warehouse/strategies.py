"""Random events for Hypothesis, with few people, rooms and minutes, so that they meet."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import strategies as st

from activity.archive.schema import rows_of
from activity.events import Event
from activity.warehouse.engines.local import ARCHIVE_COLUMNS, EventData

USERS = ("ana@uno.test", "bea@uno.test", "cleo@dos.test", "d'angelo@dos.test", "sin-correo")
ROOMS = ("sala1", "sala2", None)
COUNTRIES = ("México", "mexico", "El Salvador", "Perú", None)
ACTIONS = ("room_enter", "room_completed", "time_spent", "video_start", "otra")
METADATA: tuple[dict[str, Any], ...] = (
    {},
    {"open": False},
    {"open": True},
    {"duration": 299},
    {"duration": 1},
    {"duration": 150.75},
    {"duration": -600},
    {"duration": 1e9},
    {"duration": "nan"},
    {"duration": "long"},
    {"duration": {"seconds": 600}},
    {"duration": [600]},
    {"note": "¿'\"--;$1?"},
)


def event_lists(start: datetime, end: datetime, most: int = 40) -> st.SearchStrategy[list[Event]]:
    """Events between two moments, many of them close together."""
    seconds = int((end - start).total_seconds())
    moments = st.one_of(
        st.integers(0, seconds * 1000 - 1),
        st.integers(0, min(seconds, 1200) * 1000 - 1),
        st.sampled_from([0, seconds * 1000 - 1, 3_599_999, 3_600_000]),
    )
    one = st.tuples(
        st.sampled_from(USERS),
        moments,
        st.sampled_from(ACTIONS),
        st.sampled_from(ROOMS),
        st.sampled_from(COUNTRIES),
        st.sampled_from(METADATA),
    )
    return st.lists(one, max_size=most).map(
        lambda found: [
            Event(f"e{number}", user, start + timedelta(milliseconds=later), action, room, country, metadata)
            for number, (user, later, action, room, country, metadata) in enumerate(found)
        ]
    )


def table_of(events: list[Event]) -> pa.Table:
    """Events as the rows that a question reads."""
    rows = rows_of(events)
    dates = pc.strftime(rows["at"], "%Y-%m-%d")
    return rows.append_column(ARCHIVE_COLUMNS.field("date"), dates).cast(ARCHIVE_COLUMNS)


def in_memory(events: list[Event]) -> EventData:
    return EventData(rows=table_of(events))
