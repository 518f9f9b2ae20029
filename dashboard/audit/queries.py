"""What the product asks of the trail."""

from __future__ import annotations

from dashboard.audit.items import AuditEntry
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern


@access_pattern("What was done to this, newest first?", keys.SYSTEM_AUDIT_BY_TARGET)
def history(target: str, limit: int = 20) -> list[AuditEntry]:
    where = keys.SYSTEM_AUDIT_BY_TARGET.under(target=target)
    return read.page(where, AuditEntry, newest_first=True, limit=limit).items


@access_pattern("What happened on the platform lately?", keys.SYSTEM_AUDIT, partition=True)
def latest(limit: int = 10) -> list[AuditEntry]:
    where = keys.SYSTEM_AUDIT.under()
    return read.page(where, AuditEntry, newest_first=True, limit=limit).items


@access_pattern("What happened in this business lately?", keys.AUDIT, partition=True)
def latest_of(tenant: str, limit: int = 10) -> list[AuditEntry]:
    return read.page(keys.AUDIT.under(tenant=tenant), AuditEntry, newest_first=True, limit=limit).items
