"""Navigation entries of the table's pages."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.navigation import PLATFORM_GROUP, NavigationEntry, register_navigation
from dashboard.platform.table_health.permissions import Permission

register_navigation(
    PLATFORM_GROUP,
    NavigationEntry(
        order=45,
        label=_("Table"),
        hint=_("Settings of the database table, items by kind, and what to do"),
        route="table",
        icon="database",
        permission=Permission.TABLE,
        key="x",
    ),
)
