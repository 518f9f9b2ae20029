"""Navigation entries of the activity pages."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from activity.permissions import Permission
from dashboard.platform.navigation import (
    EVENT_GROUP,
    PALETTE_ONLY_GROUP,
    NavigationEntry,
    register_navigation,
)

register_navigation(
    EVENT_GROUP,
    NavigationEntry(
        order=5,
        label=_("Activity"),
        hint=_("Who is active now, and what happened on each day"),
        route="activity",
        icon="activity",
        permission=Permission.ACTIVITY,
    ),
)
register_navigation(
    PALETTE_ONLY_GROUP,
    NavigationEntry(
        order=40,
        label=_("Activity of a day"),
        hint=_("Events by hour, country, action and room"),
        route="activity_day",
        icon="chart-column",
        permission=Permission.ACTIVITY,
    ),
    NavigationEntry(
        order=41,
        label=_("Visits to rooms"),
        hint=_("Who entered, stayed and completed a room"),
        route="activity_rooms",
        icon="door-open",
        permission=Permission.ACTIVITY,
    ),
    NavigationEntry(
        order=42,
        label=_("Activity at a point in time"),
        hint=_("Who was in a room when something happened"),
        route="activity_moment",
        icon="clock",
        permission=Permission.ACTIVITY,
    ),
)
