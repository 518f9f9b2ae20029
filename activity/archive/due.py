"""The due task of the archive: seals days that are complete, and again after late events."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings

from activity.archive.items import ArchiveTask
from activity.archive.queries import archive_task
from activity.archive.storage import default_storage
from dashboard.core.clock import now
from dashboard.core.errors import Conflict
from dashboard.platform.due.registry import before_each_run, due
from dashboard.table.commands import SYSTEM, new_command
from dashboard.table.transactions import Transaction

# How long late events wait until their day is sealed again.
EVERY = timedelta(minutes=10)


@before_each_run
def ensure_archive_task() -> str | None:
    if settings.ACTIVITY_ARCHIVE and archive_task() is None and _begin():
        return "began to seal the archive of activity"
    return None


@due("archive task")
def seal_archive(task: ArchiveTask) -> str:
    from activity.archive import schedule  # With DuckDB, which few processes need.

    days = schedule.seal_due(default_storage())
    task.due_at = now() + EVERY
    transaction = Transaction(new_command(SYSTEM))
    transaction.save(task, revision=task.revision)
    transaction.commit(task)
    return f"sealed {len(days)} days of the archive"


def _begin() -> bool:
    task = ArchiveTask.new()
    task.due_at = now()
    transaction = Transaction(new_command(SYSTEM))
    transaction.create(task)
    try:
        transaction.commit(task)
    except Conflict:
        return False  # Another run has created it.
    return True
