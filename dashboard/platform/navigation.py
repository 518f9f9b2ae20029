"""The registry of navigation entries. Every app registers its own in its module `navigation`."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.platform.accounts.permissions import BasePermission


@dataclass(frozen=True, eq=False)
class NavigationGroup:
    """A group of the sidebar. Groups with a lower order come first."""

    label: Promise | str
    order: int


@dataclass(frozen=True)
class NavigationEntry:
    """A page in the sidebar or in the palette. Entries with a lower order come first in their group."""

    order: int
    label: Promise
    hint: Promise
    route: str
    icon: str
    permission: BasePermission
    # With `g` before it, this key opens the page.
    key: str = ""
    # An exact entry is the current one on its own page only, not on the pages below its URL.
    exact: bool = False
    # It is the current one on all pages below the URL of this route; by default below its own.
    section: str = ""
    # People with this permission reach the page through another entry, so they do not see this one.
    unless: BasePermission | None = None


# Groups to which several apps add entries.
HOME_GROUP = NavigationGroup("", 0)
# The sidebar shows it inside a business only, under the name of the business.
BUSINESS_GROUP = NavigationGroup("", 100)
EVENT_GROUP = NavigationGroup(_("Event"), 300)
PLATFORM_GROUP = NavigationGroup(_("Platform"), 400)
# The palette finds these entries; the sidebar does not show them.
PALETTE_ONLY_GROUP = NavigationGroup("", 500)

_entries: dict[NavigationGroup, list[NavigationEntry]] = {}


def register_navigation(group: NavigationGroup, *entries: NavigationEntry) -> None:
    """Add entries to a group. A shortcut key belongs to one entry only."""
    for entry in entries:
        used_by = next((each for known in _entries.values() for each in known if each.key == entry.key), None)
        if entry.key and used_by:
            raise ImproperlyConfigured(f"Both {used_by.route} and {entry.route} have the shortcut key {entry.key}.")
        _entries.setdefault(group, []).append(entry)
    _entries[group].sort(key=lambda entry: entry.order)


def entries_of(group: NavigationGroup) -> list[NavigationEntry]:
    return _entries.get(group, [])


def sidebar_groups() -> list[NavigationGroup]:
    """The groups that the sidebar shows everywhere, in their order."""
    return sorted(_entries.keys() - {BUSINESS_GROUP, PALETTE_ONLY_GROUP}, key=lambda group: group.order)
