"""Whether a room is open: the only rule over schedule, override and time. This module uses no table and no page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

OPEN, CLOSED = "open", "closed"
OVERRIDES = (OPEN, CLOSED)


class StateReason(StrEnum):
    """Why a room is open or closed."""

    SCHEDULE = "schedule"
    OVERRIDE = "override"
    # No opening time and no override.
    NOTHING = "nothing"


@dataclass(frozen=True)
class NextChange:
    """The next change of the state."""

    at: datetime
    is_open: bool


@dataclass(frozen=True)
class RoomPlan:
    """A room's opening and closing time, its override and the end of the override."""

    open_at: datetime | None = None
    override: str | None = None
    until: datetime | None = None
    close_at: datetime | None = None

    def __post_init__(self) -> None:
        # Python compares two times of one zone by their clock time, which repeats for an hour once a year.
        for name in ("open_at", "until", "close_at"):
            moment: datetime | None = getattr(self, name)
            object.__setattr__(self, name, moment.astimezone(UTC) if moment is not None else None)

    @property
    def closing(self) -> datetime | None:
        """When the room closes after its opening; None without an opening, or if the closing is not after it."""
        if self.open_at is None or self.close_at is None or self.close_at <= self.open_at:
            return None
        return self.close_at

    def is_past_closing(self, now: datetime) -> bool:
        """Whether the schedule has closed the room."""
        return self.closing is not None and now >= self.closing

    @property
    def override_end(self) -> datetime | None:
        """When the override ends; None without an override or without an end."""
        return self.until if self.override in OVERRIDES else None

    def active_override(self, now: datetime) -> str | None:
        """The override at this moment. It ends at its end, even if nothing was written."""
        if self.override not in OVERRIDES or (self.until is not None and now >= self.until):
            return None
        return self.override

    def has_expired(self, now: datetime) -> bool:
        """Whether the stored override has reached its end."""
        return self.override_end is not None and now >= self.override_end

    def state_at(self, now: datetime) -> RoomState:
        """The state at a moment, its reason and the next change."""
        is_open, reason = self._state(now)
        return RoomState(is_open, reason, self._next(now, is_open))

    def _state(self, now: datetime) -> tuple[bool, StateReason]:
        active_override = self.active_override(now)
        if active_override is not None:
            return active_override == OPEN, StateReason.OVERRIDE
        if self.open_at is None:
            return False, StateReason.NOTHING
        return now >= self.open_at and not self.is_past_closing(now), StateReason.SCHEDULE

    def _next(self, now: datetime, is_open: bool) -> NextChange | None:
        """The first later moment at which the state changes."""
        changes = (self.override_end, self.open_at, self.closing)
        moments = sorted(moment for moment in changes if moment is not None and moment > now)
        for moment in moments:
            then, _why = self._state(moment)
            if then != is_open:
                return NextChange(moment, then)
        return None


@dataclass(frozen=True)
class RoomState:
    """The state of a room at one moment."""

    is_open: bool
    reason: StateReason
    next: NextChange | None
