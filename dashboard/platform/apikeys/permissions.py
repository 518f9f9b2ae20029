"""Permissions of API keys."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, Role, grant


class Permission(BasePermission):
    BUSINESS_KEYS = "business.keys"


grant(Permission.BUSINESS_KEYS, to=(Role.OWNER,))
