"""Due tasks of the event: ending overrides and counting people by domain."""

from __future__ import annotations

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, NotFound
from dashboard.platform.due.registry import before_each_run, due
from rooms.items import DomainCount, Room
from rooms.queries import domains, rooms
from rooms.services import domain_counts, overrides


@due("room")
def end_override(room: Room) -> str:
    """End an override at its end time, or close a room at its closing time."""
    override = room.override
    if override is None and room.next_due is not None and room.next_due <= now():
        return follow_schedule(room)
    if not room.plan.has_expired(now()):
        # An outside writer has changed the end, or removed the override, without changing the due time.
        overrides.update_due_time(room)
        return "it has not ended"
    try:
        overrides.expire(room, command=overrides.expiry_command(room))
    except Conflict:
        if rooms.load_room(room.id).room.plan.has_expired(now()):
            raise
        return "it was changed meanwhile"
    except NotFound:
        return "it is gone"
    return f"no longer overridden ({override})"


def follow_schedule(room: Room) -> str:
    """Close the room at its closing time; clear that when it opens again."""
    try:
        changed = overrides.follow_schedule(room, command=overrides.schedule_command(room))
    except Conflict:
        return "it was changed meanwhile"
    except NotFound:
        return "it is gone"
    return "closed by its schedule" if changed.is_marked_closed else "opened by its schedule"


@before_each_run
def ensure_domain_count() -> str | None:
    if domains.find_domain_count() is None and domain_counts.start():
        return "began to count people by their domain"
    return None


@due("domain count")
def count_domains(count: DomainCount) -> str:
    return f"counted {domain_counts.count_next(count)} people by their domain"
