"""Navigation entries as links of the sidebar and the palette, by permission."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.urls import reverse

from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.middleware import Request, has_permission
from dashboard.platform.accounts.permissions import BasePermission, Role
from dashboard.platform.businesses.items import Member
from dashboard.platform.home.registry import NavigationCount, counters
from dashboard.platform.navigation import (
    BUSINESS_GROUP,
    PALETTE_ONLY_GROUP,
    NavigationEntry,
    entries_of,
    sidebar_groups,
)


@dataclass(frozen=True)
class Link:
    label: str
    url: str
    icon: str
    key: str
    current: bool
    hint: str
    route: str = ""
    # Whether the link can have a count. The text of the count is empty if the page has not read it.
    has_count: bool = False
    count: str = ""
    count_label: str = ""


@dataclass(frozen=True)
class LinkGroup:
    label: str
    links: list[Link]


def sidebar_links(person: Person, path: str = "") -> list[LinkGroup]:
    """The links outside businesses that this person may open. The one at `path` is current."""
    groups = []
    for group in sidebar_groups():
        links = [_link(entry, path) for entry in entries_of(group) if person.may(entry.permission)]
        if links:
            groups.append(LinkGroup(str(group.label), links))
    return groups


def with_counts(group: LinkGroup, counts: Mapping[str, NavigationCount]) -> LinkGroup:
    """The links with their counts, by route."""
    counted_routes = {counter.route for counter in counters()}
    return replace(
        group, links=[_with_count(each, counts) if each.route in counted_routes else each for each in group.links]
    )


def _with_count(link: Link, counts: Mapping[str, NavigationCount]) -> Link:
    count = counts.get(link.route)
    return replace(link, has_count=True, count=str(count or ""), count_label=count.label if count else "")


def business_links(request: Request) -> list[Link]:
    """The pages of the business in the path that the person may open."""
    entries = [
        entry
        for entry in entries_of(BUSINESS_GROUP)
        if has_permission(request, entry.permission)
        and not (entry.unless is not None and has_permission(request, entry.unless))
    ]
    return [_link(entry, request.path, request.business.id) for entry in entries]


def links_in_business(person: Person, member: Member | None, business: str) -> list[Link]:
    """The pages of a business that is not in the path, for one of its members and for admins."""
    is_admin = person.office_role == Role.ADMIN

    def may(permission: BasePermission) -> bool:
        return person.may(permission) and (is_admin or (member is not None and member.may(permission)))

    entries = [
        entry
        for entry in entries_of(BUSINESS_GROUP)
        if may(entry.permission) and not (entry.unless is not None and may(entry.unless))
    ]
    return [_link(entry, "", business) for entry in entries]


def palette_only_links(person: Person) -> list[Link]:
    return [_link(entry, "") for entry in entries_of(PALETTE_ONLY_GROUP) if person.may(entry.permission)]


def _link(entry: NavigationEntry, path: str, business: str = "") -> Link:
    args = [business] if business else []
    url = reverse(entry.route, args=args)
    section = reverse(entry.section, args=args) if entry.section else url
    current = path == url or (not entry.exact and _is_nearest(section, path))
    return Link(str(entry.label), url, entry.icon, entry.key, current, str(entry.hint), entry.route)


def _is_nearest(url: str, path: str) -> bool:
    """Whether `path` is below `url`, and below no entry that is itself below `url`."""
    if not path.startswith(url):
        return False
    return not any(each != url and each.startswith(url) and path.startswith(each) for each in _sidebar_urls())


@functools.cache
def _sidebar_urls() -> list[str]:
    return [reverse(entry.route) for group in sidebar_groups() for entry in entries_of(group)]
