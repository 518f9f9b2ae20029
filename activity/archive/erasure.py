"""Erases a person: removes all their events from the archive, whatever name they have in it."""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from activity.archive import files, manifest, sealing
from activity.archive.items import IncomingFile
from activity.archive.pseudonyms import archived_names
from activity.archive.storage import FileMissing, Storage
from activity.events import fold_user
from dashboard.table import write


def erase(storage: Storage, email: str) -> int:
    """Remove the events of a person from every file; returns how many. It can be repeated after an interruption.

    Old versions of the files stay in a versioned bucket until its lifecycle rule removes them.
    """
    names = archived_names(fold_user(email))
    removed = sum(_erase_arrived(storage, each, names) for each in manifest.incoming())
    for day in manifest.sealed(date.min, date.max):
        if count := sum(_count(storage, each.path, names) for each in manifest.files_of(day)):
            removed += count
            sealing.seal_day(storage, day.day, erased=names)
    return removed


def _erase_arrived(storage: Storage, entry: IncomingFile, names: Collection[str]) -> int:
    """Rewrite a file that is not yet sealed. If it is sealed meanwhile, its day is erased after it."""
    try:
        rows = _read(storage, str(entry.path))
    except FileMissing:
        return 0
    kept = rows.filter(pc.invert(_is_person(rows, names)))
    if len(kept) == len(rows):
        return 0
    # Days without rows stay in the entry, so that they are sealed as before.
    days = {day.isoformat(): 0 for day in manifest.days_of(entry)}
    days |= {day.isoformat(): count for day, count in files.rows_by_day(kept).items() if day.isoformat() in days}
    files.write_table(storage, str(entry.path), kept)
    write.update(
        entry.key, [IncomingFile.days.set(days), IncomingFile.rows.set(len(kept))], entry.unchanged("path", "days")
    )
    return len(rows) - len(kept)


def _count(storage: Storage, path: str, names: Collection[str]) -> int:
    rows = _read(storage, path, ["user"])
    return int(pc.sum(_is_person(rows, names)).as_py() or 0)


def _is_person(rows: pa.Table, names: Collection[str]) -> pa.ChunkedArray:
    return pc.is_in(rows["user"], value_set=pa.array(list(names), pa.string()))


def _read(storage: Storage, path: str, columns: list[str] | None = None) -> pa.Table:
    with tempfile.TemporaryDirectory(prefix="archive-") as folder:
        file = Path(folder) / "rows.parquet"
        storage.fetch(path, file)
        return pq.read_table(file, columns=columns)
