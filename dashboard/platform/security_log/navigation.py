"""Navigation entries of the security log."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.navigation import PLATFORM_GROUP, NavigationEntry, register_navigation
from dashboard.platform.security_log.permissions import Permission

register_navigation(
    PLATFORM_GROUP,
    NavigationEntry(
        order=35,
        label=_("Security log"),
        hint=_("Sign-ins, failed attempts, API keys and exports"),
        route="security_log",
        icon="shield-alert",
        permission=Permission.SECURITY_LOG,
        key="y",
    ),
)
