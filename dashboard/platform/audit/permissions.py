"""Permissions of the audit trail."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, Role, grant


class Permission(BasePermission):
    AUDIT_READ = "audit.read"
    BUSINESS_AUDIT = "business.audit"


grant(Permission.AUDIT_READ)
grant(Permission.BUSINESS_AUDIT, to=(Role.OWNER,))
