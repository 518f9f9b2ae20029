"""Permissions of brands."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, Role, grant


class Permission(BasePermission):
    BRANDING = "branding"


grant(Permission.BRANDING, to=(Role.OWNER,))
