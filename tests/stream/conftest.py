"""A table with a stream."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.tables import SharedTable


@pytest.fixture
def stream_table(table: str) -> Iterator[SharedTable]:
    """A table of its own on the engine of `table`: the shared ones have no stream."""
    shared = SharedTable(table, os.environ.get("AWS_ENDPOINT_URL_DYNAMODB", ""), has_stream=True).create()
    with shared.in_use():
        yield shared
    shared.drop()
