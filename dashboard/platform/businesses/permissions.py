"""Permissions of businesses."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, Role, grant


class Permission(BasePermission):
    BUSINESS = "business"
    BUSINESSES_MANAGE = "businesses.manage"


grant(Permission.BUSINESS, to=(Role.OWNER,))
grant(Permission.BUSINESSES_MANAGE)
