"""Permissions of the forum."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, Role, grant


class Permission(BasePermission):
    FORUM = "forum.read"
    MODERATE = "forum.moderate"
    ANNOUNCE = "forum.announce"
    FILTER = "forum.filter"


grant(Permission.FORUM, to=(Role.MODERATOR, Role.STAFF))
grant(Permission.MODERATE, to=(Role.MODERATOR,))
grant(Permission.ANNOUNCE, to=(Role.STAFF,))
grant(Permission.FILTER, to=(Role.STAFF,))
