"""Permissions of bookings."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, Role, grant


class Permission(BasePermission):
    BOOKINGS = "bookings"


grant(Permission.BOOKINGS, to=(Role.OWNER,))
