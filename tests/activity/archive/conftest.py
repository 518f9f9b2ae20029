"""An archive in a folder, and the log tables of recent days with their streams."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from activity.archive.storage import ArchiveFolder, Storage
from activity.items import table_of_month
from dashboard.core.ids import new_id
from tests import tables
from tests.activity.archive.helpers import recent_months


@pytest.fixture
def archive(table: str, tmp_path: Path, settings: Any) -> Storage:
    """An empty archive in a folder, on an empty table."""
    settings.ACTIVITY_ARCHIVE = str(tmp_path / "archive")
    return ArchiveFolder(tmp_path / "archive")


@pytest.fixture
def log_streams(table: str, request: pytest.FixtureRequest, settings: Any) -> Iterator[None]:
    """Log tables with a stream, for the days that the tests use.

    Each test has other names: the stream of a table still has the records of an earlier one with its name.
    """
    settings.ACTIVITY_TABLE = f"{{table}}-{new_id()}-{{month}}"
    endpoint = "" if table == "moto" else request.getfixturevalue(f"{table}_endpoint")
    with ExitStack() as stack:
        for month in recent_months():
            stack.enter_context(tables.log_table(table, endpoint, table_of_month(month), has_stream=True))
        yield
