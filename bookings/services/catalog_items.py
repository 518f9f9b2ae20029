"""The writes that services, staff members and customers have in common."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeVar

from bookings.fields import CUSTOMER_FIELDS, PROVIDER_FIELDS, SERVICE_FIELDS
from bookings.items import Customer, Provider, Service
from bookings.queries.history import target_of
from dashboard.platform.audit.services import record
from dashboard.table.commands import Command
from dashboard.table.items import Raw
from dashboard.table.transactions import Transaction, report_unchanged

CatalogItem = Service | Provider | Customer
CatalogItemT = TypeVar("CatalogItemT", Service, Provider, Customer)
BookableT = TypeVar("BookableT", Service, Provider)
FIELDS = {Service: SERVICE_FIELDS, Provider: PROVIDER_FIELDS, Customer: CUSTOMER_FIELDS}
# The record of a command is an item, which DynamoDB limits to 400 KB.
MAX_BYTES = 300_000


def create_item(item: CatalogItemT, values: dict[str, Any], command: Command) -> CatalogItemT:
    FIELDS[type(item)].apply(item, values)
    transaction = Transaction(command)
    transaction.create(item)
    record_change(transaction, "create", item, None, audit_values(item))
    return transaction.commit(item)


def save_item(
    item: CatalogItemT, before: dict[str, Any], *, revision: int, command: Command, **condition: Any
) -> CatalogItemT:
    """Save an edited item with its audit entry. Nothing is written where nothing changed."""
    after = audit_values(item)
    states = {"before": before, "after": after}
    if after == before:
        return report_unchanged(item, states, command)
    transaction = Transaction(command)
    transaction.save(item, revision=revision, **condition)
    record_change(transaction, "edit", item, before, after)
    return transaction.commit(item, states)


def set_active(item: BookableT, active: bool, *, revision: int, command: Command, **condition: Any) -> BookableT:
    before = audit_values(item)
    item.active = active
    transaction = Transaction(command)
    transaction.save(item, revision=revision, **condition)
    record_change(transaction, "activate" if active else "deactivate", item, before, audit_values(item))
    return transaction.commit(item)


def commit_deletion(transaction: Transaction, item: CatalogItem, raws: Sequence[Raw]) -> None:
    """Commit a deletion. The record of the command keeps the raw items, so that Undo can restore them."""
    record_change(transaction, "remove", item, audit_values(item), None)
    transaction.commit(None, _deletion_record(raws))


def _deletion_record(raws: Sequence[Raw]) -> dict[str, Any]:
    """Empty where the items are too large, or hold bytes of an outside writer."""
    try:
        text = json.dumps(list(raws))
    except TypeError:
        return {}
    return {"removed": json.loads(text)} if len(text) <= MAX_BYTES else {}


def audit_values(item: CatalogItem) -> dict[str, Any]:
    """The values in audit entries, which Undo restores."""
    values = FIELDS[type(item)].audit_values(item)
    return values if isinstance(item, Customer) else values | {"active": item.is_active}


def record_change(
    transaction: Transaction,
    action: str,
    item: CatalogItem,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    """Add the audit entry of an action, such as `service.edit`."""
    kind = item.key_pattern.kind
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
