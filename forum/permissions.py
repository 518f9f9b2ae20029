"""Permissions of the forum."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, Role, grant


class Permission(BasePermission):
    FORUM = "forum.read"
    MODERATE = "forum.moderate"
    ANNOUNCE = "forum.announce"
    FILTER = "forum.filter"
    # Sees the versions of the filter: moderators undo the bans of a version.
    FILTER_VERSIONS = "forum.filter_versions"


grant(Permission.FORUM, to=(Role.MODERATOR, Role.STAFF))
grant(Permission.MODERATE, to=(Role.MODERATOR,))
grant(Permission.ANNOUNCE, to=(Role.STAFF,))
grant(Permission.FILTER, to=(Role.STAFF,))
grant(Permission.FILTER_VERSIONS, to=(Role.MODERATOR, Role.STAFF))
