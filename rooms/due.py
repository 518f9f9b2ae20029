"""The event's work for later: what is held ends, and whoever has come since is counted by their domain."""

from __future__ import annotations

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, NotFound
from dashboard.platform.due.registry import before_each_run, due
from rooms.items import DomainCount, Room
from rooms.queries import domains, rooms
from rooms.services import domain_counts, overrides


@due("room")
def let_go(room: Room) -> str:
    """At the end that somebody has set to holding a room open or closed."""
    held = room.manual_override
    if not room.plan.lapsed(now()):
        # Another service has given it another end, or let go, and knows nothing of when it is due.
        overrides.keep(room)
        return "it has not ended"
    try:
        overrides.lapse(room, command=overrides.lapse_operation(room))
    except Conflict:
        if rooms.room(room.id).room.plan.lapsed(now()):
            raise
        return "it was changed meanwhile"
    except NotFound:
        return "it is gone"
    return f"not held {held} any more"


@before_each_run
def counting_of_people_by_domain() -> str | None:
    if domains.domain_count() is None and domain_counts.begin():
        return "began to count people by their domain"
    return None


@due("domain count")
def count_domains(count: DomainCount) -> str:
    return f"counted {domain_counts.count_on(count)} people by their domain"
