"""Navigation entries of webhooks."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.navigation import BUSINESS_GROUP, PLATFORM_GROUP, NavigationEntry, register_navigation
from dashboard.platform.webhooks.permissions import Permission

register_navigation(
    BUSINESS_GROUP,
    NavigationEntry(
        order=42,
        label=_("Webhooks"),
        hint=_("Tell your programs about bookings, themes and stock"),
        route="business_webhooks",
        icon="zap",
        permission=Permission.BUSINESS_WEBHOOKS,
    ),
)
register_navigation(
    PLATFORM_GROUP,
    NavigationEntry(
        order=46,
        label=_("Webhooks"),
        hint=_("Tell programs about banned posts"),
        route="webhooks",
        icon="zap",
        permission=Permission.SYSTEM_WEBHOOKS,
    ),
)
