"""Demo items of outside writers that this product does not show everywhere, and a report that counts all items."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.conf import settings

from dashboard.platform.table_health import queries
from dashboard.platform.table_health.census import Census
from dashboard.platform.table_health.items import ReindexReport
from dashboard.table import connection, keys, read, write
from dashboard.table.guards import offline

# As the site's service writes them: kinds that have no class here, a key without its end, a title that is no text.
_ITEMS = Path(__file__).with_name("demo_items.jsonl")


def seed_demo(size: int) -> str:
    """Add the items and count the whole table once. The last of all demos, so that it counts the others' items too."""
    if queries.last_report() is not None:
        return "0 items of other services"
    items = [json.loads(line)["Item"] for line in _ITEMS.read_text().splitlines()]
    for item in items:
        connection.client().put_item(TableName=settings.DYNAMODB_TABLE, Item=item)
    write.put(ReindexReport.of_census(_count_all()))
    return f"{len(items)} items of other services"


def _count_all() -> Census:
    """Count as `reindex` does, without correcting anything."""
    census = Census()
    options: dict[str, Any] = {}
    while True:
        with offline():
            answer = connection.client().scan(TableName=settings.DYNAMODB_TABLE, **options)
        for raw in answer["Items"]:
            census.add(raw)
        if "LastEvaluatedKey" not in answer:
            break
        options = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
    census.look_up_files(lambda file: read.raw_item(keys.ASSET.key(asset=file)) is not None)
    return census
