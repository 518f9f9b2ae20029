"""Navigation entries of the forum."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.navigation import NavigationEntry, NavigationGroup, register_navigation
from forum.permissions import Permission

FORUM = NavigationGroup(_("Forum"), 200)

register_navigation(
    FORUM,
    NavigationEntry(
        order=10,
        label=_("Moderation"),
        hint=_("Review queue and all posts"),
        route="forum",
        icon="messages-square",
        permission=Permission.FORUM,
        key="m",
    ),
    NavigationEntry(
        order=20,
        label=_("Moderation log"),
        hint=_("Bans, restores and deletions, by whom and why"),
        route="forum_log",
        icon="scroll-text",
        permission=Permission.MODERATE,
        key="e",
    ),
    NavigationEntry(
        order=30,
        label=_("Statistics"),
        hint=_("Decisions per moderator, time to decide and restored posts"),
        route="forum_numbers",
        icon="chart-column",
        permission=Permission.MODERATE,
        key="n",
    ),
    NavigationEntry(
        order=40,
        label=_("Announce"),
        hint=_("Publish an announcement in the forum"),
        route="forum_announce",
        icon="bell",
        permission=Permission.ANNOUNCE,
        key="w",
    ),
    NavigationEntry(
        order=50,
        label=_("Profanity filter"),
        hint=_("Banned and allowed words"),
        route="profanity",
        icon="filter",
        permission=Permission.FILTER,
        key="f",
    ),
    NavigationEntry(
        order=60,
        label=_("Reasons"),
        hint=_("The reasons that moderators choose from"),
        route="reasons",
        icon="clipboard-list",
        permission=Permission.FILTER,
        key="r",
    ),
)
