"""What follows from changes of pages and products: the public sites are made again."""

from __future__ import annotations

from content.library.kinds import PRODUCTS
from content.services.markers import put_markers
from dashboard.platform.outbox.records import OutboxRecord
from dashboard.platform.outbox.registry import FollowUp, follow, register_follow_up
from dashboard.table.transactions import Transaction

SITE = "site"
ACTIONS = ("edit", "restore", "publish", "unpublish", "archive")


def put_markers_again(record: OutboxRecord, transaction: Transaction) -> str:
    """Put the markers, however often: they only contain the time of the last change."""
    put_markers()
    return "the public sites are made again"


# The public site shows products too.
PRODUCT_ACTIONS = ("create", "edit", "remove", "restore")

register_follow_up(FollowUp(SITE, put_markers_again))
for action in ACTIONS:
    follow(f"page.{action}", SITE)
for action in PRODUCT_ACTIONS:
    follow(f"{PRODUCTS.name}.{action}", SITE)
