"""Who may do what. Deny by default: a view that declares nothing is refused."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

from django.utils.translation import gettext_lazy as _

View = TypeVar("View", bound=Callable[..., Any])


class Role(StrEnum):
    ADMIN = "admin"
    MODERATOR = "moderator"
    STAFF = "staff"
    OWNER = "owner"


ROLE_LABELS = {
    Role.ADMIN: _("Admin"),
    Role.MODERATOR: _("Moderator"),
    Role.STAFF: _("Staff"),
    Role.OWNER: _("Owner"),
}


class Permission(StrEnum):
    # Everyone with an account.
    HOME = "home"
    ACCOUNT = "account"
    OPERATIONS = "operations"
    # Admins, and owners in their own businesses.
    BUSINESS = "business"
    BUSINESS_KEYS = "business.keys"
    BUSINESS_AUDIT = "business.audit"
    BRANDING = "branding"
    BOOKINGS = "bookings"
    # The forum: whoever looks after it reads it, moderators decide, staff announce and edit the filter.
    FORUM = "forum.read"
    MODERATE = "forum.moderate"
    ANNOUNCE = "forum.announce"
    FILTER = "forum.filter"
    # The event: staff open and close its rooms, look after its people, and say which addresses are let in.
    ROOMS = "event.rooms"
    EVENT_PEOPLE = "event.people"
    DOMAINS = "event.domains"
    # Admins.
    PEOPLE_MANAGE = "people.manage"
    BUSINESSES_MANAGE = "businesses.manage"
    AUDIT_READ = "audit.read"
    UI_GALLERY = "ui.gallery"


_EVERYONE = {Permission.HOME, Permission.ACCOUNT, Permission.OPERATIONS}
_IN_A_BUSINESS = {
    Permission.BUSINESS,
    Permission.BUSINESS_KEYS,
    Permission.BUSINESS_AUDIT,
    Permission.BRANDING,
    Permission.BOOKINGS,
}
_AT_THE_EVENT = {Permission.ROOMS, Permission.EVENT_PEOPLE, Permission.DOMAINS}
ROLES: dict[Role, frozenset[Permission]] = {
    Role.ADMIN: frozenset(Permission),
    Role.MODERATOR: frozenset(_EVERYONE | {Permission.FORUM, Permission.MODERATE}),
    Role.STAFF: frozenset(_EVERYONE | _AT_THE_EVENT | {Permission.FORUM, Permission.ANNOUNCE, Permission.FILTER}),
    Role.OWNER: frozenset(_EVERYONE | _IN_A_BUSINESS),
}

PUBLIC = "public"
# Views for programs: they need an API key (dashboard/platform/apikeys/authentication.py), and no session opens them.
API = "api"


def requires(permission: Permission) -> Callable[[View], View]:
    """The permission a view needs."""

    def declare(view: View) -> View:
        view.permission = permission  # type: ignore[attr-defined]
        return view

    return declare


def before_second_factor(view: View) -> View:
    """A view that opens for someone whose role needs a second factor that they have not set up yet."""
    view.before_second_factor = True  # type: ignore[attr-defined]
    return view


def public(view: View) -> View:
    """A view for everyone, signed in or not."""
    view.permission = PUBLIC  # type: ignore[attr-defined]
    return view
