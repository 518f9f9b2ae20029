"""A trail begins to be sealed once, the platform's first: who removed all seals and had it begun anew shows here."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from dashboard.core.names import found
from dashboard.platform.audit.seals import queries
from dashboard.platform.audit.seals.consistency_checks import AT_ONCE, at_once, moment_of
from dashboard.platform.audit.seals.items import Sealing
from dashboard.platform.audit.seals.services import BEGIN
from dashboard.platform.audit.seals.trails import BUSINESS, PLATFORM, Trail, audit_trail, every, trail_of
from dashboard.table.items import Raw
from dashboard.table.keypattern import BadKey
from dashboard.table.timestamps import to_wire


class Beginnings:
    """When each trail began to be sealed: as the platform's trail says, and as the trails' own records do."""

    def __init__(self, *, whole: bool) -> None:
        # Whether all of the platform's trail is looked at, so that what it does not say was never said.
        self.whole = whole
        self.businesses: set[str] = set()
        # By the scope of the trail and the key of the entry.
        self._begun: dict[str, dict[str, str]] = {}
        self._platform = queries.sealing(audit_trail().sealing)
        self._told = False

    def note(self, raw: Raw) -> None:
        """An entry of the platform's trail, which may be one that says so."""
        target = raw.get("target", {}).get("M", {})
        kind, name = target.get("type", {}).get("S", ""), target.get("id", {}).get("S", "")
        if raw.get("action") != {"S": BEGIN}:
            return
        try:
            trail = trail_of(kind, name)
        except BadKey:
            return  # No business can have this name; a seal tells whether the entry is ours.
        if trail is None:
            return
        if kind == BUSINESS:
            self.businesses.add(name)
        self._begun.setdefault(trail.scope, {})[raw["SK"]["S"]] = raw.get("timestamp", {}).get("S", "")

    def knows(self, trail: Trail) -> bool:
        return trail.scope in self._begun

    def findings(self, trail: Trail, sealing: Sealing | None, *, sound: bool) -> Iterator[str]:
        """What does not fit; `sound` where nothing else is wrong with the trail."""
        began = sealing.began_at if sealing else None
        if self.whole and began and trail.scope not in self._begun:
            self._look_again(began)
        begun = [found(each) for each in sorted(self._begun.get(trail.scope, {}).values())]
        if begun and sealing is None and sound:
            yield f"{trail.name}: sealed since {begun[0]}, and no seal is left"
        elif len(begun) > 1:
            yield f"{trail.name}: its sealing began again at {begun[-1]}, after {begun[0]}"
        elif begun and began and not _same(begun[0], began):
            yield f"{trail.name}: its sealing began at {begun[0]}, and SEALING says another time"
        elif self.whole and sealing and not begun:
            since = to_wire(began) if began else "?"
            yield f"{trail.name}: sealed since {since}, and the platform's trail does not say so: its entry was removed"
        if trail.kind != PLATFORM and sealing:
            yield from self._against_the_platform(trail, began)

    def _look_again(self, began: datetime) -> None:
        """A business whose sealing began while we were reading: its entry stands where we had been already."""
        since, until = to_wire(began - AT_ONCE), to_wire(began + AT_ONCE)
        for raw in every(lambda start: audit_trail().entries(since, until, start, 1000)):
            self.note(raw)

    def _against_the_platform(self, trail: Trail, began: datetime | None) -> Iterator[str]:
        first = self._platform.began_at if self._platform else None
        if self._platform is None:
            # Said once: it is the same for all of them.
            if not self._told:
                yield f"{PLATFORM}: {trail.name} is sealed, and the platform's own record (SEALING) was removed"
            self._told = True
        elif began and first and began < first - AT_ONCE:
            yield f"{trail.name}: sealed since {to_wire(began)}, before the platform's trail: that was begun anew"


def _same(said: str, began: datetime) -> bool:
    moment = moment_of(said)
    return moment is not None and at_once(moment, began)
