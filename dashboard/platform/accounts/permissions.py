"""Roles, the permissions they are granted, and the permission of a view.

Every app declares its permissions in its module `permissions`. A view that declares no permission is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, TypeVar

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

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
    Role.OWNER: _("Business member"),
}


class BusinessRole(StrEnum):
    """The role of a member inside one business."""

    OWNER = "owner"
    MANAGER = "manager"
    RECEPTIONIST = "receptionist"
    DESIGNER = "designer"
    STOCK_KEEPER = "stock_keeper"


BUSINESS_ROLE_LABELS = {
    BusinessRole.OWNER: pgettext_lazy("in a business", "Owner"),
    BusinessRole.MANAGER: _("Manager"),
    BusinessRole.RECEPTIONIST: _("Receptionist"),
    BusinessRole.DESIGNER: _("Designer"),
    BusinessRole.STOCK_KEEPER: _("Stock keeper"),
}
BUSINESS_ROLE_HINTS = {
    BusinessRole.OWNER: _("Everything, including people"),
    BusinessRole.MANAGER: _("Everything except people"),
    BusinessRole.RECEPTIONIST: _("Bookings and customers"),
    BusinessRole.DESIGNER: _("Brand and site"),
    BusinessRole.STOCK_KEEPER: _("Stores and stock"),
}


class BasePermission(StrEnum):
    """The base of the `Permission` that each app declares in its `permissions.py`."""


# The roles that have each permission.
GRANTS: dict[BasePermission, frozenset[Role]] = {}
# The roles inside a business that have each permission of its pages.
BUSINESS_GRANTS: dict[BasePermission, frozenset[BusinessRole]] = {}


def grant(permission: BasePermission, *, to: Iterable[Role] = ()) -> None:
    """Register a permission and the roles that have it. Admins have every permission."""
    if permission in GRANTS:
        raise ImproperlyConfigured(f"The permission {permission} is registered twice.")
    GRANTS[permission] = frozenset({Role.ADMIN, *to})


def grant_in_business(permission: BasePermission, *, to: Iterable[BusinessRole] = ()) -> None:
    """Register a permission of pages inside a business. Owners of the business have every one."""
    grant(permission, to=(Role.OWNER,))
    BUSINESS_GRANTS[permission] = frozenset({BusinessRole.OWNER, *to})


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
