"""Navigation entries of the audit trail."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.audit.permissions import Permission
from dashboard.platform.navigation import BUSINESS_GROUP, PLATFORM_GROUP, NavigationEntry, register_navigation

register_navigation(
    BUSINESS_GROUP,
    NavigationEntry(
        order=50,
        label=_("History"),
        hint=_("Who did what in this business, and when"),
        route="business_audit",
        icon="history",
        permission=Permission.BUSINESS_AUDIT,
        key="l",
    ),
)

register_navigation(
    PLATFORM_GROUP,
    NavigationEntry(
        order=30,
        label=_("Audit"),
        hint=_("Who did what on the platform, and when"),
        route="audit",
        icon="history",
        permission=Permission.AUDIT_READ,
        key="a",
    ),
)
