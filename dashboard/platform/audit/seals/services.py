"""Sealing: what is over is listed, hashed, chained and signed, a day at a time. No writer of the trail waits for it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from dashboard.core.clock import now
from dashboard.core.errors import Conflict
from dashboard.core.ids import new_id
from dashboard.platform.audit.seals import queries
from dashboard.platform.audit.seals.canonical import hash_of, sha256
from dashboard.platform.audit.seals.items import Part, Seal, SealedEntry, Sealing, SealPart
from dashboard.platform.audit.seals.trails import (
    NO_END,
    PLATFORM,
    Trail,
    all_pages,
    app_trails,
    business_trails,
    position_after,
)
from dashboard.platform.audit.services import record
from dashboard.table import write
from dashboard.table.commands import SYSTEM, new_command
from dashboard.table.items import Raw
from dashboard.table.transactions import Transaction

# A day is sealed this long after it is over: what was begun before midnight has landed by then.
SETTLE_TIME = timedelta(minutes=15)
# An item ends at 400 KB.
MAX_LINES, MAX_TEXT = 1000, 200_000
# What one call does at the most, well within the lease.
MAX_SECONDS = 120.0
RESUME_DELAY = timedelta(minutes=4)
BEGIN = "sealing.begin"


class Altered(Exception):
    """Somebody has been at what says how far a trail is sealed: to go on would cover it up."""


@dataclass
class SealingResult:
    days: int = 0
    entries: int = 0
    through: str = ""


def last_finished_day() -> str:
    return ((now() - SETTLE_TIME).date() - timedelta(days=1)).isoformat()


def due_after(through: str) -> datetime:
    """When the day after this one is over and settled; at once where nothing is done yet."""
    if not through:
        return now()
    over = datetime.combine(date.fromisoformat(through) + timedelta(days=2), datetime.min.time(), UTC) + SETTLE_TIME
    # While days are left to do, another run keeps out until this one must have ended.
    return over if over > now() else now() + RESUME_DELAY


def begin(trail: Trail) -> bool:
    """Begin to seal a trail, from its first entry on. The platform's trail says when, so that it begins only once."""
    earlier = _find_earlier_sealing(trail)
    if earlier:
        if queries.find_sealing(trail.sealing) is not None:
            return False  # Another run has begun meanwhile, and these are its own.
        raise Altered(f"{trail.name}: {earlier}, but the record of how far it is sealed is gone.")
    sealing = Sealing.at_key(trail.sealing)
    sealing.scope, sealing.began_at, sealing.number = trail.scope, now(), 0
    sealing.due_at = now()
    sealing.sign()
    transaction = Transaction(new_command(SYSTEM))
    transaction.create(sealing)
    record(transaction, BEGIN, target=trail.name, kind=trail.kind, title=trail.name)
    try:
        transaction.commit(sealing)
    except Conflict:
        return False  # Another run was faster.
    return True


def _find_earlier_sealing(trail: Trail) -> str:
    """What shows that a trail without a record was sealed before: to begin anew would cover up why it is gone."""
    if queries.seals(trail.seals, "", NO_END, limit=1).items:
        return "there are seals"
    if trail.kind == PLATFORM:
        # The platform's trail is the first to be sealed, and the only one that says when the others began.
        for batch in (app_trails(), *business_trails()):
            for other, there in zip(batch, queries.sealings([each.sealing for each in batch]), strict=True):
                if there is not None:
                    return f"{other.name} is sealed"
    return ""


def seal(trail: Trail, sealing: Sealing) -> SealingResult:
    """Seal every day that is over, the oldest first; whoever meets another run at it leaves it to that one."""
    if not sealing.has_valid_signature or sealing.scope != trail.scope:
        raise Altered(f"{trail.name}: the record of how far it is sealed was altered.")
    done, last, ends = SealingResult(through=sealing.through or ""), last_finished_day(), time.monotonic() + MAX_SECONDS
    try:
        if done.through >= last:
            _save(sealing, done.through)  # Nothing to do yet: it comes again when there is.
        while done.through < last:
            # A key that names no day is left to `verify_audit`.
            day = trail.next_day(position_after(done.through), last)
            if day is None:
                _save(sealing, last)
            else:
                done.entries += _seal_day(trail, sealing, day)
                done.days += 1
            done.through = sealing.through or ""
            if time.monotonic() > ends:
                break
    except Conflict:
        pass
    return done


def _seal_day(trail: Trail, sealing: Sealing, day: str) -> int:
    parts = list(_write_list(trail, day))
    seal_item = Seal.at_key(trail.seal(day))
    seal_item.scope, seal_item.day, seal_item.sealed_at = trail.scope, day, now()
    seal_item.close(parts, sealing.head)
    sealing.head = seal_item.link
    transaction = Transaction(new_command(SYSTEM))
    transaction.create(seal_item)
    try:
        _save(sealing, day, transaction)
    except Conflict:
        _remove_parts(trail, day, [part.part for part in parts])
        raise
    _remove_other_attempts(trail, day, {part.part for part in parts})
    return int(seal_item.entries)


def _save(sealing: Sealing, through: str, transaction: Transaction | None = None) -> None:
    """How far it is sealed now, from where we read it; due again when the next day is over."""
    sealing.through = through
    sealing.sign()
    sealing.due_at = due_after(through)
    transaction = transaction or Transaction(new_command(SYSTEM))
    transaction.save(sealing, revision=sealing.revision)
    transaction.commit(sealing)


# --- The list of a day ---------------------------------------------------------------------------
def _write_list(trail: Trail, day: str) -> Iterator[Part]:
    """Write the list of a day's entries, where no other try to seal it writes."""
    attempt, number = new_id(), secrets.randbelow(10_000) * 10_000
    for lines in _split_lines(_line(trail, raw) for raw in trail.day(day)):
        text, key = "".join(lines), trail.part(day, number)
        is_new_or_ours = SealPart.pk.does_not_exist() | (SealPart.attempt == attempt)
        if write.touch(key, [SealPart.attempt.set(attempt), SealPart.text.set(text)], is_new_or_ours) is None:
            raise RuntimeError(f"{trail.name}: two tries to seal {day} chose the same place.")
        yield Part(number, len(lines), sha256(text))
        number += 1


def _split_lines(lines: Iterable[str]) -> Iterator[list[str]]:
    """As many lines at a time as one item may hold."""
    stretch: list[str] = []
    size = 0
    for line in lines:
        if stretch and (len(stretch) == MAX_LINES or size + len(line) > MAX_TEXT):
            yield stretch
            stretch, size = [], 0
        stretch.append(line)
        size += len(line)
    if stretch:
        yield stretch


def _line(trail: Trail, raw: Raw) -> str:
    return SealPart.line(SealedEntry(trail.position(raw), hash_of(raw), *action_and_actor(raw)))


def action_and_actor(raw: Raw) -> tuple[str, str]:
    """Action and actor of an entry, as far as it says."""
    action = raw.get("action", {}).get("S", "")
    actor = (raw.get("adminId") or raw.get("actor", {}).get("M", {}).get("email", {})).get("S", "")
    return action[:100], actor[:100]


def _remove_parts(trail: Trail, day: str, numbers: Iterable[int]) -> None:
    for number in numbers:
        write.remove(trail.part(day, number))


def _remove_other_attempts(trail: Trail, day: str, ours: set[int]) -> None:
    """What tries that were cut off left behind: with the seal written, none of them can succeed any more."""
    kept = {trail.part(day, number) for number in ours}
    for part in list(all_pages(lambda start: queries.parts(trail.parts(day), start))):
        if part.key not in kept:
            write.remove(part.key)
