"""The places of the product: what the sidebar, the palette and the home page offer, by permission."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.accounts.items import Person
from dashboard.accounts.permissions import Permission


@dataclass(frozen=True)
class Place:
    label: Promise
    route: str
    icon: str
    key: str
    permission: Permission
    hint: Promise


@dataclass(frozen=True)
class Group:
    label: Promise | str
    places: tuple[Place, ...]


GROUPS = (
    Group("", (Place(_("Home"), "home", "house", "h", Permission.HOME, _("Where you start")),)),
    Group(
        _("Platform"),
        (
            Place(
                _("People"),
                "people",
                "users",
                "p",
                Permission.PEOPLE_MANAGE,
                _("Accounts, roles and invitations"),
            ),
            Place(
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


@dataclass(frozen=True)
class Link:
    """A place as a template shows it."""

    label: str
    url: str
    icon: str
    key: str
    current: bool
    hint: str


@dataclass(frozen=True)
class LinkGroup:
    label: str
    links: list[Link]


def groups_for(person: Person, path: str = "") -> list[LinkGroup]:
    """The places this person may go to, with the one at `path` marked."""
    found = []
    for group in GROUPS:
        places = [place for place in group.places if person.may(place.permission)]
        if places:
            found.append(LinkGroup(str(group.label), [_link(place, path) for place in places]))
    return found


def _link(place: Place, path: str) -> Link:
    url = reverse(place.route)
    current = path == url or (url != "/" and path.startswith(url))
    return Link(str(place.label), url, place.icon, place.key, current, str(place.hint))
