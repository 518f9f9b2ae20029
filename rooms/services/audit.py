"""Audit entries about rooms."""

from __future__ import annotations

from typing import Any

from dashboard.platform.audit.services import record
from dashboard.table.transactions import Transaction
from rooms.items import Room
from rooms.queries.rooms import audit_target


def record_change(
    transaction: Transaction,
    action: str,
    room: Room,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    record(transaction, action, target=audit_target(room.id), kind="room", title=room.title, before=before, after=after)
