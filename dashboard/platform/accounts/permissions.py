"""Roles, the permissions they are granted, and the permission of a view.

Every app declares its permissions in its module `permissions`. A view that declares no permission is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, TypeVar

from django.core.exceptions import ImproperlyConfigured
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
    Role.STAFF: _("Event staff"),
    Role.OWNER: _("Owner"),
}


class BasePermission(StrEnum):
    """The base of the `Permission` that each app declares in its `permissions.py`."""


# The roles that have each permission.
GRANTS: dict[BasePermission, frozenset[Role]] = {}


def grant(permission: BasePermission, *, to: Iterable[Role] = ()) -> None:
    """Register a permission and the roles that have it. Admins have every permission."""
    if permission in GRANTS:
        raise ImproperlyConfigured(f"The permission {permission} is registered twice.")
    GRANTS[permission] = frozenset({Role.ADMIN, *to})


PUBLIC = "public"
# Views for programs: they need an API key (dashboard/platform/apikeys/authentication.py), and no session opens them.
API = "api"


def requires(permission: BasePermission) -> Callable[[View], View]:
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


class Permission(BasePermission):
    ACCOUNT = "account"
    PEOPLE_MANAGE = "people.manage"


grant(Permission.ACCOUNT, to=Role)
grant(Permission.PEOPLE_MANAGE)
