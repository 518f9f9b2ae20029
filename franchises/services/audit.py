"""The audit entries of franchises, branches and products. A movement of stock is its own entry."""

from __future__ import annotations

from typing import Any

from dashboard.platform.audit.services import record
from dashboard.table.transactions import Transaction
from franchises.fields import BRANCH_FIELDS, FRANCHISE_FIELDS, PRODUCT_FIELDS
from franchises.items import Branch, Franchise, StockItem
from franchises.queries.history import target_of

StoreItem = Franchise | Branch | StockItem
FRANCHISE, BRANCH, PRODUCT = "franchise", "branch", "product"
KINDS = {Franchise: FRANCHISE, Branch: BRANCH, StockItem: PRODUCT}
FIELDS = {Franchise: FRANCHISE_FIELDS, Branch: BRANCH_FIELDS, StockItem: PRODUCT_FIELDS}


def audit_values(item: StoreItem) -> dict[str, Any]:
    """The values in audit entries, which Undo restores."""
    return FIELDS[type(item)].audit_values(item)


def record_change(
    transaction: Transaction,
    action: str,
    item: StoreItem,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Add the audit entry of an action, such as `product.edit`."""
    kind = KINDS[type(item)]
    record(
        transaction,
        f"{kind}.{action}",
        target=target_of(kind, item.id),
        kind=kind,
        title=item.title,
        before=before,
        after=after,
        business=str(item.key_parts["tenant"]),
    )
