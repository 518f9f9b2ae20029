"""Navigation entries of stores."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.navigation import BUSINESS_GROUP, PLATFORM_GROUP, NavigationEntry, register_navigation
from franchises.permissions import Permission

register_navigation(
    BUSINESS_GROUP,
    NavigationEntry(
        order=32,
        label=_("Stores"),
        hint=_("Branches, products, stock and its movements"),
        route="stores",
        icon="package",
        permission=Permission.STOCK,
        key="z",
    ),
)
register_navigation(
    PLATFORM_GROUP,
    NavigationEntry(
        order=22,
        label=_("Stores"),
        hint=_("The franchises of all businesses"),
        route="franchises",
        icon="shopping-bag",
        permission=Permission.FRANCHISES,
    ),
)
