"""Rolls up the log: each past day is counted once, in the night after it."""

from __future__ import annotations

import time

from dashboard.core.errors import Conflict
from dashboard.platform.audit.seals.services import due_after, last_finished_day
from dashboard.platform.audit.seals.trails import position_after
from dashboard.table import keys
from dashboard.table.commands import SYSTEM, new_command
from dashboard.table.transactions import Transaction
from forum.items import ModerationDay, ModerationEntry, ModerationRollup
from forum.seals import moderation_log
from forum.statistics.tally import tally

# One call stays well within the lease.
MAX_SECONDS = 120.0


def begin() -> bool:
    """Create the item of this due task."""
    rollup = ModerationRollup.new()
    rollup.due_at = due_after("")
    transaction = Transaction(new_command(SYSTEM))
    transaction.create(rollup)
    try:
        transaction.commit(rollup)
    except Conflict:
        return False  # Another run has created it.
    return True


def roll_up(rollup: ModerationRollup) -> int:
    """Count every past day, the oldest first. If another run is doing it, stop."""
    log, last, ends, done = moderation_log(), last_finished_day(), time.monotonic() + MAX_SECONDS, 0
    try:
        if (rollup.through or "") >= last:
            _save(rollup, rollup.through or "")  # Nothing to do yet: due again later.
        while (rollup.through or "") < last and time.monotonic() < ends:
            day = log.next_day(position_after(rollup.through or ""), last)
            if day is None:
                _save(rollup, last)
            else:
                _save(rollup, day, [ModerationEntry.of(raw, partial=True) for raw in log.day(day)])
                done += 1
    except Conflict:
        pass
    return done


def _save(rollup: ModerationRollup, through: str, entries: list[ModerationEntry] | None = None) -> None:
    """Save the counts of a day and the progress together. Repeating it gives the same."""
    transaction = Transaction(new_command(SYSTEM))
    if entries is not None:
        key, counts = keys.MODERATION_DAY.key(date=through), tally(entries).to_dict()
        transaction.update(key, [ModerationDay.counts.set(counts)], None, Conflict)
    rollup.through, rollup.due_at = through, due_after(through)
    transaction.save(rollup, revision=rollup.revision)
    transaction.commit(rollup)
