"""Answers questions with DuckDB in this process, from Parquet files and from rows of the log tables.

It reads only the archive's folder, never the network, and installs nothing: the values of a question come from people.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
from django.conf import settings

from activity.archive.schema import COLUMNS
from activity.warehouse.errors import FileLost, TooLarge, TooSlow, Unanswered
from activity.warehouse.questions import Statement

logger = logging.getLogger("trastienda.activity")

Row = tuple[Any, ...]
# The columns of the archive with the date in UTC, which is part of the path of a file.
ARCHIVE_COLUMNS = COLUMNS.append(pa.field("date", pa.string()))
_NAMES = ", ".join(f'"{name}"' for name in ARCHIVE_COLUMNS.names)
_FILES = f"SELECT {_NAMES} FROM read_parquet($files, hive_partitioning = true, hive_types = {{'date': VARCHAR}})"  # noqa: S608
_ROWS = f"SELECT {_NAMES} FROM logged"  # noqa: S608 - constants only
_BATCH = 5_000
# No answer is larger: a page shows far less, and a result is stored in one item.
MAX_ROWS = 4_000


@dataclass(frozen=True)
class EventData:
    """Where the events of a question are: files of the archive on this machine, and rows with ARCHIVE_COLUMNS."""

    files: Sequence[str] = ()
    rows: pa.Table = field(default_factory=ARCHIVE_COLUMNS.empty_table)

    @property
    def archive(self) -> str:
        """The relation `archive`, which the questions read."""
        parts = ([_FILES] if self.files else []) + ([_ROWS] if len(self.rows) or not self.files else [])
        return " UNION ALL ".join(parts)


def fetch_rows(statement: Statement, events: EventData, limit: int = MAX_ROWS) -> tuple[list[Row], bool]:
    """At most so many rows of the answer, and whether there are more."""
    with _executed(statement, events) as (cursor, _timer):
        rows = cursor.fetchmany(limit + 1)
    return rows[:limit], len(rows) > limit


def stream_rows(statement: Statement, events: EventData) -> Iterator[Row]:
    """All rows of the answer, without holding them all in memory."""
    with _executed(statement, events) as (cursor, timer):
        while batch := cursor.fetchmany(_BATCH):
            # The rows are sorted: from now on the reader decides how long it takes.
            timer.cancel()
            yield from batch


@contextmanager
def _executed(statement: Statement, events: EventData) -> Iterator[tuple[duckdb.DuckDBPyConnection, threading.Timer]]:
    values = dict(statement.values) | ({"files": list(events.files)} if events.files else {})
    # Cursors share the database, its memory and its limits, but each is of one thread.
    cursor = _database(settings.ACTIVITY_ARCHIVE).cursor()
    timer = threading.Timer(settings.ACTIVITY_QUERY_SECONDS, cursor.interrupt)
    timer.daemon = True
    try:
        timer.start()
        if len(events.rows) or not events.files:
            cursor.register("logged", events.rows)
        cursor.execute(f"WITH archive AS ({events.archive}),\n{statement.sql.removeprefix('WITH ')}", values)
        yield cursor, timer
    except duckdb.InterruptException as error:
        raise TooSlow from error
    except duckdb.OutOfMemoryException as error:
        raise TooLarge from error
    except duckdb.IOException as error:
        logger.error("a file of the archive cannot be read", exc_info=error)
        raise (FileLost if _is_any_missing(events.files) else Unanswered) from error
    except duckdb.Error as error:
        logger.error("DuckDB did not answer", exc_info=error)
        raise Unanswered from error
    finally:
        timer.cancel()
        cursor.close()


def _is_any_missing(files: Sequence[str]) -> bool:
    return any(not Path(file).exists() for file in files)


@lru_cache(maxsize=2)
def _database(archive: str) -> duckdb.DuckDBPyConnection:
    """The database of this process, in memory, locked down. A later setting of the archive gets another one."""
    database = duckdb.connect(
        ":memory:",
        config={
            "threads": settings.ACTIVITY_QUERY_THREADS,
            "memory_limit": f"{settings.ACTIVITY_QUERY_MEMORY_MB}MB",
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
            "temp_directory": "",
        },
    )
    database.execute("SET allowed_directories = $folders", {"folders": [f"{each}/" for each in readable_folders()]})
    for setting in (
        "enable_external_access = false",
        "python_enable_replacements = false",
        "lock_configuration = true",
    ):
        database.execute(f"SET {setting}")
    return database


def readable_folders() -> list[str]:
    """The only folders that a question can read."""
    place = str(settings.ACTIVITY_ARCHIVE)
    archive = [] if not place or place.startswith("s3://") else [str(Path(place).absolute())]
    return [*archive, str(copies_folder().absolute())]


def copies_folder() -> Path:
    """Copies of files of a bucket."""
    return Path(settings.DATA_DIR) / "activity-copies"
