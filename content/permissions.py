"""Permissions of sites."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, BusinessRole, grant_in_business


class Permission(BasePermission):
    # Pages, their addresses, and what they use.
    SITE = "site"
    # What visitors leave: comments, leads and consents.
    VISITORS = "site.visitors"
    # Erasing what is stored about a visitor, which nothing brings back.
    ERASE = "site.erase"


grant_in_business(Permission.SITE, to=(BusinessRole.MANAGER, BusinessRole.DESIGNER))
grant_in_business(Permission.VISITORS, to=(BusinessRole.MANAGER, BusinessRole.RECEPTIONIST))
grant_in_business(Permission.ERASE, to=(BusinessRole.MANAGER,))
