"""The event's work for later."""

from __future__ import annotations

from dashboard.clock import now
from dashboard.due.registry import due
from dashboard.errors import Conflict, NotFound
from rooms.items import Room
from rooms.queries import rooms as queries
from rooms.services import overriding


@due("room")
def let_go(room: Room) -> str:
    """At the end that somebody has set to holding a room open or closed."""
    held = room.manual_override
    try:
        overriding.lapse(room, operation=overriding.lapse_operation(room))
    except Conflict:
        if queries.room(room.id).room.plan.lapsed(now()):
            raise
        return "it was changed meanwhile"
    except NotFound:
        return "it is gone"
    return f"not held {held} any more"
