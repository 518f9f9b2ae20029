"""The audit entries of a page."""

from __future__ import annotations

from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern


@access_pattern("What are the audit entries of this page, newest first?", keys.AUDIT_BY_TARGET)
def history_of(business: str, node: str, limit: int = 10) -> list[AuditEntry]:
    try:
        collection = keys.AUDIT_BY_TARGET.collection(tenant=business, target=f"page:{node}")
    except BadKey:
        return []
    return read.page(collection, AuditEntry, newest_first=True, limit=limit).items
