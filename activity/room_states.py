"""Whether a room was open when somebody entered it: the funnel tells "left" from "was not open yet"."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import replace

from django.conf import settings

from activity.actions import ROOM_ENTER
from activity.events import Event
from dashboard.core.errors import Unavailable
from rooms.public import RoomPlan, StateReason, load_plans

logger = logging.getLogger("trastienda.activity")

# The apps of the event read the rooms every 30 seconds.
_MAX_AGE_SECONDS = 10.0
_lock = threading.Lock()
_read: tuple[str, float, dict[str, RoomPlan]] = ("", 0.0, {})


def mark_closed_rooms(events: Sequence[Event]) -> list[Event]:
    """The events, with `open: false` in the metadata of each one that entered a room which was closed then."""
    entered = [event for event in events if _enters_room(event)]
    if not entered:
        return list(events)
    plans = _plans()
    return [_marked(event, plans) if _enters_room(event) else event for event in events]


def _enters_room(event: Event) -> bool:
    return event.action == ROOM_ENTER and event.room is not None


def _marked(event: Event, plans: dict[str, RoomPlan]) -> Event:
    plan = plans.get(event.room or "")
    metadata = {name: value for name, value in event.metadata.items() if name != "open"}
    state = plan.state_at(event.at) if plan is not None else None
    if state is not None and not state.is_open and state.reason != StateReason.NOTHING:
        metadata["open"] = False
    return replace(event, metadata=metadata)


def _plans() -> dict[str, RoomPlan]:
    """The rooms, read every few seconds. If they cannot be read, the last known ones are used."""
    global _read
    with _lock:
        table, read_at, plans = _read
        if table == settings.DYNAMODB_TABLE and time.monotonic() < read_at + _MAX_AGE_SECONDS:
            return plans
        try:
            plans = load_plans()
        except Unavailable:
            logger.warning("the rooms could not be read")
            return plans if table == settings.DYNAMODB_TABLE else {}
        _read = settings.DYNAMODB_TABLE, time.monotonic(), plans
        return plans
