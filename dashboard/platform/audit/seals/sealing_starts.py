"""The times at which the sealing of each trail started. A second start means that all earlier seals were removed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from dashboard.core.names import printable_value
from dashboard.platform.audit.seals import queries
from dashboard.platform.audit.seals.consistency_checks import CLOCK_TOLERANCE, is_same_moment, parse_moment
from dashboard.platform.audit.seals.items import Sealing
from dashboard.platform.audit.seals.services import BEGIN
from dashboard.platform.audit.seals.trails import BUSINESS, PLATFORM, Trail, all_pages, audit_trail, find_trail
from dashboard.table.items import Raw
from dashboard.table.keypattern import BadKey
from dashboard.table.timestamps import to_wire


class SealingStarts:
    """Compares the start times in the platform's trail with those in the records of the trails."""

    def __init__(self, *, is_complete: bool) -> None:
        # Whether the whole platform trail is read. Only then is a missing start a problem.
        self.is_complete = is_complete
        self.businesses: set[str] = set()
        # Start times by the scope of the trail, then by the sort key of the entry.
        self._start_times: dict[str, dict[str, str]] = {}
        self._platform = queries.find_sealing(audit_trail().sealing)
        self._is_platform_reported = False

    def add_entry(self, raw: Raw) -> None:
        """Collect the start time, if this entry of the platform's trail records one."""
        target = raw.get("target", {}).get("M", {})
        kind, name = target.get("type", {}).get("S", ""), target.get("id", {}).get("S", "")
        if raw.get("action") != {"S": BEGIN}:
            return
        try:
            trail = find_trail(kind, name)
        except BadKey:
            return  # No business can have this name. The seals show whether the entry was forged.
        if trail is None:
            return
        if kind == BUSINESS:
            self.businesses.add(name)
        self._start_times.setdefault(trail.scope, {})[raw["SK"]["S"]] = raw.get("timestamp", {}).get("S", "")

    def includes(self, trail: Trail) -> bool:
        return trail.scope in self._start_times

    def findings(self, trail: Trail, sealing: Sealing | None, *, is_intact: bool) -> Iterator[str]:
        """The problems with the start of this trail. `is_intact` means that the trail has no other problem."""
        began = sealing.began_at if sealing else None
        if self.is_complete and began and trail.scope not in self._start_times:
            self._read_again_around(began)
        start_times = [printable_value(time) for time in sorted(self._start_times.get(trail.scope, {}).values())]
        if start_times and sealing is None and is_intact:
            yield f"{trail.name}: sealed since {start_times[0]}, and no seal is left"
        elif len(start_times) > 1:
            yield f"{trail.name}: its sealing began again at {start_times[-1]}, after {start_times[0]}"
        elif start_times and began and not _is_same_start(start_times[0], began):
            yield f"{trail.name}: its sealing began at {start_times[0]}, and SEALING says another time"
        elif self.is_complete and sealing and not start_times:
            since = to_wire(began) if began else "?"
            yield f"{trail.name}: sealed since {since}, and the platform's trail does not say so: its entry was removed"
        if trail.kind != PLATFORM and sealing:
            yield from self._compare_with_platform(trail, began)

    def _read_again_around(self, began: datetime) -> None:
        """Find the entry of a trail whose sealing started after this part of the platform's trail was read."""
        since, until = to_wire(began - CLOCK_TOLERANCE), to_wire(began + CLOCK_TOLERANCE)
        for raw in all_pages(lambda start: audit_trail().entries(since, until, start, 1000)):
            self.add_entry(raw)

    def _compare_with_platform(self, trail: Trail, began: datetime | None) -> Iterator[str]:
        platform_began = self._platform.began_at if self._platform else None
        if self._platform is None:
            # One line is enough: the problem is the same for all trails.
            if not self._is_platform_reported:
                yield f"{PLATFORM}: {trail.name} is sealed, and the platform's own record (SEALING) was removed"
            self._is_platform_reported = True
        elif began and platform_began and began < platform_began - CLOCK_TOLERANCE:
            yield f"{trail.name}: sealed since {to_wire(began)}, before the platform's trail: that was begun anew"


def _is_same_start(text: str, began: datetime) -> bool:
    moment = parse_moment(text)
    return moment is not None and is_same_moment(moment, began)
