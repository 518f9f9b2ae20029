"""Demo items of other services that this product does not show everywhere, and a report that counts all items."""

from __future__ import annotations

import tempfile
from io import StringIO
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from dashboard.platform.table_health import queries
from dashboard.table import connection
from dashboard.table.attributes import to_attribute

_SITE = "TENANT#andina"
# As the site's service writes them: kinds that have no class here, a key without its end, a title that is no text.
_ITEMS = (
    {"PK": _SITE, "SK": "POPUP#spring", "id": "spring", "title": "-20 % en octubre", "active": True},
    {"PK": _SITE, "SK": "COUPON#OCT20", "code": "OCT20", "value": "20"},
    {"PK": _SITE, "SK": "COUPONCODE#OCT20", "couponId": "OCT20"},
    {"PK": "SYSTEM", "SK": "CDN_LAST_CHANGE", "updatedAt": 1_790_000_000_000},
    {"PK": _SITE, "SK": "CONTENT#home", "nodeId": "home", "title": "Inicio"},
    {"PK": _SITE, "SK": "SIGNAL#r1", "title": ["Buscan un proveedor de café"], "source": "Reddit", "painScore": 7},
)


def seed_demo(size: int) -> str:
    """Add the items and count the whole table once. The last of all demos, so that it counts the others' items too."""
    if queries.last_report() is not None:
        return "0 items of other services"
    for item in _ITEMS:
        raw = {name: to_attribute(value) for name, value in item.items()}
        connection.client().put_item(TableName=settings.DYNAMODB_TABLE, Item=raw)
    quiet = {"stdout": StringIO(), "stderr": StringIO()}
    with tempfile.TemporaryDirectory() as folder:
        call_command("reindex", table=settings.DYNAMODB_TABLE, checkpoint=Path(folder, "checkpoint"), **quiet)
    return f"{len(_ITEMS)} items of other services"
