"""Verifying a trail: its seals, their chain, and every entry below them. Reads by the page, keeps nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from dashboard.core.clock import now
from dashboard.core.names import found
from dashboard.platform.audit.seals import consistency_checks, days, queries
from dashboard.platform.audit.seals.items import NOTHING, Link, Seal, Sealing
from dashboard.platform.audit.seals.services import last_finished_day
from dashboard.platform.audit.seals.trails import NO_END, Trail, after, day_of, every
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
    _last: Link = NOTHING
    _seals: Iterator[Seal] = field(default_factory=lambda: iter(()))
    _next: Seal | None = None
    # The last day that had entries and no seal.
    _bare: str = ""
    # Seals whose signature we do not know: forged, or of a key that is no longer in use.
    _unsigned: list[str] = field(default_factory=list)
    old_keys: int = 0
    # Entries without the index keys they should have, and the first few by name.
    unplaced: int = 0
    unplaced_names: list[str] = field(default_factory=list)

    def findings(self) -> Iterator[str]:
        """Each thing that is wrong, in a line."""
        for finding in self._walk():
            self.problems += 1
            yield finding

    @property
    def _whole(self) -> bool:
        """Whether all of the trail is looked at, and not some days of it."""
        return not self.since and self.until == NO_END

    def _walk(self) -> Iterator[str]:
        self.sealing = queries.sealing(self.trail.sealing)
        self._open_seals()
        sound = self.sealing is not None and self.sealing.is_ours and self.sealing.scope == self.trail.scope
        yield from self._record(sound)
        through = (self.sealing.through or "") if self.sealing and sound else self._newest()
        yield from self._days(min(through, self.until))
        if sound and self.until >= through and self.sealing is not None:
            yield from self._chain(self.sealing.head, f"{self.trail.name}: the seals do not end where they should")
            # What is signed today names the seal before it, and that the one before: all of them are vouched for.
            self.old_keys, self._unsigned = len(self._unsigned), []
        yield from self._unsigned
        if self.until == NO_END:
            yield from self._tail(through)

    # --- The record of how far it is sealed ------------------------------------------------------
    def _record(self, sound: bool) -> Iterator[str]:
        name = self.trail.name
        overdue = (date.fromisoformat(last_finished_day()) - GRACE).isoformat()
        if self.sealing is None and self._next is not None:
            yield f"{name}: there are seals, but the record of how far it is sealed (SEALING) was removed"
        elif self.sealing is None:
            first = self.trail.next_day("", overdue)
            if first is not None:
                yield f"{name}: there are entries since {first} and nothing is sealed: does run_due run?"
        elif not sound:
            yield f"{name}: the record of how far it is sealed (SEALING) was altered: its signature is not ours"
        elif self._whole:
            through = self.sealing.through or ""
            if through < overdue:
                yield f"{name}: sealed only through {through or 'no day'}: does run_due run?"
            newest = self._newest()
            if newest > through:
                yield f"{name}: SEALING was moved back: it says {through or 'no day'}, and {newest} has a seal"

    def _newest(self) -> str:
        """The last day that has a seal; a seal of no day is none."""
        seals = every(lambda start: queries.seals(self.trail.seals, "", NO_END, start, newest_first=True, limit=5))
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
            self._last = earlier[0].link if earlier else NOTHING
        self._seals = every(lambda start: queries.seals(self.trail.seals, self.since, self.until, start))
        self._next = next(self._seals, None)

    def _days(self, through: str) -> Iterator[str]:
        """Every day that has a seal or entries, in order."""
        since = self.since
        while True:
            yield from self._seals_of_no_day()
            sealed = self._day_of_seal(self._next) if self._next is not None else None
            odd: list[Raw] = []
            day = self.trail.next_day(since, min(through, sealed or through), odd.append)
            for raw in odd:
                place = found(self.trail.place(raw))
                yield f"{self.trail.name} {place}: its key names no day, so that no seal covers it"
            if day is not None and day != sealed:
                yield from self._without_seal(day)
            elif self._next is not None and sealed is not None:
                day, seal = sealed, self._next
                self._next = next(self._seals, None)
                yield from self._with_seal(day, seal)
            else:
                return
            since = after(day)
            self.on_day()

    def _seals_of_no_day(self) -> Iterator[str]:
        while self._next is not None and day_of(self._day_of_seal(self._next)) != self._day_of_seal(self._next):
            yield f"{self.trail.name} {found(self._day_of_seal(self._next))}: a seal of no day, which is not ours"
            self._next = next(self._seals, None)

    def _without_seal(self, day: str) -> Iterator[str]:
        """Entries in a day that has no seal: the seal was removed, or the entries were added."""
        following = self._next.before if self._next is not None else self.sealing.head if self.sealing else NOTHING
        missing = following.number - self._last.number
        self._bare = day
        if missing > 1 or (missing == 1 and following.day == day):
            count = sum(1 for _ in self._told(self.trail.day(day)))
            yield f"{self.trail.name} {day}: its seal is missing, so that its {count} entries cannot be checked"
            return
        for raw in self._told(self.trail.day(day)):
            yield days.say_raw(self.trail, raw, "was added after the day was sealed")

    def _with_seal(self, day: str, seal: Seal) -> Iterator[str]:
        where = f"{self.trail.name} {found(day)}"
        if not seal.is_whole or (seal.day, seal.scope) != (day, self.trail.scope):
            yield f"{where}: the seal was altered"
        yield from self._chain(seal.before, f"{where}: the seal is out of chain")
        if not seal.is_ours:
            self._unsigned.append(f"{where}: the seal was forged: its signature is not ours")
        self._last = seal.link
        self.on_seal(seal.hash or "")
        seal.day = day
        counted = days.Day()
        yield from days.compare(self.trail, seal, self._told(self.trail.day(day)), counted, self._look_at)
        if counted.listed and not counted.there:
            yield f"{where}: nothing of the day is left, {counted.listed} entries were removed"
        self.days += 1
        self.entries += counted.there

    def _chain(self, before: Link, otherwise: str) -> Iterator[str]:
        """What must stand before this is what we have seen last."""
        missing = before.number - self._last.number
        if missing > 0:
            gone = f"{self.trail.name} {found(before.day)}"
            if before.day == self._bare:
                pass  # Its entries are there, and the missing seal is told with them.
            elif missing == 1:
                yield f"{gone}: the whole day was removed, its seal and its entries"
            else:
                yield f"{gone}: this day and {missing - 1} sealed before it were removed, seals and entries"
        elif (before.number, before.hash) != (self._last.number, self._last.hash):
            yield otherwise
        else:
            return
        # Nothing vouches for what stands before a break but its own signature.
        yield from self._unsigned
        self._unsigned = []

    # --- What is not sealed yet ------------------------------------------------------------------
    def _tail(self, through: str) -> Iterator[str]:
        """Nobody has vouched for these yet; but an entry of the future was not written by what happened."""
        latest = (now() + timedelta(days=1)).date().isoformat()
        since = max(after(through), self.since)
        for raw in self._told(self.trail.tail(since)):
            day = self.trail.day_named(raw)
            if day is None:
                yield days.say_raw(self.trail, raw, "has a key that names no day, so that no seal will cover it")
            elif day > latest:
                yield days.say_raw(self.trail, raw, "is dated in the future")
            elif day <= through:
                yield days.say_raw(self.trail, raw, "stands long before all others, so that no seal covers it")
            else:
                yield from self._look_at(raw)

    def _look_at(self, raw: Raw) -> Iterator[str]:
        """What no hash can show of an entry that is as it was: whether people are shown it when and where they look."""
        problem = consistency_checks.time_problem(self.trail.place(raw), raw)
        if problem:
            yield days.say_raw(self.trail, raw, problem)
        missing, elsewhere = consistency_checks.lacks_or_mistakes_places(raw)
        if elsewhere:
            yield days.say_raw(self.trail, raw, "is not where it can be found: its index keys lead elsewhere (reindex)")
        elif missing:
            self.unplaced += 1
            if self.unplaced <= MAX_NAMES:
                self.unplaced_names.append(days.say_raw(self.trail, raw, "is not where filters find it"))

    def _told(self, raws: Iterator[Raw]) -> Iterator[Raw]:
        for raw in raws:
            self.on_entry(raw)
            yield raw
