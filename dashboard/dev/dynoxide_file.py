"""Keeps Dynoxide's data file fast while its table has a stream.

Dynoxide 1.2 keeps every record of a stream and searches all of them for the last number at each write: at 20,000
records a write takes three times as long. An index in its SQLite file makes the time constant, and records older than a
day are deleted, as DynamoDB does.
"""

import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

KEEP_SECONDS = 24 * 3600
_STATEMENTS = (
    "CREATE INDEX IF NOT EXISTS trastienda_stream_number "
    "ON _stream_records (table_name, CAST(sequence_number AS INTEGER))",
    "CREATE INDEX IF NOT EXISTS trastienda_stream_shard ON _stream_records (table_name, shard_id, sequence_number)",
)
# The newest record of each table stays: the next one gets the number after it.
_DELETE = """
    DELETE FROM _stream_records
    WHERE created_at < ? AND id NOT IN (SELECT MAX(id) FROM _stream_records GROUP BY table_name)
"""


def keep_fast(file: Path) -> None:
    """Add the indexes and delete old records. Another version of the engine, with other tables, is left as it is."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(file, timeout=5)) as database, database:
        for statement in _STATEMENTS:
            database.execute(statement)
        database.execute(_DELETE, (int(time.time()) - KEEP_SECONDS,))
