"""Navigation entries of jobs."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.jobs.permissions import Permission
from dashboard.platform.navigation import PALETTE_ONLY_GROUP, NavigationEntry, register_navigation

register_navigation(
    PALETTE_ONLY_GROUP,
    NavigationEntry(
        order=10,
        label=_("Jobs"),
        hint=_("Long-running work and its progress"),
        route="operations",
        icon="list",
        permission=Permission.OPERATIONS,
    ),
)
