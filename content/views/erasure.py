"""Erasing what is stored about a lead or a visitor, after the person has typed what is erased."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from content.forms.leads import ErasureForm
from content.permissions import Permission
from content.queries.comments import comments_of_author
from content.queries.consents import consents_of
from content.services import erasure as services
from content.services.leads import load_state
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import gather
from dashboard.web.capacity import expensive
from dashboard.web.commands import command_of
from dashboard.web.pages import bind, page, see_other
from dashboard.web.toasts import toast


@requires(Permission.ERASE)
@require_http_methods(["GET", "HEAD", "POST"])
@expensive()
def erase_lead(request: Request, business: str, lead: str) -> HttpResponse:
    if request.method == "POST":
        form = bind(request, ErasureForm, expected=lead, has_comments=True)
        if form.is_valid():
            with_comments = form.cleaned_data["with_comments"]
            services.erase_lead(business, lead, with_comments=with_comments, command=command_of(request))
            toast(request, _("The lead was erased."))
            return see_other(request, reverse("leads", args=[business]))
    (state, _exists), comments = gather(
        partial(load_state, business, lead), partial(comments_of_author, business, lead, limit=1)
    )
    if request.method != "POST":
        form = ErasureForm(expected=lead, has_comments=bool(comments.items))
    context = {"title": state.title, "comments": bool(comments.items)}
    return _erasure_page(request, "content/lead_erase.html", form, context | {"lead": lead, "tab": "leads"})


@requires(Permission.ERASE)
@require_http_methods(["GET", "HEAD", "POST"])
@expensive()
def erase_visitor(request: Request, business: str, visitor: str) -> HttpResponse:
    if request.method == "POST":
        form = bind(request, ErasureForm, expected=visitor)
        if form.is_valid():
            services.erase_visitor(business, visitor, command=command_of(request))
            toast(request, _("The IP address and the browser were erased."))
            return see_other(request, reverse("consents_of", args=[business, visitor]))
    else:
        form = ErasureForm(expected=visitor)
    if not consents_of(business, visitor).items:
        raise NotFound
    return _erasure_page(request, "content/consent_erase.html", form, {"visitor": visitor, "tab": "consents"})


def _erasure_page(request: Request, template: str, form: ErasureForm, context: dict[str, Any]) -> HttpResponse:
    return page(request, template, context | {"form": form}, status=422 if form.errors else 200)
