"""The grid of a branch: many products edited like in a spreadsheet and saved in one action."""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table import cursors
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.lists import build_listing
from dashboard.web.pages import page, see_other
from dashboard.web.toasts import toast
from franchises.forms.grid import GridRow, rows_of, undo_fields
from franchises.permissions import Permission
from franchises.queries.branches import load_branch
from franchises.queries.products import products_with_ids, stock_of_branch
from franchises.services import grid as services

TEMPLATE = "franchises/grid.html"
TAB = "branches"


@requires(Permission.STORES)
@require_http_methods(["GET", "HEAD", "POST"])
def grid(request: Request, business: str, branch: str) -> HttpResponse:
    if request.method == "POST":
        return _save(request, business, branch)
    scope = (request.person.email, "grid", business, branch)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    current, found = gather(partial(load_branch, business, branch), partial(stock_of_branch, business, branch, start))
    following = cursors.encode(found.next_start_key, *scope) if found.next_start_key else None
    rows = [GridRow.of(product) for product in found.items]
    return _render(request, current, rows, following)


def _render(
    request: Request, branch: Any, rows: list[GridRow], following: str | None = None, status: int = 200
) -> HttpResponse:
    context = {
        "branch": branch,
        "listing": build_listing(request, rows, following),
        "failed": [row for row in rows if row.errors],
        "saved_count": sum(row.is_saved for row in rows),
        "current_url": request.get_full_path(),
        "tab": TAB,
    }
    return page(request, TEMPLATE, context, status=status)


def _save(request: Request, business: str, branch_id: str) -> HttpResponse:
    """Save every changed row. If some fail, all rows are shown again with their reasons and the typed values."""
    branch, rows = load_branch(business, branch_id), rows_of(request.POST)
    if not rows:
        raise Refused(_("There is no row to save."))
    for row in rows:
        row.check(request.business.currency or "")
    sent = deepcopy([row for row in rows if row.changed])
    services.save_rows(business, rows, command=command_of(request))
    products = {product.id: product for product in products_with_ids(business, [row.id for row in rows])}
    for row in rows:
        if row.id in products:
            row.refresh(products[row.id])
    saved = {row.id for row in rows if row.is_saved}
    if any(row.errors for row in rows):
        return _render(request, branch, rows, status=422)
    if not saved:
        toast(request, _("Nothing was changed."))
    else:
        text = ngettext("%(count)s product saved.", "%(count)s products saved.", len(saved)) % {"count": len(saved)}
        undo = (request.get_full_path(), undo_fields([row for row in sent if row.id in saved], products))
        toast(request, text, undo=undo)
    return see_other(request, request.get_full_path())
