"""Navigation entries of usage."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.navigation import BUSINESS_GROUP, PLATFORM_GROUP, NavigationEntry, register_navigation
from dashboard.platform.usage.permissions import Permission

register_navigation(
    BUSINESS_GROUP,
    NavigationEntry(
        order=44,
        label=_("Usage"),
        hint=_("Requests, cost and the limit of your plan"),
        route="business_usage",
        icon="gauge",
        permission=Permission.BUSINESS_USAGE,
    ),
)
register_navigation(
    PLATFORM_GROUP,
    NavigationEntry(
        order=47,
        label=_("Usage"),
        hint=_("Requests and cost of all businesses"),
        route="usage",
        icon="gauge",
        permission=Permission.SYSTEM_USAGE,
    ),
)
