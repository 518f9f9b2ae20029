"""Permissions of the shell."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, Role, grant


class Permission(BasePermission):
    HOME = "home"
    UI_GALLERY = "ui.gallery"


grant(Permission.HOME, to=Role)
grant(Permission.UI_GALLERY)
