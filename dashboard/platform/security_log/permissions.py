"""Permissions of the security log."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, grant


class Permission(BasePermission):
    SECURITY_LOG = "security.log"


grant(Permission.SECURITY_LOG)
