"""Permissions of the event."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, Role, grant


class Permission(BasePermission):
    ROOMS = "event.rooms"
    ATTENDEES = "event.people"
    DOMAINS = "event.domains"


grant(Permission.ROOMS, to=(Role.STAFF,))
grant(Permission.ATTENDEES, to=(Role.STAFF,))
grant(Permission.DOMAINS, to=(Role.STAFF,))
