"""Permissions of usage."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, BusinessRole, grant, grant_in_business


class Permission(BasePermission):
    SYSTEM_USAGE = "usage"
    BUSINESS_USAGE = "business.usage"


grant(Permission.SYSTEM_USAGE)
grant_in_business(Permission.BUSINESS_USAGE, to=(BusinessRole.MANAGER,))
