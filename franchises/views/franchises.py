"""The franchises of the platform, and the settings of one."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.table.read import Page, gather
from dashboard.web.commands import command_of
from dashboard.web.lists import list_page
from dashboard.web.pages import add_refusal, bind, page, see_other, url_or_empty
from dashboard.web.toasts import toast
from franchises.forms.catalog import FranchiseForm, NewFranchiseForm
from franchises.items import Franchise
from franchises.permissions import Permission
from franchises.queries import franchises as queries
from franchises.queries.history import history_of
from franchises.services import franchises as services
from franchises.services.audit import FRANCHISE
from franchises.views.shared import query_param, required_revision, respond_saved


class FranchiseRow:
    """A franchise in the list of admins."""

    def __init__(self, franchise: Franchise) -> None:
        self.franchise = franchise
        self.url = url_or_empty("stores", franchise.id)


@requires(Permission.FRANCHISES)
@require_safe
def franchises(request: Request) -> HttpResponse:
    q = query_param(request)

    def load(start_key: Any) -> tuple[Page[FranchiseRow], dict[str, Any]]:
        found = queries.search(q, start_key) if q else queries.franchises(start_key=start_key)
        return found.with_rows([FranchiseRow(each) for each in found.items]), {"q": q}

    return list_page(request, "franchises/franchises.html", load, cursor_scope=("franchises", q), filters=("q",))


@requires(Permission.FRANCHISES)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request) -> HttpResponse:
    """Create the franchise of a business that an admin chooses."""
    if request.method != "POST":
        initial = {"business": query_param(request, "business"), "name": query_param(request, "name")}
        return page(request, "franchises/franchise_new.html", {"form": NewFranchiseForm(initial=initial)})
    form = bind(request, NewFranchiseForm)
    if form.is_valid():
        try:
            business = form.cleaned_data["business"]
            created = services.create(business, form.values, command=command_of(request))
        except Refused as error:
            add_refusal(form, error)
        else:
            toast(request, _("%(name)s has stores now. Add its branches.") % {"name": created.title}, of=created)
            return see_other(request, reverse("stores", args=[business]))
    return page(request, "franchises/franchise_new.html", {"form": form}, status=422)


@requires(Permission.STORES)
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: Request, business: str) -> HttpResponse:
    """Set up the stores of a business, or change their name and rules."""
    current, entries = gather(
        partial(queries.find_franchise, business), partial(history_of, business, FRANCHISE, business)
    )
    if request.method != "POST":
        form = FranchiseForm(item=current, initial={} if current else {"name": request.business.title})
        return _settings_page(request, form, current, entries)
    form = bind(request, FranchiseForm, item=current)
    if not form.is_valid():
        return _settings_page(request, form, current, entries, status=422)
    if current is None:
        created = services.create(business, form.values, command=command_of(request))
        undo = (reverse("franchise_remove", args=[business]), {"revision": created.revision})
        toast(request, _("Stores are set up. Add the first branch."), undo=undo, of=created)
        return see_other(request, reverse("stores", args=[business]))
    saved = services.edit(business, form.values, revision=form.revision, command=command_of(request))
    return respond_saved(request, saved, request.path)


def _settings_page(
    request: Request, form: FranchiseForm, current: Franchise | None, entries: list[Any], *, status: int = 200
) -> HttpResponse:
    context = {"form": form, "franchise": current, "history": history_lines(entries), "tab": "settings"}
    return page(request, "franchises/settings.html", context, status=status)


@requires(Permission.STORES)
@require_POST
def remove(request: Request, business: str) -> HttpResponse:
    """Undo the set-up."""
    services.remove(business, revision=required_revision(request), command=command_of(request))
    toast(request, _("The set-up of stores was undone."))
    return see_other(request, reverse("stores", args=[business]))
