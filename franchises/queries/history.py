"""The audit entries of a franchise, branch or product."""

from __future__ import annotations

from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern


@access_pattern("What are the audit entries of this franchise, branch or product, newest first?", keys.AUDIT_BY_TARGET)
def history_of(business: str, kind: str, item_id: str, limit: int = 10) -> list[AuditEntry]:
    collection = keys.AUDIT_BY_TARGET.collection(tenant=business, target=target_of(kind, item_id))
    return read.page(collection, AuditEntry, newest_first=True, limit=limit).items


def target_of(kind: str, item_id: str) -> str:
    """The target of its audit entries."""
    return f"{kind}:{item_id}"
