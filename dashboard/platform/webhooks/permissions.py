"""Permissions of webhooks."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, BusinessRole, grant, grant_in_business


class Permission(BasePermission):
    SYSTEM_WEBHOOKS = "webhooks"
    BUSINESS_WEBHOOKS = "business.webhooks"


grant(Permission.SYSTEM_WEBHOOKS)
grant_in_business(Permission.BUSINESS_WEBHOOKS, to=(BusinessRole.MANAGER,))
