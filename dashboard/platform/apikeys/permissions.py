"""Permissions of API keys."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, BusinessRole, grant, grant_in_business


class Permission(BasePermission):
    BUSINESS_KEYS = "business.keys"
    PLATFORM_KEYS = "keys"


grant(Permission.PLATFORM_KEYS)
grant_in_business(Permission.BUSINESS_KEYS, to=(BusinessRole.MANAGER,))
