"""Pages that belong to no one capability: the start and the palette."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.accounts import queries
from dashboard.accounts.emails import normalise
from dashboard.accounts.middleware import Request
from dashboard.accounts.permissions import Permission, Role, requires
from dashboard.audit.queries import latest
from dashboard.audit.words import told
from dashboard.businesses.queries import businesses_of
from dashboard.ui import navigation
from dashboard.ui.pages import page


@requires(Permission.HOME)
@require_safe
def home(request: Request) -> HttpResponse:
    """What this person's day starts with."""
    context: dict[str, Any] = {}
    if request.person.office_role == Role.ADMIN:
        context["history"] = told(latest())
    if request.person.office_role == Role.OWNER:
        context["businesses"] = businesses_of(request.person.email)
    return page(request, "home.html", context)


@dataclass(frozen=True)
class Found:
    label: str
    hint: str
    url: str
    icon: str


@requires(Permission.HOME)
@require_safe
def palette(request: Request) -> HttpResponse:
    """Anything by a few letters: the pages one may open, and for admins people by their e-mail."""
    query = request.GET.get("q", "").strip()[:100]
    groups = []
    places = [link for group in navigation.groups_for(request.person) for link in group.links]
    own = navigation.Link(_("Your account"), reverse("account"), "user", "", False, request.person.email)
    pages = [link for link in [*places, own] if query.lower() in f"{link.label} {link.hint}".lower()]
    if pages:
        groups.append({"label": _("Pages"), "links": pages})
    if len(query) > 1 and request.person.may(Permission.PEOPLE_MANAGE):
        people = queries.everyone(normalise(query), limit=8).items
        links = [Found(each.title, each.email, reverse("person", args=[each.email]), "user") for each in people]
        if links:
            groups.append({"label": _("People"), "links": links})
    return page(request, "ui/palette.html", {"query": query, "groups": groups}, partial="results")
