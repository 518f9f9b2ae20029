"""What the trail says of services, providers and customers."""

from __future__ import annotations

from typing import Any

from bookings.items import Customer, Provider, Service
from bookings.queries.history import target_of
from dashboard.platform.audit.services import record
from dashboard.table.transactions import Transaction

Told = dict[str, Any] | None


def record_change(
    transaction: Transaction, action: str, item: Service | Provider | Customer, before: Told, after: Told
) -> None:
    """An action is named for its kind: `service.edit`."""
    kind = action.partition(".")[0]
    record(
        transaction,
        action,
        target=target_of(kind, item.id),
        kind=kind,
        title=item.title,
        before=before,
        after=after,
        business=str(item.key_parts["tenant"]),
    )
