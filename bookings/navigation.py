"""Navigation entries of bookings."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from bookings.permissions import Permission
from dashboard.platform.navigation import BUSINESS_GROUP, NavigationEntry, register_navigation

register_navigation(
    BUSINESS_GROUP,
    NavigationEntry(
        order=30,
        label=_("Bookings"),
        hint=_("Calendar, services, staff members and customers"),
        route="bookings",
        icon="calendar",
        permission=Permission.BOOKINGS,
        key="q",
    ),
    NavigationEntry(
        order=35,
        label=_("Conversations"),
        hint=_("What customers write to the bot, and who replies"),
        route="conversations",
        icon="messages-square",
        permission=Permission.CONVERSATIONS,
        key="j",
    ),
)
