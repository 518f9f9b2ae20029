"""Sealing: each finished day is listed, hashed, chained to the previous seal and signed. Writers do not wait for it."""

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

# The time between the end of a day and its sealing, so that writes started before midnight are complete.
SETTLE_TIME = timedelta(minutes=15)
# The limits of a part; DynamoDB's limit for an item is 400 KB.
MAX_LINES, MAX_TEXT = 1000, 200_000
# The time limit of one call, shorter than the lease of a due task.
MAX_SECONDS = 120.0
# When the next run continues with the days that are left.
RESUME_DELAY = timedelta(minutes=4)
BEGIN = "sealing.begin"


class Altered(Exception):
    """The record of how far a trail is sealed was altered. Continuing would hide it."""


@dataclass
class SealingResult:
    days: int = 0
    entries: int = 0
    through: str = ""


def last_finished_day() -> str:
    return ((now() - SETTLE_TIME).date() - timedelta(days=1)).isoformat()


def due_after(through: str) -> datetime:
    """When the day after this one can be sealed. If nothing is sealed yet, now."""
    if not through:
        return now()
    over = datetime.combine(date.fromisoformat(through) + timedelta(days=2), datetime.min.time(), UTC) + SETTLE_TIME
    # While days are left, the next run starts only after this one has reached its time limit.
    return over if over > now() else now() + RESUME_DELAY


def begin(trail: Trail) -> bool:
    """Start sealing a trail from its first entry on. An entry in the platform's trail makes a second start visible."""
    earlier = _find_earlier_sealing(trail)
    if earlier:
        if queries.find_sealing(trail.sealing) is not None:
            return False  # Another run has started meanwhile and wrote these seals.
        raise Altered(f"{trail.name}: {earlier}, but the record of how far it is sealed is gone.")
    sealing = Sealing.new_at_key(trail.sealing)
    sealing.scope, sealing.began_at, sealing.number = trail.scope, now(), 0
    sealing.due_at = now()
    sealing.sign()
    transaction = Transaction(new_command(SYSTEM))
    transaction.create(sealing)
    record(transaction, BEGIN, target=trail.name, kind=trail.kind, title=trail.name)
    try:
        transaction.commit(sealing)
    except Conflict:
        return False  # Another run has started it.
    return True


def _find_earlier_sealing(trail: Trail) -> str:
    """A text if a trail without a record was sealed before. A new start would hide that the record was removed."""
    if queries.seals(trail.seals, "", NO_END, limit=1).items:
        return "there are seals"
    if trail.kind == PLATFORM:
        # The platform's trail is sealed first and records the starts of all others.
        for batch in (app_trails(), *business_trails()):
            for other, record_item in zip(batch, queries.sealings([each.sealing for each in batch]), strict=True):
                if record_item is not None:
                    return f"{other.name} is sealed"
    return ""


def seal(trail: Trail, sealing: Sealing) -> SealingResult:
    """Seal all finished days, the oldest first. Stop if another run seals the same trail."""
    if not sealing.has_valid_signature or sealing.scope != trail.scope:
        raise Altered(f"{trail.name}: the record of how far it is sealed was altered.")
    done, last, ends = SealingResult(through=sealing.through or ""), last_finished_day(), time.monotonic() + MAX_SECONDS
    try:
        if done.through >= last:
            _save(sealing, done.through)  # Nothing to seal yet: only set the next due time.
        while done.through < last:
            # `verify_audit` reports keys that contain no day.
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
    seal_item = Seal.new_at_key(trail.seal(day))
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
    """Save how far the trail is sealed, at the revision that was read, and when it is due again."""
    sealing.through = through
    sealing.sign()
    sealing.due_at = due_after(through)
    transaction = transaction or Transaction(new_command(SYSTEM))
    transaction.save(sealing, revision=sealing.revision)
    transaction.commit(sealing)


# --- The list of a day ---------------------------------------------------------------------------
def _write_list(trail: Trail, day: str) -> Iterator[Part]:
    """Write the list of a day's entries, with part numbers that no other attempt uses."""
    attempt, number = new_id(), secrets.randbelow(10_000) * 10_000
    for lines in _split_lines(_line(trail, raw) for raw in trail.day(day)):
        text, key = "".join(lines), trail.part(day, number)
        is_new_or_ours = SealPart.pk.does_not_exist() | (SealPart.attempt == attempt)
        if write.update(key, [SealPart.attempt.set(attempt), SealPart.text.set(text)], is_new_or_ours) is None:
            raise RuntimeError(f"{trail.name}: two attempts to seal {day} chose the same part numbers.")
        yield Part(number, len(lines), sha256(text))
        number += 1


def _split_lines(lines: Iterable[str]) -> Iterator[list[str]]:
    """Split the lines into lists that fit into one item."""
    batch: list[str] = []
    size = 0
    for line in lines:
        if batch and (len(batch) == MAX_LINES or size + len(line) > MAX_TEXT):
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += len(line)
    if batch:
        yield batch


def _line(trail: Trail, raw: Raw) -> str:
    return SealPart.line(SealedEntry(trail.position(raw), hash_of(raw), *action_and_actor(raw)))


def action_and_actor(raw: Raw) -> tuple[str, str]:
    """The action and the actor of an entry, empty if it has none."""
    action = raw.get("action", {}).get("S", "")
    actor = (raw.get("adminId") or raw.get("actor", {}).get("M", {}).get("email", {})).get("S", "")
    return action[:100], actor[:100]


def _remove_parts(trail: Trail, day: str, numbers: Iterable[int]) -> None:
    for number in numbers:
        write.remove(trail.part(day, number))


def _remove_other_attempts(trail: Trail, day: str, numbers: set[int]) -> None:
    """Remove parts of interrupted attempts. After the seal is written, no other attempt can succeed."""
    used = {trail.part(day, number) for number in numbers}
    for part in list(all_pages(lambda start: queries.parts(trail.parts(day), start))):
        if part.key not in used:
            write.remove(part.key)
