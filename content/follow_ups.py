"""What follows from changes of pages and products: the public sites are made again, and copies are completed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from content.library.kinds import PRODUCTS
from content.services.markers import put_markers
from content.services.product_copies import CATEGORIES, complete_copies
from dashboard.platform.outbox.records import OutboxRecord
from dashboard.platform.outbox.registry import FollowUp, follow, register_follow_up
from dashboard.table.transactions import Transaction

SITE, COPIES = "site", "product-copies"
ACTIONS = ("edit", "restore", "publish", "unpublish", "archive")


def put_markers_again(record: OutboxRecord, transaction: Transaction) -> str:
    """Put the markers, however often: they only contain the time of the last change."""
    put_markers()
    return "the public sites are made again"


# The public site shows products too.
PRODUCT_ACTIONS = ("create", "edit", "remove", "restore")


def complete_copies_of(record: Any, transaction: Transaction) -> str:
    """Write the copies of a product that did not fit into the transaction of its change."""
    product = str(record.target_data.get("id", "")).partition(":")[2]
    former = str((record.before or {}).get(CATEGORIES, "")).splitlines()
    count = complete_copies(record.record_place.business, product, former)
    return f"{count} copies of the product were completed"


register_follow_up(FollowUp(SITE, put_markers_again))
register_follow_up(FollowUp(COPIES, complete_copies_of))
for action in ACTIONS:
    follow(f"page.{action}", SITE)
for action in PRODUCT_ACTIONS:
    follow(f"{PRODUCTS.name}.{action}", SITE)
    follow(f"{PRODUCTS.name}.{action}", COPIES, timedelta(seconds=1))
