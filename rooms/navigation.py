"""Navigation entries of the event."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.navigation import EVENT_GROUP, NavigationEntry, register_navigation
from rooms.permissions import Permission

register_navigation(
    EVENT_GROUP,
    NavigationEntry(
        order=10,
        label=_("Rooms"),
        hint=_("Open rooms, opening times and videos"),
        route="rooms",
        icon="door-open",
        permission=Permission.ROOMS,
        key="v",
    ),
    NavigationEntry(
        order=20,
        label=_("Attendees"),
        hint=_("People who registered, and their progress"),
        route="event_people",
        icon="user-check",
        permission=Permission.ATTENDEES,
        key="i",
    ),
    NavigationEntry(
        order=30,
        label=_("Domains"),
        hint=_("Allowed e-mail domains and how many people each has"),
        route="domains",
        icon="globe",
        permission=Permission.DOMAINS,
        key="d",
    ),
)
