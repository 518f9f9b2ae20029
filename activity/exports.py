"""Events and people as files: CSV, which is sent while it is read, and Parquet."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Generator, Iterable, Sequence
from datetime import UTC, datetime
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from activity.archive.schema import COLUMNS
from activity.presenters.moments import PresentPerson
from activity.warehouse.results import ListedEvent
from dashboard.web.downloads import BOM, as_csv

EVENT_COLUMNS = ("event_id", "user", "at", "action", "room", "country", "domain", "metadata")
PERSON_COLUMNS = ("user", "room", "last_action_before", "last_time_before", "first_action_after", "first_time_after")
CSV_ROWS, PARQUET_ROWS = 500, 20_000


def event_lines_csv(rows: Iterable[ListedEvent]) -> Generator[str]:
    """The events of a list, oldest first, with times in UTC."""
    yield BOM + as_csv([EVENT_COLUMNS])
    for batch in _batches(rows, CSV_ROWS):
        yield as_csv(
            (each.event_id, each.user, _iso(each.at), each.action, each.room, each.country, each.domain, each.metadata)
            for each in batch
        )


def event_file_parquet(rows: Iterable[ListedEvent]) -> IO[bytes]:
    """The same as Parquet, with the columns of the archive. The file is deleted when it is closed."""
    # The response closes it.
    file = tempfile.TemporaryFile(suffix=".parquet")  # noqa: SIM115
    try:
        with pq.ParquetWriter(file, COLUMNS) as writer:
            for batch in _batches(rows, PARQUET_ROWS):
                writer.write_table(_table(batch))
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def people_csv(people: Sequence[PresentPerson]) -> str:
    lines = [
        (
            each.user,
            each.room,
            each.before.action if each.before else "",
            _iso(each.before.at) if each.before else "",
            each.after.action if each.after else "",
            _iso(each.after.at) if each.after else "",
        )
        for each in people
    ]
    return BOM + as_csv([PERSON_COLUMNS, *lines])


def _batches(rows: Iterable[ListedEvent], size: int) -> Generator[list[ListedEvent]]:
    following = iter(rows)
    while batch := list(itertools.islice(following, size)):
        yield batch


def _table(batch: Sequence[ListedEvent]) -> pa.Table:
    columns = {name: [getattr(each, name) for each in batch] for name in COLUMNS.names}
    columns["at"] = [each.astimezone(UTC).replace(tzinfo=None) for each in columns["at"]]
    return pa.table(columns, schema=COLUMNS)


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
