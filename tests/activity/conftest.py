"""A table with a stream, and the log tables beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.conftest import log_tables_of
from tests.tables import SharedTable


@pytest.fixture
def stream_table(table: str) -> Iterator[SharedTable]:
    """A table of its own on the engine of `table`, with log tables: the shared ones have no stream."""
    shared = SharedTable(table, os.environ.get("AWS_ENDPOINT_URL_DYNAMODB", ""), has_stream=True).create()
    with shared.in_use(), log_tables_of(table, has_stream=True):
        yield shared
    shared.drop()
