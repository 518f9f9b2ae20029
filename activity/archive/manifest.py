"""The manifest of the archive. It alone decides which files count: no file is ever found by listing the storage."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from activity.archive.items import IncomingFile, SealedDay
from activity.archive.queries import incoming, sealed, sealed_day
from activity.archive.schema import path_of
from dashboard.core.clock import now
from dashboard.core.errors import Conflict
from dashboard.table import keys, write
from dashboard.table.nested import StoredMap

__all__ = ["FileRef", "files", "files_of", "incoming", "sealed", "sealed_day", "sealed_days"]


@dataclass(frozen=True)
class FileRef:
    """A file of a sealed day: all its events from one country."""

    day: date
    country: str
    path: str
    rows: int
    bytes: int
    sha256: str


def files(first: date, last: date) -> list[FileRef]:
    """The files of the sealed days between these two, inclusive. Together they contain every event exactly once.

    Days that are not sealed have none: their events are read from the log tables.
    """
    return [file for each in sealed(first, last) for file in files_of(each) if file.rows]


def sealed_days(first: date, last: date) -> dict[date, int]:
    """The sealed days between these two, inclusive; also those without any event.

    The number is the generation of a day, which increases each time that late events change its files.
    """
    return {each.day: int(each.generation) for each in sealed(first, last)}


def files_of(item: SealedDay) -> list[FileRef]:
    """The files of a day, also those whose events were all erased."""
    day = item.day
    found = []
    for country, stored in sorted((item.files or {}).items()):
        values = StoredMap.of(stored)
        found.append(
            FileRef(
                day,
                country,
                path_of(day, country),
                int(values.number("rows") or 0),
                int(values.number("bytes") or 0),
                values.text("sha256") or "",
            )
        )
    return found


def days_of(file: IncomingFile) -> dict[date, int]:
    """The days of which a file has rows that are not sealed, and how many."""
    return {date.fromisoformat(day): int(rows) for day, rows in StoredMap.of(file.days).counts().items()}


def seal(day: date, previous: SealedDay | None, found: list[FileRef]) -> None:
    """Store what a day consists of. Raises Conflict if somebody else has sealed it since `previous` was read."""
    generation = int(previous.generation) if previous else 0
    condition = SealedDay.generation == generation if previous else SealedDay.pk.does_not_exist()
    actions = [
        SealedDay.files.set(
            {each.country: {"rows": each.rows, "bytes": each.bytes, "sha256": each.sha256} for each in found}
        ),
        SealedDay.rows.set(sum(each.rows for each in found)),
        SealedDay.generation.set(generation + 1),
        SealedDay.sealed_at.set(now()),
    ]
    if write.update(keys.SEALED_DAY.key(date=day.isoformat()), actions, condition) is None:
        raise Conflict(None)


def forget_day(file: IncomingFile, day: date) -> bool:
    """Remember that the rows of this day are sealed. Returns whether the file has no others."""
    path = IncomingFile.days[day.isoformat()]
    raw = write.update(file.key, [path.remove()], path.exists())
    return raw is not None and not IncomingFile.of(raw).days
