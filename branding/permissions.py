"""Permissions of brands."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, BusinessRole, grant_in_business


class Permission(BasePermission):
    BRANDING = "branding"


grant_in_business(Permission.BRANDING, to=(BusinessRole.MANAGER, BusinessRole.DESIGNER))
