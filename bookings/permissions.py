"""Permissions of bookings."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, BusinessRole, grant_in_business


class Permission(BasePermission):
    BOOKINGS = "bookings"
    # Services, staff members, their hours and the booking rules.
    CATALOG = "bookings.catalog"
    # Read what customers write, and reply to them.
    CONVERSATIONS = "conversations"


grant_in_business(Permission.BOOKINGS, to=(BusinessRole.MANAGER, BusinessRole.RECEPTIONIST))
grant_in_business(Permission.CATALOG, to=(BusinessRole.MANAGER,))
grant_in_business(Permission.CONVERSATIONS, to=(BusinessRole.MANAGER, BusinessRole.RECEPTIONIST))
