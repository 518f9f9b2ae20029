"""Reads of the archive's manifest."""

from __future__ import annotations

from datetime import date

from activity.archive.items import ArchiveTask, IncomingFile, SealedDay
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern

MAX_ITEMS_PER_CALL = 1000


@access_pattern("Which days of the archive are sealed, and what is in them?", keys.SEALED_DAY, partition=True)
def sealed(first: date, last: date) -> list[SealedDay]:
    """The items of the sealed days, oldest first. `generation` increases when late events change a day."""
    return read.every_item(
        keys.SEALED_DAY.collection(),
        SealedDay,
        since=first.isoformat(),
        until=last.isoformat(),
        limit=MAX_ITEMS_PER_CALL,
        consistent=True,
    )


@access_pattern("Which files of the archive are not yet in sealed days?", keys.INCOMING_FILE, partition=True)
def incoming() -> list[IncomingFile]:
    return read.every_item(keys.INCOMING_FILE.collection(), IncomingFile, limit=MAX_ITEMS_PER_CALL, consistent=True)


@access_pattern("Is this day of the archive sealed?", keys.SEALED_DAY)
def sealed_day(day: date) -> SealedDay | None:
    return read.get(SealedDay, keys.SEALED_DAY.key(date=day.isoformat()))


@access_pattern("When is the archive of activity sealed next?", keys.ARCHIVE_TASK)
def archive_task() -> ArchiveTask | None:
    return read.get(ArchiveTask, keys.ARCHIVE_TASK.key())
