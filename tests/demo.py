"""An engine with an empty table outside pytest, for screenshots and benchmarks."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

django.setup()

from dashboard.dev.engines import EngineName, start_engine
from dashboard.dev.packages import ToolUnavailable
from dashboard.table import connection
from dashboard.table.admin import create_table


@contextmanager
def engine(name: EngineName = "dynoxide") -> Iterator[str]:
    """Starts an engine with an empty table: this one if it is available, otherwise moto.

    Dynoxide uses a file: in memory it becomes slower with every record of the table's stream.
    """
    folder = tempfile.TemporaryDirectory()
    try:
        started = start_engine(name, data=Path(folder.name) / "engine.db" if name == "dynoxide" else None)
        running = started.__enter__()
    except ToolUnavailable:
        started = start_engine("moto")
        running = started.__enter__()
    try:
        os.environ["AWS_ENDPOINT_URL_DYNAMODB"] = running.endpoint
        connection.forget()
        create_table()
        yield running.name
    finally:
        started.__exit__(None, None, None)
        folder.cleanup()
