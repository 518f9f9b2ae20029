"""Demo items of other services that this product does not show everywhere, and a report that counts all items."""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from io import StringIO
from pathlib import Path

from django.conf import settings
from django.core.management import CommandError, call_command

from dashboard.platform.table_health import queries
from dashboard.table import connection

# As the site's service writes them: kinds that have no class here, a key without its end, a title that is no text.
_ITEMS = Path(__file__).with_name("demo_items.jsonl")


def seed_demo(size: int) -> str:
    """Add the items and count the whole table once. The last of all demos, so that it counts the others' items too."""
    if queries.last_report() is not None:
        return "0 items of other services"
    items = [json.loads(line)["Item"] for line in _ITEMS.read_text().splitlines()]
    for item in items:
        connection.client().put_item(TableName=settings.DYNAMODB_TABLE, Item=item)
    quiet = {"stdout": StringIO(), "stderr": StringIO()}
    # An item that cannot be corrected is in the report; it must not stop `make run`.
    with tempfile.TemporaryDirectory() as folder, suppress(CommandError):
        call_command("reindex", table=settings.DYNAMODB_TABLE, checkpoint=Path(folder, "checkpoint"), **quiet)
    return f"{len(items)} items of other services"
