"""Navigation entries of the shell."""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from dashboard.platform.navigation import HOME_GROUP, PLATFORM_GROUP, NavigationEntry, register_navigation
from dashboard.shell.permissions import Permission

register_navigation(
    HOME_GROUP,
    NavigationEntry(
        order=10,
        label=_("Home"),
        hint=_("Your start page"),
        route="home",
        icon="house",
        permission=Permission.HOME,
        key="h",
        exact=True,
    ),
)

if settings.UI_GALLERY:
    register_navigation(
        PLATFORM_GROUP,
        NavigationEntry(
            order=40,
            label=_("Components"),
            hint=_("All interface components in their states"),
            route="ui_gallery",
            icon="blocks",
            permission=Permission.UI_GALLERY,
            key="c",
        ),
    )
