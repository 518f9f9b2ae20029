"""Seals a day: merges what arrived for it into one file for each country, in which each event is exactly once.

Several processes may seal a day at once, and any of them may be killed. A file is replaced only if it is still the one
that was read, and it then contains everything that it contained. Incoming files are removed only after that. So a
sealing that is repeated, or that is late, changes nothing.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from activity.archive import manifest
from activity.archive.files import remove_file
from activity.archive.items import IncomingFile
from activity.archive.manifest import FileRef
from activity.archive.schema import COLUMNS, INCOMING, path_of
from activity.archive.storage import ABSENT, FileChanged, FileMissing, Storage
from dashboard.core.errors import Conflict
from dashboard.table.retries import retry_on

# Of DuckDB. What does not fit is in temporary files.
MEMORY = "256MB"
ROWS_PER_GROUP = 100_000
# Of a bucket, many small files are fetched at once.
THREADS = 8


@dataclass(frozen=True)
class _Source:
    """The files of a day on this machine."""

    # By country: the version that the new file replaces, and its digest.
    versions: dict[str, str]
    digests: dict[str, str]
    sealed: list[Path]
    incoming: list[Path]


def seal_day(storage: Storage, day: date, *, erased: Collection[str] = ()) -> int:
    """Seal a day, or add what has arrived for it since. Returns the number of its events.

    The events of the people in `erased` are removed.
    """
    return retry_on(_Changed, lambda: _seal(storage, day, erased))


class LostFile(Exception):
    """A file that the manifest names does not exist."""


class _Changed(Conflict):
    """Somebody else has sealed the day meanwhile."""


def _seal(storage: Storage, day: date, erased: Collection[str]) -> int:
    previous = manifest.sealed_day(day)
    arrived = [each for each in manifest.incoming() if day in manifest.days_of(each)]
    if previous is not None and not arrived and not erased:
        return int(previous.rows)
    known = manifest.files_of(previous) if previous else []
    try:
        with tempfile.TemporaryDirectory(prefix="sealing-") as folder:
            source = _fetch(storage, day, known, arrived, Path(folder))
            written = _merge(storage, day, source, Path(folder), erased)
        if previous is None or written != known:  # Nothing new may have arrived.
            manifest.seal(day, previous, written)
    except (FileChanged, Conflict) as error:
        raise _Changed(None) from error
    _forget(storage, day, arrived)
    return sum(each.rows for each in written)


def _fetch(storage: Storage, day: date, known: list[FileRef], arrived: list[IncomingFile], folder: Path) -> _Source:
    """Copy the files of the day. A sealing that was interrupted may have written files that the manifest lacks."""
    incoming = [folder / f"incoming-{number}.parquet" for number in range(len(arrived))]
    try:
        with ThreadPoolExecutor(THREADS) as threads:
            list(threads.map(lambda file, target: storage.fetch(str(file.path), target), arrived, incoming))
    except FileMissing as error:
        # Somebody else has just sealed it. If it is lost, every attempt ends here, and `--verify` names it.
        raise _Changed(None) from error
    source = _Source({}, {}, [], incoming)
    counted = {each.country for each in known}
    for number, country in enumerate(sorted(counted | _countries_in(incoming))):
        target = folder / f"sealed-{number}.parquet"
        try:
            source.versions[country] = storage.fetch(path_of(day, country), target)
            source.digests[country] = digest_of(target)
            source.sealed.append(target)
        except FileMissing as error:
            if country in counted:
                raise LostFile(path_of(day, country)) from error
            source.versions[country] = ABSENT
    return source


def _countries_in(files: list[Path]) -> set[str]:
    found = set[str]()
    for each in files:
        found |= set(pq.read_table(each, columns=["country"])["country"].unique().to_pylist())
    return found


# Of each event, the newest row counts: an outside writer may have replaced it. A deleted event has none. An event is
# one person, one id and one time, as in the key of the log table.
_MERGE = """
CREATE TABLE merged AS
SELECT * FROM (
    SELECT *, '' AS position, false AS is_removed FROM sealed
    UNION ALL BY NAME
    SELECT * FROM incoming WHERE CAST("at" AS DATE) = $day
)
QUALIFY row_number() OVER (PARTITION BY "user", event_id, "at" ORDER BY position DESC, is_removed) = 1
    AND NOT is_removed AND NOT list_contains($erased, "user")
"""
_SELECT = """
SELECT * EXCLUDE (position, is_removed) FROM merged WHERE country = $country ORDER BY "at", "user", event_id
"""


def _merge(storage: Storage, day: date, source: _Source, folder: Path, erased: Collection[str]) -> list[FileRef]:
    """Write the file of each country, one after the other, in bounded memory."""
    with duckdb.connect(str(folder / "merge.duckdb")) as engine:
        engine.execute(f"SET memory_limit = '{MEMORY}'; SET threads = 1; SET temp_directory = '{folder}'")
        _view(engine, "sealed", source.sealed, folder)
        _view(engine, "incoming", source.incoming, folder)
        engine.execute(_MERGE, {"day": day, "erased": list(erased)})
        written = []
        for country, version in sorted(source.versions.items()):
            target = folder / "merged.parquet"
            rows = _write(engine.sql(_SELECT, params={"country": country}).to_arrow_reader(ROWS_PER_GROUP), target)
            if rows or version != ABSENT:
                file = FileRef(day, country, path_of(day, country), rows, target.stat().st_size, digest_of(target))
                if file.sha256 != source.digests.get(country):
                    storage.write(file.path, target, replaces=version)
                written.append(file)
    return written


def _view(engine: duckdb.DuckDBPyConnection, name: str, files: list[Path], folder: Path) -> None:
    """Name the rows of some files, maybe of none."""
    empty = folder / f"no-{name}.parquet"
    pq.write_table((INCOMING if name == "incoming" else COLUMNS).empty_table(), empty)
    rows = engine.read_parquet([str(each) for each in [empty, *files]], union_by_name=True, hive_partitioning=False)
    rows.create_view(name)


def _write(rows: pa.RecordBatchReader, target: Path) -> int:
    count = 0
    with pq.ParquetWriter(target, COLUMNS, compression="zstd", write_page_checksum=True) as writer:
        for batch in rows:
            writer.write_batch(batch.cast(COLUMNS))
            count += len(batch)
    return count


def digest_of(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _forget(storage: Storage, day: date, arrived: Iterable[IncomingFile]) -> None:
    """Remove the incoming files whose rows are all in sealed days."""
    for each in arrived:
        if manifest.forget_day(each, day):
            remove_file(storage, each)
