"""Navigation entries of accounts."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.accounts.permissions import Permission
from dashboard.platform.navigation import PALETTE_ONLY_GROUP, PLATFORM_GROUP, NavigationEntry, register_navigation

register_navigation(
    PLATFORM_GROUP,
    NavigationEntry(
        order=10,
        label=_("People"),
        hint=_("Accounts, roles and invitations"),
        route="people",
        icon="users",
        permission=Permission.PEOPLE_MANAGE,
        key="p",
    ),
)

register_navigation(
    PALETTE_ONLY_GROUP,
    NavigationEntry(
        order=20,
        label=_("Second factor"),
        hint=_("Ask for a code when you sign in"),
        route="second_factor",
        icon="shield",
        permission=Permission.ACCOUNT,
    ),
    NavigationEntry(
        order=30,
        label=_("Invite someone"),
        hint=_("Create one account"),
        route="invite",
        icon="user-plus",
        permission=Permission.PEOPLE_MANAGE,
    ),
    NavigationEntry(
        order=40,
        label=_("Import people"),
        hint=_("Create many accounts from a file"),
        route="people_import",
        icon="upload",
        permission=Permission.PEOPLE_MANAGE,
    ),
    NavigationEntry(
        order=50,
        label=_("Sign-in rules"),
        hint=_("Roles that need a second factor"),
        route="security",
        icon="shield",
        permission=Permission.PEOPLE_MANAGE,
    ),
)
