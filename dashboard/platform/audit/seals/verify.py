"""Verifying a trail: its seals, their chain, and every entry below them. Reads by the page, keeps nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from dashboard.core.clock import now
from dashboard.core.names import found
from dashboard.platform.audit.seals import consistency_checks, days, queries
from dashboard.platform.audit.seals.items import NO_SEAL, Link, Seal, Sealing
from dashboard.platform.audit.seals.services import last_finished_day
from dashboard.platform.audit.seals.trails import NO_END, Trail, all_pages, day_of, position_after
from dashboard.table.items import Raw

# A night that was missed is made up for in the next.
GRACE = timedelta(days=1)
# Of what is only noted, so many are named.
MAX_NAMES = 20


@dataclass
class Inspection:
    """One trail under inspection: what was counted so far, and where in the chain it is."""

    trail: Trail
    since: str = ""
    until: str = NO_END
    # Told of every seal's hash, of every entry of a sound trail's end, and of each day that is done.
    on_seal: Callable[[str], None] = lambda _: None
    on_entry: Callable[[Raw], None] = lambda _: None
    on_day: Callable[[], None] = lambda: None

    days: int = 0
    entries: int = 0
    sealing: Sealing | None = None
    problems: int = 0
    _last_link: Link = NO_SEAL
    _seals: Iterator[Seal] = field(default_factory=lambda: iter(()))
    _next_seal: Seal | None = None
    # The last day that had entries and no seal.
    _unsealed_day: str = ""
    # Seals whose signature we do not know: forged, or of a key that is no longer in use.
    _unsigned: list[str] = field(default_factory=list)
    old_keys: int = 0
    # Entries without the index keys they should have, and the first few by name.
    unindexed: int = 0
    unindexed_lines: list[str] = field(default_factory=list)

    def findings(self) -> Iterator[str]:
        """Each thing that is wrong, in a line."""
        for finding in self._find_problems():
            self.problems += 1
            yield finding

    @property
    def _is_complete(self) -> bool:
        """Whether all of the trail is looked at, and not some days of it."""
        return not self.since and self.until == NO_END

    def _find_problems(self) -> Iterator[str]:
        self.sealing = queries.find_sealing(self.trail.sealing)
        self._open_seals()
        is_record_valid = (
            self.sealing is not None and self.sealing.has_valid_signature and self.sealing.scope == self.trail.scope
        )
        yield from self._check_record(is_record_valid)
        through = (self.sealing.through or "") if self.sealing and is_record_valid else self._newest_sealed_day()
        yield from self._check_days(min(through, self.until))
        if is_record_valid and self.until >= through and self.sealing is not None:
            yield from self._check_chain(
                self.sealing.head, f"{self.trail.name}: the seals do not end where they should"
            )
            # What is signed today names the seal before it, and that the one before: all of them are vouched for.
            self.old_keys, self._unsigned = len(self._unsigned), []
        yield from self._unsigned
        if self.until == NO_END:
            yield from self._check_unsealed(through)

    # --- The record of how far it is sealed ------------------------------------------------------
    def _check_record(self, is_record_valid: bool) -> Iterator[str]:
        name = self.trail.name
        overdue = (date.fromisoformat(last_finished_day()) - GRACE).isoformat()
        if self.sealing is None and self._next_seal is not None:
            yield f"{name}: there are seals, but the record of how far it is sealed (SEALING) was removed"
        elif self.sealing is None:
            first = self.trail.next_day("", overdue)
            if first is not None:
                yield f"{name}: there are entries since {first} and nothing is sealed: does run_due run?"
        elif not is_record_valid:
            yield f"{name}: the record of how far it is sealed (SEALING) was altered: its signature is not ours"
        elif self._is_complete:
            through = self.sealing.through or ""
            if through < overdue:
                yield f"{name}: sealed only through {through or 'no day'}: does run_due run?"
            newest = self._newest_sealed_day()
            if newest > through:
                yield f"{name}: SEALING was moved back: it says {through or 'no day'}, and {newest} has a seal"

    def _newest_sealed_day(self) -> str:
        """The last day that has a seal; a seal of no day is none."""
        seals = all_pages(lambda start: queries.seals(self.trail.seals, "", NO_END, start, newest_first=True, limit=5))
        days = (self._day_of_seal(seal) for seal in seals)
        return next((day for day in days if day_of(day) == day), "")

    def _day_of_seal(self, seal: Seal) -> str:
        """The day its key says: what stands on the item may have been altered."""
        return seal.sk.removeprefix(self.trail.seals.prefix)

    # --- Day by day ------------------------------------------------------------------------------
    def _open_seals(self) -> None:
        if self.since:
            before = queries.seals(self.trail.seals, "", self.since, newest_first=True, limit=2).items
            earlier = [seal for seal in before if self._day_of_seal(seal) < self.since]
            self._last_link = earlier[0].link if earlier else NO_SEAL
        self._seals = all_pages(lambda start: queries.seals(self.trail.seals, self.since, self.until, start))
        self._next_seal = next(self._seals, None)

    def _check_days(self, through: str) -> Iterator[str]:
        """Every day that has a seal or entries, in order."""
        since = self.since
        while True:
            yield from self._check_seals_without_day()
            sealed = self._day_of_seal(self._next_seal) if self._next_seal is not None else None
            undated: list[Raw] = []
            day = self.trail.next_day(since, min(through, sealed or through), undated.append)
            for raw in undated:
                position = found(self.trail.position(raw))
                yield f"{self.trail.name} {position}: its key names no day, so that no seal covers it"
            if day is not None and day != sealed:
                yield from self._check_day_without_seal(day)
            elif self._next_seal is not None and sealed is not None:
                day, seal = sealed, self._next_seal
                self._next_seal = next(self._seals, None)
                yield from self._check_day_with_seal(day, seal)
            else:
                return
            since = position_after(day)
            self.on_day()

    def _check_seals_without_day(self) -> Iterator[str]:
        while self._next_seal is not None and day_of(self._day_of_seal(self._next_seal)) != self._day_of_seal(
            self._next_seal
        ):
            yield f"{self.trail.name} {found(self._day_of_seal(self._next_seal))}: a seal of no day, which is not ours"
            self._next_seal = next(self._seals, None)

    def _check_day_without_seal(self, day: str) -> Iterator[str]:
        """Entries in a day that has no seal: the seal was removed, or the entries were added."""
        following = (
            self._next_seal.before if self._next_seal is not None else self.sealing.head if self.sealing else NO_SEAL
        )
        missing = following.number - self._last_link.number
        self._unsealed_day = day
        if missing > 1 or (missing == 1 and following.day == day):
            count = sum(1 for _ in self._announce(self.trail.day(day)))
            yield f"{self.trail.name} {day}: its seal is missing, so that its {count} entries cannot be checked"
            return
        for raw in self._announce(self.trail.day(day)):
            yield days.describe_raw(self.trail, raw, "was added after the day was sealed")

    def _check_day_with_seal(self, day: str, seal: Seal) -> Iterator[str]:
        where = f"{self.trail.name} {found(day)}"
        if not seal.is_intact or (seal.day, seal.scope) != (day, self.trail.scope):
            yield f"{where}: the seal was altered"
        yield from self._check_chain(seal.before, f"{where}: the seal is out of chain")
        if not seal.has_valid_signature:
            self._unsigned.append(f"{where}: the seal was forged: its signature is not ours")
        self._last_link = seal.link
        self.on_seal(seal.hash or "")
        seal.day = day
        counts = days.DayCounts()
        yield from days.compare(self.trail, seal, self._announce(self.trail.day(day)), counts, self._check_entry)
        if counts.listed and not counts.present:
            yield f"{where}: nothing of the day is left, {counts.listed} entries were removed"
        self.days += 1
        self.entries += counts.present

    def _check_chain(self, before: Link, otherwise: str) -> Iterator[str]:
        """What must stand before this is what we have seen last."""
        missing = before.number - self._last_link.number
        if missing > 0:
            gone = f"{self.trail.name} {found(before.day)}"
            if before.day == self._unsealed_day:
                pass  # Its entries are there, and the missing seal is told with them.
            elif missing == 1:
                yield f"{gone}: the whole day was removed, its seal and its entries"
            else:
                yield f"{gone}: this day and {missing - 1} sealed before it were removed, seals and entries"
        elif (before.number, before.hash) != (self._last_link.number, self._last_link.hash):
            yield otherwise
        else:
            return
        # Nothing vouches for what stands before a break but its own signature.
        yield from self._unsigned
        self._unsigned = []

    # --- What is not sealed yet ------------------------------------------------------------------
    def _check_unsealed(self, through: str) -> Iterator[str]:
        """Nobody has vouched for these yet; but an entry of the future was not written by what happened."""
        latest = (now() + timedelta(days=1)).date().isoformat()
        since = max(position_after(through), self.since)
        for raw in self._announce(self.trail.entries_from(since)):
            day = self.trail.day_of_entry(raw)
            if day is None:
                yield days.describe_raw(self.trail, raw, "has a key that names no day, so that no seal will cover it")
            elif day > latest:
                yield days.describe_raw(self.trail, raw, "is dated in the future")
            elif day <= through:
                yield days.describe_raw(self.trail, raw, "stands long before all others, so that no seal covers it")
            else:
                yield from self._check_entry(raw)

    def _check_entry(self, raw: Raw) -> Iterator[str]:
        """What no hash can show of an entry that is as it was: whether people are shown it when and where they look."""
        problem = consistency_checks.time_problem(self.trail.position(raw), raw)
        if problem:
            yield days.describe_raw(self.trail, raw, problem)
        missing, elsewhere = consistency_checks.check_index_keys(raw)
        if elsewhere:
            yield days.describe_raw(
                self.trail, raw, "is not where it can be found: its index keys lead elsewhere (reindex)"
            )
        elif missing:
            self.unindexed += 1
            if self.unindexed <= MAX_NAMES:
                self.unindexed_lines.append(days.describe_raw(self.trail, raw, "is not where filters find it"))

    def _announce(self, raws: Iterator[Raw]) -> Iterator[Raw]:
        for raw in raws:
            self.on_entry(raw)
            yield raw
