"""Permissions of the table's pages."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, grant


class Permission(BasePermission):
    TABLE = "table"


grant(Permission.TABLE)
