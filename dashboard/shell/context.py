"""The context variable `shell`: the data around the content of every page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.functional import cached_property
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.middleware import has_permission
from dashboard.platform.accounts.permissions import GRANTS, Role
from dashboard.platform.accounts.permissions import Permission as AccountPermission
from dashboard.platform.businesses.items import Business
from dashboard.platform.businesses.permissions import Permission as BusinessPermission
from dashboard.platform.home.page import has_counts
from dashboard.platform.home.registry import NavigationCount
from dashboard.shell.links import Link, LinkGroup, business_links, sidebar_links, with_counts
from dashboard.table.oplog import Log
from dashboard.web.pages import referring_page


@dataclass(frozen=True)
class Cost:
    """The cost of a page, shown to admins."""

    calls: int
    trips: int
    units: float
    ms: float


class Shell:
    """Computed on access: a fragment without a sidebar does not build one."""

    def __init__(self, request: Any) -> None:
        self._request = request
        self.person: Person | None = getattr(request, "person", None)
        self.business: Business | None = getattr(request, "business", None)
        self.request_id: str = getattr(request, "id", "")

    @cached_property
    def nav(self) -> list[LinkGroup]:
        """Home, the current business, the rest."""
        if self.person is None:
            return []
        groups = sidebar_links(self.person, self._request.path)
        if self.counts_url:
            # Other pages than home request the counts after they are loaded.
            counts: Mapping[str, NavigationCount] = getattr(self._request, "navigation_counts", {})
            groups = [with_counts(group, counts) for group in groups]
        if self.business is not None:
            groups.insert(1, LinkGroup(self.business.title, business_links(self._request)))
        return groups

    @cached_property
    def counts_url(self) -> str:
        """Where the sidebar gets its counts from; empty if this person sees none."""
        return reverse("navigation_counts") if self.person is not None and has_counts(self._request) else ""

    @property
    def read_only(self) -> bool:
        """Whether this person can view the current business but not change it."""
        closed = self.business is not None and self.business.is_closed
        return closed and self.person is not None and self.person.office_role != Role.ADMIN

    @property
    def business_links(self) -> list[Link]:
        """The other pages of the current business."""
        if self.person is None or self.business is None:
            return []
        return [link for link in business_links(self._request) if not link.current]

    @property
    def palette_url(self) -> str:
        """The search, which also finds the pages of the current business."""
        query = f"?{urlencode({'business': self.business.id})}" if self.business is not None else ""
        return reverse("palette") + query

    @property
    def switches(self) -> bool:
        """Whether this person can open businesses."""
        return self.person is not None and self.person.may(BusinessPermission.BUSINESS)

    @property
    def is_admin(self) -> bool:
        """Whether this person is an admin of the platform."""
        return self.person is not None and self.person.office_role == Role.ADMIN

    @property
    def finds_people(self) -> bool:
        return self.person is not None and self.person.may(AccountPermission.PEOPLE_MANAGE)

    @property
    def search_hint(self) -> str:
        """The placeholder of the search dialog."""
        if self.finds_people:
            return _("Page, business or start of an e-mail")
        return _("Page or business") if self.switches else _("Page")

    @cached_property
    def permissions(self) -> set[str]:
        """The permissions of this person, for templates with links to pages of other apps."""
        return {permission for permission in GRANTS if has_permission(self._request, permission)}

    @property
    def theme(self) -> str:
        theme = self.person.theme if self.person else None
        return theme if theme in {"light", "dark"} else "auto"

    @property
    def language(self) -> str:
        return (translation.get_language() or "en")[:2]

    @property
    def languages(self) -> list[tuple[str, str]]:
        """The supported languages: code and name."""
        return list(settings.LANGUAGES)

    @property
    def here(self) -> str:
        """The URL to return to. A page that answers a POST has none, so it is the page with the form."""
        if self._request.method in {"GET", "HEAD"}:
            return str(self._request.get_full_path())
        return referring_page(self._request)

    @property
    def zone(self) -> str:
        return timezone.get_current_timezone_name()

    @property
    def ask_zone(self) -> bool:
        return self.person is not None and not self.person.timezone

    @property
    def cost(self) -> Cost | None:
        log: Log | None = getattr(self._request, "oplog", None)
        if log is None or self.person is None or self.person.office_role != Role.ADMIN:
            return None
        return Cost(len(log.calls), log.trips, round(log.units, 1), round(log.ms, 1))


def shell(request: Any) -> dict[str, Shell]:
    """Context processor."""
    return {"shell": Shell(request)}
