"""The places of the product: what the sidebar, the palette and the home page offer, by permission."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Permission
from dashboard.platform.businesses.items import Business


@dataclass(frozen=True)
class NavigationEntry:
    label: Promise
    route: str
    icon: str
    key: str
    permission: Permission
    hint: Promise


@dataclass(frozen=True)
class Group:
    label: Promise | str
    places: tuple[NavigationEntry, ...]


GROUPS = (
    Group("", (NavigationEntry(_("Home"), "home", "house", "h", Permission.HOME, _("Where you start")),)),
    Group(
        _("Forum"),
        (
            NavigationEntry(
                _("Moderation"),
                "forum",
                "messages-square",
                "m",
                Permission.FORUM,
                _("What waits for review, and everything that was written"),
            ),
            NavigationEntry(
                _("Moderation log"),
                "forum_log",
                "scroll-text",
                "e",
                Permission.MODERATE,
                _("What was banned, restored and deleted, by whom and why"),
            ),
            NavigationEntry(
                _("Statistics"),
                "forum_numbers",
                "chart-column",
                "n",
                Permission.MODERATE,
                _("How much is decided, by whom, how soon, and what comes back"),
            ),
            NavigationEntry(
                _("Announce"),
                "forum_announce",
                "bell",
                "w",
                Permission.ANNOUNCE,
                _("What everybody in the forum should know"),
            ),
            NavigationEntry(
                _("Profanity filter"),
                "profanity",
                "filter",
                "f",
                Permission.FILTER,
                _("Words that are not wanted, tried and saved"),
            ),
            NavigationEntry(
                _("Reasons"),
                "reasons",
                "clipboard-list",
                "r",
                Permission.FILTER,
                _("What moderators say when they step in"),
            ),
        ),
    ),
    Group(
        _("Event"),
        (
            NavigationEntry(
                _("Rooms"),
                "rooms",
                "door-open",
                "v",
                Permission.ROOMS,
                _("What is open, what opens next, and what plays"),
            ),
            NavigationEntry(
                _("Event people"),
                "event_people",
                "user-check",
                "i",
                Permission.EVENT_PEOPLE,
                _("Who has registered, and how far they are"),
            ),
            NavigationEntry(
                _("Domains"),
                "domains",
                "globe",
                "d",
                Permission.DOMAINS,
                _("Whose addresses are let in, and how many people each has"),
            ),
        ),
    ),
    Group(
        _("Platform"),
        (
            NavigationEntry(
                _("People"),
                "people",
                "users",
                "p",
                Permission.PEOPLE_MANAGE,
                _("Accounts, roles and invitations"),
            ),
            NavigationEntry(
                _("Businesses"),
                "businesses",
                "building-2",
                "b",
                Permission.BUSINESSES_MANAGE,
                _("Who is on the platform, with which plan and address"),
            ),
            NavigationEntry(
                _("Audit"),
                "audit",
                "history",
                "a",
                Permission.AUDIT_READ,
                _("Who did what on the platform, and when"),
            ),
            NavigationEntry(
                _("Components"),
                "ui_gallery",
                "blocks",
                "c",
                Permission.UI_GALLERY,
                _("Every component in its states"),
            ),
        ),
    ),
)


# What there is inside a business, under its name.
IN_A_BUSINESS = (
    NavigationEntry(_("Overview"), "business", "store", "o", Permission.BUSINESS, _("The business at a glance")),
    NavigationEntry(
        _("Brand"),
        "branding",
        "palette",
        "t",
        Permission.BRANDING,
        _("Design, preview and publish how you look"),
    ),
    NavigationEntry(
        _("Bookings"),
        "bookings",
        "calendar",
        "q",
        Permission.BOOKINGS,
        _("Who comes when, what can be booked and with whom"),
    ),
    NavigationEntry(
        _("API keys"),
        "api_keys",
        "key",
        "k",
        Permission.BUSINESS_KEYS,
        _("What lets your own site and programs in"),
    ),
    NavigationEntry(
        _("History"),
        "business_audit",
        "history",
        "l",
        Permission.BUSINESS_AUDIT,
        _("Who did what in this business, and when"),
    ),
    NavigationEntry(
        _("Settings"),
        "business_settings",
        "settings",
        "s",
        Permission.BUSINESS,
        _("Name, billing, language, time zone and widget"),
    ),
)


# What is found by its name though no sidebar shows it.
BESIDES = (
    NavigationEntry(
        _("Operations"), "operations", "list", "", Permission.OPERATIONS, _("Long work, and how far it is")
    ),
    NavigationEntry(
        _("Second factor"), "second_factor", "shield", "", Permission.ACCOUNT, _("A code when you sign in")
    ),
    NavigationEntry(_("Invite someone"), "invite", "user-plus", "", Permission.PEOPLE_MANAGE, _("One new account")),
    NavigationEntry(
        _("Import people"), "people_import", "upload", "", Permission.PEOPLE_MANAGE, _("Many new accounts")
    ),
    NavigationEntry(
        _("Sign-in rules"), "security", "shield", "", Permission.PEOPLE_MANAGE, _("Who needs a second factor")
    ),
    NavigationEntry(_("New business"), "business_new", "plus", "", Permission.BUSINESSES_MANAGE, _("Another business")),
)


@dataclass(frozen=True)
class Link:
    """A place as a template shows it."""

    label: str
    url: str
    icon: str
    key: str
    current: bool
    hint: str


_STARTS = {"home", "business"}


def _nearer(url: str) -> list[str]:
    """The places that stand below another one."""
    return [each for each in _addresses() if each != url and each.startswith(url)]


@functools.cache
def _addresses() -> list[str]:
    return [reverse(place.route) for group in GROUPS for place in group.places]


@dataclass(frozen=True)
class LinkGroup:
    label: str
    links: list[Link]


def groups_for(person: Person, path: str = "", business: Business | None = None) -> list[LinkGroup]:
    """The places this person may go to, the one at `path` marked: the start, the business they are at, the rest."""
    found = []
    for group in GROUPS:
        places = [place for place in group.places if person.may(place.permission)]
        if places:
            found.append(LinkGroup(str(group.label), [_link(place, path) for place in places]))
    if business is not None:
        found.insert(1, LinkGroup(business.title, inside(person, path, business)))
    return found


def besides(person: Person) -> list[Link]:
    return [_link(place, "") for place in BESIDES if person.may(place.permission)]


def inside(person: Person, path: str, business: Business) -> list[Link]:
    """The places in a business that this person may go to."""
    return [_link(place, path, business.id) for place in IN_A_BUSINESS if person.may(place.permission)]


def _link(place: NavigationEntry, path: str, business: str = "") -> Link:
    url = reverse(place.route, args=[business] if business else [])
    # What is below a place belongs to it, and to the nearest of them; below a start page stand the other places.
    below = place.route not in _STARTS and path.startswith(url)
    current = path == url or (below and not any(path.startswith(each) for each in _nearer(url)))
    return Link(str(place.label), url, place.icon, place.key, current, str(place.hint))
