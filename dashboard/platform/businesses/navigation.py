"""Navigation entries of businesses."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.businesses.permissions import Permission
from dashboard.platform.navigation import (
    BUSINESS_GROUP,
    PALETTE_ONLY_GROUP,
    PLATFORM_GROUP,
    NavigationEntry,
    register_navigation,
)

register_navigation(
    BUSINESS_GROUP,
    NavigationEntry(
        order=10,
        label=_("Overview"),
        hint=_("The business at a glance"),
        route="business",
        icon="store",
        permission=Permission.BUSINESS,
        key="o",
        exact=True,
    ),
    NavigationEntry(
        order=55,
        label=_("People"),
        hint=_("Who works in the business, and their roles"),
        route="business_people",
        icon="users",
        permission=Permission.BUSINESS_PEOPLE,
        key="u",
    ),
    NavigationEntry(
        order=60,
        label=_("Settings"),
        hint=_("Name, billing, language, time zone and widget"),
        route="business_settings",
        icon="settings",
        permission=Permission.BUSINESS_SETTINGS,
        key="s",
    ),
)

register_navigation(
    PLATFORM_GROUP,
    NavigationEntry(
        order=20,
        label=_("Businesses"),
        hint=_("All businesses, with plan and web address"),
        route="businesses",
        icon="building-2",
        permission=Permission.BUSINESSES_MANAGE,
        key="b",
    ),
)

register_navigation(
    PALETTE_ONLY_GROUP,
    NavigationEntry(
        order=60,
        label=_("New business"),
        hint=_("Create a business"),
        route="business_new",
        icon="plus",
        permission=Permission.BUSINESSES_MANAGE,
    ),
)
