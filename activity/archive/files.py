"""Incoming files: what arrived from a stream, until the days of its events are sealed."""

from __future__ import annotations

import tempfile
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pynamodb.expressions.update import Action

from activity.archive.items import IncomingFile
from activity.archive.schema import INCOMING, Row, table_of
from activity.archive.storage import Storage
from dashboard.table import write


def incoming_table(rows: list[Row]) -> pa.Table:
    return table_of(rows, INCOMING)


def incoming_path(name: str) -> str:
    return f"incoming/{name}.parquet"


def write_table(storage: Storage, path: str, rows: pa.Table) -> None:
    with tempfile.TemporaryDirectory(prefix="archive-") as folder:
        file = Path(folder) / "rows.parquet"
        pq.write_table(rows, file, compression="zstd", write_page_checksum=True)
        storage.write(path, file)


def incoming_entry(name: str, rows: pa.Table) -> IncomingFile:
    """The entry of a file in the manifest."""
    entry = IncomingFile.new(name=name)
    entry.path = incoming_path(name)
    entry.rows = len(rows)
    entry.days = {day.isoformat(): count for day, count in rows_by_day(rows).items()}
    return entry


def entry_actions(entry: IncomingFile) -> list[Action]:
    return [
        IncomingFile.path.set(str(entry.path)),
        IncomingFile.rows.set(int(entry.rows)),
        IncomingFile.days.set(entry.days),
    ]


def rows_by_day(rows: pa.Table) -> dict[date, int]:
    """How many rows each day has."""
    counted = pc.value_counts(pc.cast(rows["at"], pa.date32()))
    return {each["values"].as_py(): each["counts"].as_py() for each in counted}


def remove_file(storage: Storage, file: IncomingFile) -> None:
    """Remove a file and its entry: the file first, so that none is forgotten."""
    storage.remove(str(file.path))
    write.remove(file.key)
