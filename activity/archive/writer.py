"""Writes events into the archive without a stream: demo data, benchmarks and imports."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import date
from itertools import islice

import pyarrow as pa

from activity.archive import files, manifest, sealing
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
    incoming = as_incoming(rows)
    name = f"written/{_digest(incoming)}"
    files.write_table(storage, files.incoming_path(name), incoming)
    entry = files.incoming_entry(name, incoming)
    write.put(entry)
    return set(manifest.days_of(entry))


def _digest(rows: pa.Table) -> str:
    found = hashlib.sha256()
    for batch in rows.to_batches():
        found.update(batch.serialize())
    return found.hexdigest()[:32]
