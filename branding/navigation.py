"""Navigation entries of brands."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from branding.permissions import Permission
from dashboard.platform.navigation import BUSINESS_GROUP, NavigationEntry, register_navigation

register_navigation(
    BUSINESS_GROUP,
    NavigationEntry(
        order=20,
        label=_("Brand"),
        hint=_("Design, preview and publish your brand"),
        route="branding",
        icon="palette",
        permission=Permission.BRANDING,
        key="t",
    ),
)
