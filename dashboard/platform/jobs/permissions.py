"""Permissions of jobs."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, Role, grant


class Permission(BasePermission):
    OPERATIONS = "operations"


grant(Permission.OPERATIONS, to=Role)
