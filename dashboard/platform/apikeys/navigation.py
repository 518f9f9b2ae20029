"""Navigation entries of API keys."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.apikeys.permissions import Permission
from dashboard.platform.navigation import BUSINESS_GROUP, PLATFORM_GROUP, NavigationEntry, register_navigation

register_navigation(
    BUSINESS_GROUP,
    NavigationEntry(
        order=40,
        label=_("API keys"),
        hint=_("Access for your website and your programs"),
        route="api_keys",
        icon="key",
        permission=Permission.BUSINESS_KEYS,
        key="k",
    ),
)
register_navigation(
    PLATFORM_GROUP,
    NavigationEntry(
        order=40,
        label=_("API keys"),
        hint=_("Access of programs to the forum and the rooms"),
        route="platform_api_keys",
        icon="key",
        permission=Permission.PLATFORM_KEYS,
    ),
)
