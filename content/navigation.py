"""Navigation entries of sites."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from content.permissions import Permission
from dashboard.platform.navigation import BUSINESS_GROUP, NavigationEntry, register_navigation

register_navigation(
    BUSINESS_GROUP,
    NavigationEntry(
        order=33,
        label=_("Site"),
        hint=_("Pages, their addresses and their versions"),
        route="site",
        icon="globe",
        permission=Permission.SITE,
        key="g",
    ),
)
register_navigation(
    BUSINESS_GROUP,
    NavigationEntry(
        order=34,
        label=_("Visitors"),
        hint=_("Comments on pages, leads and consents"),
        route="comments",
        icon="messages-square",
        permission=Permission.VISITORS,
        section="site",
        unless=Permission.SITE,
    ),
)
