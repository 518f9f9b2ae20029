"""Whether a room is open: one rule over the schedule, the override and the clock. It knows no table and no page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

OPEN, CLOSED = "open", "closed"
OVERRIDES = (OPEN, CLOSED)


class StateReason(StrEnum):
    """What decides."""

    SCHEDULE = "schedule"
    OVERRIDE = "override"
    # No opening is set, and nobody holds it.
    NOTHING = "nothing"


@dataclass(frozen=True)
class NextChange:
    """What happens next, and when."""

    at: datetime
    is_open: bool


@dataclass(frozen=True)
class Plan:
    """What is said of a room: when it opens, what someone holds it at, and until when."""

    open_at: datetime | None = None
    override: str | None = None
    until: datetime | None = None

    def __post_init__(self) -> None:
        # Two moments by the same clocks are compared by what these show, and once a year they show an hour twice.
        for name in ("open_at", "until"):
            moment: datetime | None = getattr(self, name)
            object.__setattr__(self, name, moment.astimezone(UTC) if moment is not None else None)

    @property
    def override_end(self) -> datetime | None:
        """When an override ends by itself; none where none is set, or it has no end."""
        return self.until if self.override in OVERRIDES else None

    def active_override(self, now: datetime) -> str | None:
        """What someone holds the room at, at this moment. Past its end an override has ended, whoever has noticed."""
        if self.override not in OVERRIDES or (self.until is not None and now >= self.until):
            return None
        return self.override

    def has_expired(self, now: datetime) -> bool:
        """Whether an override stands there that has ended."""
        return self.override_end is not None and now >= self.override_end

    def state_at(self, now: datetime) -> RoomState:
        """The state at a moment, why, and what changes next."""
        is_open, reason = self._state(now)
        return RoomState(is_open, reason, self._next(now, is_open))

    def _state(self, now: datetime) -> tuple[bool, StateReason]:
        active_override = self.active_override(now)
        if active_override is not None:
            return active_override == OPEN, StateReason.OVERRIDE
        if self.open_at is None:
            return False, StateReason.NOTHING
        return now >= self.open_at, StateReason.SCHEDULE

    def _next(self, now: datetime, is_open: bool) -> NextChange | None:
        """The first of the moments to come at which it is another than now."""
        moments = sorted(moment for moment in (self.override_end, self.open_at) if moment is not None and moment > now)
        for moment in moments:
            then, _why = self._state(moment)
            if then != is_open:
                return NextChange(moment, then)
        return None


@dataclass(frozen=True)
class RoomState:
    """How a room stands."""

    is_open: bool
    reason: StateReason
    next: NextChange | None
