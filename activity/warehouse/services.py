"""Stores results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from activity.warehouse.engines.local import Row
from activity.warehouse.items import ResultsTask, StoredResult
from activity.warehouse.queries import result_key
from activity.warehouse.reports import Report
from dashboard.core.clock import now
from dashboard.core.errors import Conflict
from dashboard.table import write
from dashboard.table.commands import SYSTEM, new_command
from dashboard.table.transactions import Transaction

# An item has at most 400 KB.
MAX_BYTES = 350_000
# The results that nobody calculates in advance are kept for so long.
LIFE = timedelta(days=30)
# The task remembers so many days.
DAYS_REMEMBERED = 100
EVERY = timedelta(minutes=10)


def store(report: Report[Any], rows: Sequence[Row], generations: str, *, is_truncated: bool = False) -> StoredResult:
    """Store the answer about closed days. Storing it twice gives the same."""
    listed = [[each.isoformat() if isinstance(each, datetime) else each for each in row] for row in rows]
    text = _json(listed)
    while len(text.encode()) > MAX_BYTES:
        # The rows with most people come first.
        is_truncated, listed = True, listed[: len(listed) * 3 // 4]
        text = _json(listed)
    actions = [
        StoredResult.rows.set(text),
        StoredResult.is_truncated.set(is_truncated),
        StoredResult.generations.set(generations),
        StoredResult.calculated_at.set(now()),
    ]
    if not report.is_usual:
        actions.append(StoredResult.ttl.set(int((now() + LIFE).timestamp())))
    raw = write.update(result_key(report), actions)
    assert raw is not None  # The update has no condition.
    return StoredResult.of(raw)


def _json(rows: Sequence[Sequence[object]]) -> str:
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def begin() -> bool:
    """Create the item of the due task."""
    task = ResultsTask.new()
    task.due_at = now()
    transaction = Transaction(new_command(SYSTEM))
    transaction.create(task)
    try:
        transaction.commit(task)
    except Conflict:
        return False  # Another run has created it.
    return True


def save_progress(task: ResultsTask, done: dict[date, str], *, is_finished: bool) -> None:
    """Remember from which generations the days are calculated. An unfinished task is due again at once."""
    newest = sorted(done)[-DAYS_REMEMBERED:]
    task.due_at = now() + EVERY if is_finished else now()
    task.done = {day.isoformat(): done[day] for day in newest}
    transaction = Transaction(new_command(SYSTEM))
    transaction.save(task, revision=task.revision)
    transaction.commit(task)
