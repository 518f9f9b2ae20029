"""Permissions of the activity pages."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, Role, grant


class Permission(BasePermission):
    ACTIVITY = "event.activity"


grant(Permission.ACTIVITY, to=(Role.STAFF,))
