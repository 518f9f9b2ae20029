"""Verifies a trail: its seals, their chain and all entries. Reads page by page, so memory use is constant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from dashboard.core.clock import now
from dashboard.core.names import printable_value
from dashboard.platform.audit.seals import consistency_checks, days, queries
from dashboard.platform.audit.seals.items import NO_SEAL, Seal, Sealing, SealReference
from dashboard.platform.audit.seals.services import last_finished_day
from dashboard.platform.audit.seals.trails import NO_END, Trail, all_pages, day_of, position_after
from dashboard.table.items import Raw

# One missed night is not a problem: the next run seals both days.
GRACE = timedelta(days=1)
# The number of entries without index keys that are listed one by one.
MAX_NAMES = 20


@dataclass
class Inspection:
    """The verification of one trail: the counts and the current position in the chain."""

    trail: Trail
    since: str = ""
    until: str = NO_END
    # Called with the hash of each seal, with each entry that is read, and after each day.
    on_seal: Callable[[str], None] = lambda _: None
    on_entry: Callable[[Raw], None] = lambda _: None
    on_day: Callable[[], None] = lambda: None

    days: int = 0
    entries: int = 0
    sealing: Sealing | None = None
    problems: int = 0
    _last_link: SealReference = NO_SEAL
    _seals: Iterator[Seal] = field(default_factory=lambda: iter(()))
    _next_seal: Seal | None = None
    # The last day with entries but without a seal.
    _unsealed_day: str = ""
    # Findings about seals with an unknown signature: forged, or signed with an old key.
    _unsigned: list[str] = field(default_factory=list)
    old_keys: int = 0
    # The number of entries without index keys, and lines about the first of them.
    unindexed: int = 0
    unindexed_lines: list[str] = field(default_factory=list)

    def findings(self) -> Iterator[str]:
        """One line per problem."""
        for finding in self._find_problems():
            self.problems += 1
            yield finding

    @property
    def _is_complete(self) -> bool:
        """Whether the whole trail is verified, not only some days."""
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
            # Each seal contains the hash of the one before, so the signed record confirms the whole chain.
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
        """The last day that has a seal. Seals whose key contains no valid day are ignored."""
        seals = all_pages(lambda start: queries.seals(self.trail.seals, "", NO_END, start, newest_first=True, limit=5))
        days = (self._day_of_seal(seal) for seal in seals)
        return next((day for day in days if day_of(day) == day), "")

    def _day_of_seal(self, seal: Seal) -> str:
        """The day in the key, because the attributes of the item may have been altered."""
        return seal.sk.removeprefix(self.trail.seals.prefix)

    # --- Day by day ------------------------------------------------------------------------------
    def _open_seals(self) -> None:
        if self.since:
            candidates = queries.seals(self.trail.seals, "", self.since, newest_first=True, limit=2).items
            earlier = [seal for seal in candidates if self._day_of_seal(seal) < self.since]
            self._last_link = earlier[0].link if earlier else NO_SEAL
        self._seals = all_pages(lambda start: queries.seals(self.trail.seals, self.since, self.until, start))
        self._next_seal = next(self._seals, None)

    def _check_days(self, through: str) -> Iterator[str]:
        """Check each day that has a seal or entries, in order."""
        since = self.since
        while True:
            yield from self._check_seals_without_day()
            sealed = self._day_of_seal(self._next_seal) if self._next_seal is not None else None
            undated: list[Raw] = []
            day = self.trail.next_day(since, min(through, sealed or through), undated.append)
            for raw in undated:
                position = printable_value(self.trail.position(raw))
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
        while self._next_seal is not None:
            day = self._day_of_seal(self._next_seal)
            if day_of(day) == day:
                return
            yield f"{self.trail.name} {printable_value(day)}: a seal of no day, which is not ours"
            self._next_seal = next(self._seals, None)

    def _check_day_without_seal(self, day: str) -> Iterator[str]:
        """Check a day with entries but without a seal: the seal was removed, or the entries were added."""
        head = self.sealing.head if self.sealing else NO_SEAL
        following = self._next_seal.previous if self._next_seal is not None else head
        missing = following.number - self._last_link.number
        self._unsealed_day = day
        if missing > 1 or (missing == 1 and following.day == day):
            count = sum(1 for _ in self._announce(self.trail.day(day)))
            yield f"{self.trail.name} {day}: its seal is missing, so that its {count} entries cannot be checked"
            return
        for raw in self._announce(self.trail.day(day)):
            yield days.describe_raw(self.trail, raw, "was added after the day was sealed")

    def _check_day_with_seal(self, day: str, seal: Seal) -> Iterator[str]:
        prefix = f"{self.trail.name} {printable_value(day)}"
        if not seal.is_intact or (seal.day, seal.scope) != (day, self.trail.scope):
            yield f"{prefix}: the seal was altered"
        yield from self._check_chain(seal.previous, f"{prefix}: the seal is out of chain")
        if not seal.has_valid_signature:
            self._unsigned.append(f"{prefix}: the seal was forged: its signature is not ours")
        self._last_link = seal.link
        self.on_seal(seal.hash or "")
        seal.day = day
        counts = days.DayCounts()
        yield from days.compare(self.trail, seal, self._announce(self.trail.day(day)), counts, self._check_entry)
        if counts.listed and not counts.present:
            yield f"{prefix}: nothing of the day is left, {counts.listed} entries were removed"
        self.days += 1
        self.entries += counts.present

    def _check_chain(self, previous: SealReference, finding: str) -> Iterator[str]:
        """Check that the expected previous seal is the last one that was read."""
        missing = previous.number - self._last_link.number
        if missing > 0:
            removed = f"{self.trail.name} {printable_value(previous.day)}"
            if previous.day == self._unsealed_day:
                pass  # The missing seal was reported together with the entries of its day.
            elif missing == 1:
                yield f"{removed}: the whole day was removed, its seal and its entries"
            else:
                yield f"{removed}: this day and {missing - 1} sealed before it were removed, seals and entries"
        elif (previous.number, previous.hash) != (self._last_link.number, self._last_link.hash):
            yield finding
        else:
            return
        # The chain does not confirm seals before a break, so those with an unknown signature are reported.
        yield from self._unsigned
        self._unsigned = []

    # --- Entries after the last seal ------------------------------------------------------------------
    def _check_unsealed(self, through: str) -> Iterator[str]:
        """Check the time, key and index keys of entries that are not sealed yet."""
        latest = (now() + timedelta(days=1)).date().isoformat()
        since = max(position_after(through), self.since)
        for raw in self._announce(self.trail.entries_from(since)):
            day = self.trail.day_of_entry(raw)
            if day is None:
                yield days.describe_raw(self.trail, raw, "has a key that names no day, so that no seal will cover it")
            elif day > latest:
                yield days.describe_raw(self.trail, raw, "is dated in the future")
            elif day <= through:
                yield days.describe_raw(self.trail, raw, "is dated long before all others, so that no seal covers it")
            else:
                yield from self._check_entry(raw)

    def _check_entry(self, raw: Raw) -> Iterator[str]:
        """Check the time and the index keys of an entry. Its hash does not cover index keys."""
        problem = consistency_checks.time_problem(self.trail.position(raw), raw)
        if problem:
            yield days.describe_raw(self.trail, raw, problem)
        has_missing, has_wrong = consistency_checks.check_index_keys(raw)
        if has_wrong:
            yield days.describe_raw(
                self.trail, raw, "is not where it can be found: its index keys lead elsewhere (reindex)"
            )
        elif has_missing:
            self.unindexed += 1
            if self.unindexed <= MAX_NAMES:
                self.unindexed_lines.append(days.describe_raw(self.trail, raw, "is not where filters find it"))

    def _announce(self, raws: Iterator[Raw]) -> Iterator[Raw]:
        for raw in raws:
            self.on_entry(raw)
            yield raw
