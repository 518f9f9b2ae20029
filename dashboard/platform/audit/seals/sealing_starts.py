"""The times at which the sealing of each trail started, and at which each business was created.

A second start means that all earlier seals were removed; a start or a creation without a trail, that all of it was.
"""

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

# Recorded in the trail of the platform and in that of the business.
CREATE_BUSINESS = "business.create"


class SealingStarts:
    """Compares the start times in the platform's trail with those in the records of the trails."""

    def __init__(self, *, is_complete: bool) -> None:
        # Whether the whole platform trail is read. Only then is a missing start a problem.
        self.is_complete = is_complete
        self.businesses: set[str] = set()
        # Start times by the scope of the trail, then by the sort key of the entry.
        self._start_times: dict[str, dict[str, str]] = {}
        # When each business was created, by the scope of its trail.
        self._creation_times: dict[str, str] = {}
        self._platform = queries.find_sealing(audit_trail().sealing)
        self._is_platform_reported = False

    def read_platform_trail(self) -> None:
        """Collect what the whole platform trail says, without verifying it."""
        for raw in audit_trail().entries_from(""):
            self.add_entry(raw)

    def add_entry(self, raw: Raw) -> None:
        """Collect the time, if this entry of the platform's trail records a start or the creation of a business."""
        target = raw.get("target", {}).get("M", {})
        kind, name = target.get("type", {}).get("S", ""), target.get("id", {}).get("S", "")
        action, at = raw.get("action", {}).get("S", ""), raw.get("timestamp", {}).get("S", "")
        if action not in {BEGIN, CREATE_BUSINESS}:
            return
        try:
            trail = find_trail(kind, name)
        except BadKey:
            return  # No business can have this name. The seals show whether the entry was forged.
        if trail is None:
            return
        if kind == BUSINESS:
            self.businesses.add(name)
        if action == CREATE_BUSINESS:
            self._creation_times.setdefault(trail.scope, at)
        else:
            self._start_times.setdefault(trail.scope, {})[raw["SK"]["S"]] = at

    def includes(self, trail: Trail) -> bool:
        return trail.scope in self._start_times or trail.scope in self._creation_times

    def findings(self, trail: Trail, sealing: Sealing | None, *, is_intact: bool) -> Iterator[str]:
        """The problems with the start of this trail. `is_intact` means that the trail has no other problem."""
        began = sealing.began_at if sealing else None
        if self.is_complete and began and trail.scope not in self._start_times:
            self._read_again_around(began)
        start_times = [printable_value(time) for time in sorted(self._start_times.get(trail.scope, {}).values())]
        deletion = self._find_deletion(trail, start_times, sealing) if is_intact else ""
        if deletion:
            yield f"{trail.name}: {deletion}"
        elif len(start_times) > 1:
            yield f"{trail.name}: its sealing began again at {start_times[-1]}, after {start_times[0]}"
        elif start_times and began and not _is_same_start(start_times[0], began):
            yield f"{trail.name}: its sealing began at {start_times[0]}, and SEALING says another time"
        elif self.is_complete and sealing and not start_times:
            since = to_wire(began) if began else "?"
            yield f"{trail.name}: sealed since {since}, and the platform's trail does not say so: its entry was removed"
        if trail.kind != PLATFORM and sealing:
            yield from self._compare_with_platform(trail, began)

    def _find_deletion(self, trail: Trail, start_times: list[str], sealing: Sealing | None) -> str:
        """A text if something outside of the trail shows that it had seals or entries, and none is left; else empty.

        Who deletes a trail can delete its seals and its record too. The platform's trail and the business remain.
        """
        if start_times and sealing is None:
            left = "no seal is left" if trail.has_entries() else "the whole trail was removed: no seal, no entry"
            return f"sealed since {start_times[0]}, and {left}"
        if trail.kind != BUSINESS or trail.has_entries():
            return ""
        if trail.scope in self._creation_times:
            created = printable_value(self._creation_times[trail.scope])
            return f"created at {created}, and the entry about that was removed with all others"
        if sealing is None and self._platform is not None and self._platform.has_valid_signature:
            item = queries.find_business(trail.name)
            created_at, through = getattr(item, "created_at", None), self._platform.through or ""
            # A business is sealed in the night after its creation, together with the platform.
            if created_at and created_at.date().isoformat() < through:
                created = to_wire(created_at)
                return f"created at {created}, and nothing is sealed, while the platform is sealed through {through}"
        return ""

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
