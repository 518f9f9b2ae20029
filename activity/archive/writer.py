"""Writes events into the archive without a stream: demo data, benchmarks and imports."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable
from datetime import date
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from activity.archive import manifest, sealing
from activity.archive.schema import as_incoming, day_of, rows_of
from activity.archive.storage import Storage
from activity.events import Event
from dashboard.core.clock import now
from dashboard.table import write

ROWS_PER_FILE = 50_000


def write_events(storage: Storage, events: Iterable[Event]) -> int:
    """Add events to the archive, and seal their days; returns the number of events that were given.

    An event that the archive has is not added again. Today stays open: its events wait for its end.
    """
    days, count = set[date](), 0
    remaining = iter(events)
    while chunk := list(islice(remaining, ROWS_PER_FILE)):
        days |= _add(storage, rows_of(chunk))
        count += len(chunk)
    seal_past(storage, days)
    return count


def write_rows(storage: Storage, rows: pa.Table) -> None:
    """Like `write_events`, from a table with the columns of the archive (`schema.COLUMNS`)."""
    days = set[date]()
    for start in range(0, len(rows), ROWS_PER_FILE):
        days |= _add(storage, rows.slice(start, ROWS_PER_FILE))
    seal_past(storage, days)


def seal_past(storage: Storage, days: Iterable[date]) -> None:
    for day in sorted(days):
        if day < day_of(now()):
            sealing.seal_day(storage, day)


def _add(storage: Storage, rows: pa.Table) -> set[date]:
    """Write one incoming file. Its name follows from its content, so that a repeated call adds nothing."""
    days = days_in(rows)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.parquet"
        pq.write_table(as_incoming(rows), file, compression="zstd")
        name = f"written-{hashlib.sha256(file.read_bytes()).hexdigest()[:32]}"
        entry = manifest.incoming_file(name, days)
        storage.write(str(entry.path), file)
    write.put(entry)
    return set(days)


def days_in(rows: pa.Table) -> dict[date, int]:
    """How many rows each day has."""
    counted = pc.value_counts(pc.cast(rows["at"], pa.date32()))
    return {each["values"].as_py(): each["counts"].as_py() for each in counted}
