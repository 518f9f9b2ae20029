"""Permissions of businesses."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, BusinessRole, grant, grant_in_business


class Permission(BasePermission):
    BUSINESS = "business"
    BUSINESS_SETTINGS = "business.settings"
    BUSINESS_PEOPLE = "business.people"
    BUSINESSES_MANAGE = "businesses.manage"


grant_in_business(Permission.BUSINESS, to=BusinessRole)
grant_in_business(Permission.BUSINESS_SETTINGS, to=(BusinessRole.MANAGER,))
grant_in_business(Permission.BUSINESS_PEOPLE)
grant(Permission.BUSINESSES_MANAGE)
