"""What the search finds in addition to pages. Every app registers its own in its module `finders`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import BasePermission, Role
from dashboard.platform.businesses.items import Member
from dashboard.platform.businesses.paths import business_in_path

# The most results of one finder.
MAX_RESULTS = 8


@dataclass(frozen=True)
class SearchResult:
    label: str
    hint: str
    url: str
    icon: str


@dataclass(frozen=True)
class Finder:
    """Finds things of one kind. The reads of all finders run in parallel, as one round trip."""

    label: Promise
    permission: BasePermission
    # The reads for a query; none where this kind cannot be searched, as outside a business.
    reads: Callable[[Request, str], Sequence[Callable[[], Any]]]
    # The results, from the answers of the reads in their order.
    build_results: Callable[[Request, Sequence[Any]], list[SearchResult]]


def searched_business(request: Request) -> str:
    """The business in which a person searches; empty outside a business."""
    return business_in_path(f"/b/{request.GET.get('business', '')[:100]}/")


def may_find(request: Request, member: Member | None, permission: BasePermission) -> bool:
    """Whether a person may see things of the searched business. The search is outside all businesses."""
    if request.person.office_role == Role.ADMIN:
        return True
    return member is not None and member.may(permission)


_finders: list[Finder] = []


def register_finder(finder: Finder) -> None:
    _finders.append(finder)


def finders() -> list[Finder]:
    return _finders
