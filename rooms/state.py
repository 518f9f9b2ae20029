"""Whether a room is open: one rule over the schedule, the override and the clock. It knows no table and no page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

OPEN, CLOSED = "open", "closed"
OVERRIDES = (OPEN, CLOSED)


class Why(StrEnum):
    """What decides."""

    SCHEDULE = "schedule"
    OVERRIDE = "override"
    # No opening is set, and nobody holds it.
    NOTHING = "nothing"


@dataclass(frozen=True)
class Change:
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
    def ends(self) -> datetime | None:
        """When an override ends by itself; none where none is set, or it has no end."""
        return self.until if self.override in OVERRIDES else None

    def held(self, now: datetime) -> str | None:
        """What someone holds the room at, at this moment. Past its end an override has ended, whoever has noticed."""
        if self.override not in OVERRIDES or (self.until is not None and now >= self.until):
            return None
        return self.override

    def lapsed(self, now: datetime) -> bool:
        """Whether an override stands there that has ended."""
        return self.ends is not None and now >= self.ends

    def at(self, now: datetime) -> Effective:
        """The state at a moment, why, and what changes next."""
        is_open, why = self._state(now)
        return Effective(is_open, why, self._next(now, is_open))

    def _state(self, now: datetime) -> tuple[bool, Why]:
        held = self.held(now)
        if held is not None:
            return held == OPEN, Why.OVERRIDE
        if self.open_at is None:
            return False, Why.NOTHING
        return now >= self.open_at, Why.SCHEDULE

    def _next(self, now: datetime, is_open: bool) -> Change | None:
        """The first of the moments to come at which it is another than now."""
        moments = sorted(moment for moment in (self.ends, self.open_at) if moment is not None and moment > now)
        for moment in moments:
            then, _why = self._state(moment)
            if then != is_open:
                return Change(moment, then)
        return None


@dataclass(frozen=True)
class Effective:
    """How a room stands."""

    is_open: bool
    why: Why
    next: Change | None
