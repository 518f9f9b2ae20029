"""Permissions of the audit trail."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, BusinessRole, grant, grant_in_business


class Permission(BasePermission):
    AUDIT_READ = "audit.read"
    BUSINESS_AUDIT = "business.audit"


grant(Permission.AUDIT_READ)
grant_in_business(Permission.BUSINESS_AUDIT, to=(BusinessRole.MANAGER,))
