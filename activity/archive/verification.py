"""Verifies the archive: every file against the manifest, every event once, and the counts against the counters."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from activity.archive import manifest
from activity.archive.manifest import FileRef
from activity.archive.schema import day_of
from activity.archive.sealing import digest_of
from activity.archive.storage import FileMissing, Storage
from activity.queries.hours import counts_of_day
from dashboard.core.clock import now

# The counters of older days have expired.
COUNTED_DAYS = 80


@dataclass
class Verification:
    """What was found."""

    days: int = 0
    rows: int = 0
    # Rows that arrived and are not yet in a sealed day. Some may be there already, in another form.
    waiting: int = 0
    problems: list[str] = field(default_factory=list)


def verify(storage: Storage) -> Verification:
    """Examine the whole archive. Reads every file, one after the other."""
    found, named = Verification(), set[str]()
    for file in manifest.incoming():
        named.add(str(file.path))
        found.waiting += sum(manifest.days_of(file).values())
        found.problems += _problems_of_incoming(storage, str(file.path), int(file.rows))
    pending = {day for file in manifest.incoming() for day in manifest.days_of(file)}
    for sealed in manifest.sealed(date.min, date.max):
        files = manifest.files_of(sealed)
        named |= {each.path for each in files}
        found.days += 1
        found.rows += int(sealed.rows)
        found.problems += _problems_of_day(storage, sealed.day, files, is_pending=sealed.day in pending)
    found.problems += [f"{path}: not in the manifest" for path in storage.paths() if path not in named]
    return found


def _problems_of_incoming(storage: Storage, path: str, rows: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="verify-") as folder:
        target = Path(folder) / "rows.parquet"
        try:
            storage.fetch(path, target)
            stored = len(pq.read_table(target, page_checksum_verification=True))
        except FileMissing:
            yield f"{path}: missing"
        except (pa.ArrowException, OSError) as error:
            yield f"{path}: cannot be read: {error}"
        else:
            if stored != rows:
                yield f"{path}: {stored} rows, the manifest has {rows}"


def _problems_of_day(storage: Storage, day: date, files: list[FileRef], *, is_pending: bool) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="verify-") as folder:
        readable = []
        for number, file in enumerate(files):
            target = Path(folder) / f"{number}.parquet"
            problem = _problem_of_file(storage, file, target)
            if problem is None:
                readable.append(target)
            else:
                yield f"{file.path}: {problem}"
        if readable:
            yield from _problems_of_rows(day, readable)
    # Outside writers count nothing, so that the files may have more.
    rows, counted = sum(each.rows for each in files), _counted(day)
    if counted > rows and not is_pending:
        yield f"{day.isoformat()}: {rows} events in the files, {counted} in the counters"


def _problem_of_file(storage: Storage, file: FileRef, target: Path) -> str | None:
    try:
        storage.fetch(file.path, target)
    except FileMissing:
        return "missing"
    if digest_of(target) != file.sha256:
        return "another content than in the manifest"
    try:
        rows = pq.ParquetFile(target).metadata.num_rows
    except (pa.ArrowException, OSError) as error:
        return f"cannot be read: {error}"
    return None if rows == file.rows else f"{rows} rows, the manifest has {file.rows}"


_TWICE = """
SELECT count(*) FROM (SELECT 1 FROM rows GROUP BY "user", event_id, "at" HAVING count(*) > 1)
"""
_ELSEWHERE = 'SELECT count(*) FROM rows WHERE CAST("at" AS DATE) <> $day'


def _problems_of_rows(day: date, files: list[Path]) -> Iterator[str]:
    with duckdb.connect() as engine:
        engine.read_parquet([str(each) for each in files], hive_partitioning=False).create_view("rows")
        (twice,) = engine.execute(_TWICE).fetchone() or (0,)
        (elsewhere,) = engine.execute(_ELSEWHERE, {"day": day}).fetchone() or (0,)
    if twice:
        yield f"{day.isoformat()}: {twice} events are in it more than once"
    if elsewhere:
        yield f"{day.isoformat()}: {elsewhere} events of other days"


def _counted(day: date) -> int:
    """What the counters of the log say; 0 after they have expired."""
    if day < day_of(now()) - timedelta(days=COUNTED_DAYS):
        return 0
    return sum(each.events for each in counts_of_day(day).values())
