"""The branches of a franchise: list, add, rename, close and reopen."""

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
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast
from franchises.forms.catalog import BranchForm
from franchises.items import Branch
from franchises.permissions import Permission
from franchises.presenters import build_branch_rows
from franchises.queries import branches as queries
from franchises.queries.history import history_of
from franchises.queries.totals import totals
from franchises.services import branches as services
from franchises.services.audit import BRANCH
from franchises.views.shared import required_revision, respond_saved

TAB = "branches"


@requires(Permission.STOCK)
@require_safe
def branches(request: Request, business: str) -> HttpResponse:
    found, counted = gather(partial(queries.branches_of, business), partial(totals, business))
    context: dict[str, Any] = {"rows": build_branch_rows(business, found, counted), "tab": TAB}
    return page(request, "franchises/branches.html", context)


@requires(Permission.STORES)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request, business: str) -> HttpResponse:
    form = bind(request, BranchForm) if request.method == "POST" else BranchForm()
    if form.is_bound and form.is_valid():
        try:
            created = services.create(business, form.values, command=command_of(request))
        except Refused as error:
            add_refusal(form, error)
        else:
            undo = (_url("branch_remove", business, created), {"revision": created.revision})
            toast(request, _("%(name)s added.") % {"name": created.title}, undo=undo, of=created)
            return see_other(request, _url("branch", business, created))
    status = 422 if form.is_bound else 200
    return page(request, "franchises/branch_new.html", {"form": form, "tab": TAB}, status=status)


@requires(Permission.STORES)
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: Request, business: str, branch: str) -> HttpResponse:
    """Rename a branch, close or reopen it."""
    current, entries = gather(
        partial(queries.load_branch, business, branch), partial(history_of, business, BRANCH, branch)
    )
    form = bind(request, BranchForm, item=current) if request.method == "POST" else BranchForm(item=current)
    if form.is_bound and form.is_valid():
        saved = services.edit(business, branch, form.values, revision=form.revision, command=command_of(request))
        return respond_saved(request, saved, request.path)
    context = {"form": form, "branch": current, "history": history_lines(entries), "tab": TAB}
    return page(request, "franchises/branch_edit.html", context, status=422 if form.is_bound else 200)


@requires(Permission.STORES)
@require_POST
def close(request: Request, business: str, branch: str) -> HttpResponse:
    revision = required_revision(request)
    saved = services.close(business, branch, revision=revision, command=command_of(request))
    undo = (_url("branch_reopen", business, saved), {"revision": saved.revision})
    toast(request, _("%(name)s is closed.") % {"name": saved.title}, undo=undo, of=saved)
    return see_other(request, _url("branch", business, saved))


@requires(Permission.STORES)
@require_POST
def reopen(request: Request, business: str, branch: str) -> HttpResponse:
    revision = required_revision(request)
    saved = services.reopen(business, branch, revision=revision, command=command_of(request))
    undo = (_url("branch_close", business, saved), {"revision": saved.revision})
    toast(request, _("%(name)s is open again.") % {"name": saved.title}, undo=undo, of=saved)
    return see_other(request, _url("branch", business, saved))


@requires(Permission.STORES)
@require_POST
def remove(request: Request, business: str, branch: str) -> HttpResponse:
    """Undo the addition of a branch."""
    services.remove(business, branch, revision=required_revision(request), command=command_of(request))
    toast(request, _("The branch was removed."))
    return see_other(request, reverse("branches", args=[business]))


def _url(route: str, business: str, branch: Branch) -> str:
    return reverse(route, args=[business, branch.id])
