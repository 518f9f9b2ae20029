"""Navigation entries of adoption."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.businesses.permissions import Permission
from dashboard.platform.navigation import PALETTE_ONLY_GROUP, NavigationEntry, register_navigation

register_navigation(
    PALETTE_ONLY_GROUP,
    NavigationEntry(
        order=65,
        label=_("Found in the table"),
        hint=_("Ids of other services that are not a business yet"),
        route="unknown_businesses",
        icon="search",
        permission=Permission.BUSINESSES_MANAGE,
    ),
)
