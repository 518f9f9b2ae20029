"""Rolling the log up: each day that is over is counted once, in the night after it."""

from __future__ import annotations

import time

from dashboard.core.errors import Conflict
from dashboard.platform.audit.seals.services import due_after, last_finished_day
from dashboard.platform.audit.seals.trails import position_after
from dashboard.table import keys
from dashboard.table.commands import SYSTEM, new_command
from dashboard.table.transactions import Transaction
from forum.items import ModerationDay, ModerationEntry, ModerationRollup
from forum.numbers.tally import tally
from forum.seals import moderation_log

# What one call does at the most, well within the lease.
MAX_SECONDS = 120.0


def begin() -> bool:
    """Make the item that stands for this work."""
    rollup = ModerationRollup.at()
    rollup.due_at = due_after("")
    transaction = Transaction(new_command(SYSTEM))
    transaction.create(rollup)
    try:
        transaction.commit(rollup)
    except Conflict:
        return False  # Another run was faster.
    return True


def roll_up(rollup: ModerationRollup) -> int:
    """Count every day that is over, the oldest first; whoever meets another run at it leaves it to that one."""
    log, last, ends, done = moderation_log(), last_finished_day(), time.monotonic() + MAX_SECONDS, 0
    try:
        if (rollup.through or "") >= last:
            _save(rollup, rollup.through or "")  # Nothing to do yet: it comes again when there is.
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
    """A day's numbers and that they are made, together; made again they are the same."""
    transaction = Transaction(new_command(SYSTEM))
    if entries is not None:
        key, counts = keys.MODERATION_DAY.key(date=through), tally(entries).to_dict()
        transaction.update(key, [ModerationDay.counts.set(counts)], None, Conflict)
    rollup.through, rollup.due_at = through, due_after(through)
    transaction.save(rollup, revision=rollup.revision)
    transaction.commit(rollup)
