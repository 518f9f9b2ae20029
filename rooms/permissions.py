"""Permissions of the event."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import BasePermission, Role, grant


class Permission(BasePermission):
    ROOMS = "event.rooms"
    EVENT_PEOPLE = "event.people"
    DOMAINS = "event.domains"


grant(Permission.ROOMS, to=(Role.STAFF,))
grant(Permission.EVENT_PEOPLE, to=(Role.STAFF,))
grant(Permission.DOMAINS, to=(Role.STAFF,))
