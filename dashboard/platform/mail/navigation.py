"""Navigation entries of mail."""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from dashboard.platform.mail.permissions import Permission
from dashboard.platform.navigation import BUSINESS_GROUP, PLATFORM_GROUP, NavigationEntry, register_navigation

register_navigation(
    BUSINESS_GROUP,
    NavigationEntry(
        order=35,
        label=_("Mail"),
        hint=_("Mail to customers about their bookings, and its texts"),
        route="business_mail",
        icon="mail",
        permission=Permission.BUSINESS_MAIL,
    ),
)
register_navigation(
    PLATFORM_GROUP,
    NavigationEntry(
        order=35,
        label=_("Mail"),
        hint=_("Invitations and password links that are sent"),
        route="mail",
        icon="mail",
        permission=Permission.SYSTEM_MAIL,
    ),
)
if settings.MAIL_FOLDER:
    register_navigation(
        PLATFORM_GROUP,
        NavigationEntry(
            order=45,
            label=_("Mail files"),
            hint=_("Mail that was written as files instead of being sent"),
            route="mail_files",
            icon="folder",
            permission=Permission.SYSTEM_MAIL,
        ),
    )
