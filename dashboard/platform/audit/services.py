"""Writes audit entries, each in the transaction of its change."""

from __future__ import annotations

from typing import Any

from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.outbox.registry import mark
from dashboard.table import keys
from dashboard.table.commands import Actor
from dashboard.table.transactions import Transaction
from dashboard.web.requests import request_id_or_none

# A larger entry names the changed fields without their values.
MAX_SNAPSHOT = 8 * 1024


def record(
    transaction: Transaction,
    action: str,
    *,
    target: str,
    kind: str,
    title: str,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    business: str | None = None,
) -> None:
    """Add the entry of a change to its transaction: to a business's trail, or without one to the platform's."""
    command = transaction.command
    entry = build_entry(
        command.by, action, target=target, kind=kind, title=title, before=before, after=after, business=business
    )
    entry.operation = command.id
    entry.request_id = request_id_or_none()
    mark(entry, action, entry.at_time)
    transaction.create(entry)


def build_entry(
    by: Actor,
    action: str,
    *,
    target: str,
    kind: str,
    title: str,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    business: str | None = None,
) -> AuditEntry:
    """The entry of a change. Without a command, its operation is its own id."""
    entry_id, moment = new_id(), now()
    key_pattern = keys.AUDIT if business else keys.SYSTEM_AUDIT
    business_part = {"tenant": business} if business else {}
    entry = AuditEntry.new_at_key(key_pattern.key(at=moment, id=entry_id, **business_part))
    entry.id = entry.operation = entry_id
    entry.at_time = entry.created_at = moment
    entry.scope = entry.pk
    entry.action = action
    # Without empty texts, which one engine refuses.
    entry.actor = {"email": by.email} | ({"name": by.name} if by.name else {})
    entry.target = {"type": kind, "id": target, "title": title}
    entry.before, entry.after = _bounded(before), _bounded(after)
    return entry


def _bounded(values: dict[str, Any] | None) -> dict[str, Any] | None:
    if values is None or len(repr(values).encode()) <= MAX_SNAPSHOT:
        return values
    return dict.fromkeys(values, "…")
