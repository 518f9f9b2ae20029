"""The overview of stores: totals, branches, low stock, today's movements and the highest stocks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import gather, gather_all
from dashboard.table.timestamps import to_wire
from dashboard.web.pages import page, see_other
from dashboard.web.ranges import day_start
from franchises.movement_rows import movement_rows
from franchises.permissions import Permission
from franchises.presenters import ProductRow, build_branch_rows, display_number
from franchises.queries import branches as branch_queries
from franchises.queries import products
from franchises.queries.franchises import find_franchise
from franchises.queries.movement_filters import MovementFilter, filtered_movements
from franchises.queries.totals import totals

TAB = "overview"
MAX_LOW, MAX_TODAY = 8, 8
MAX_ID = 250


@requires(Permission.STOCK)
@require_safe
def stores(request: Request, business: str) -> HttpResponse:
    today = MovementFilter(since=to_wire(day_start(timezone.localtime(now()).date())))
    franchise, branches, counted, low, moved, top = gather(
        partial(find_franchise, business),
        partial(branch_queries.branches_of, business),
        partial(totals, business),
        partial(products.low_stock, business, limit=MAX_LOW),
        partial(filtered_movements, business, today, limit=MAX_TODAY),
        partial(products.top_stock, business),
    )
    titles = branch_queries.titles_of(branches)
    context: dict[str, Any] = {
        "franchise": franchise,
        "branches": build_branch_rows(business, branches, counted),
        "open_branches": sum(not each.is_closed for each in branches),
        "products": display_number(sum(each.products for each in counted.values())),
        "units": display_number(sum(each.units for each in counted.values())),
        "low": [ProductRow(business, each, titles) for each in low.items],
        "moved": movement_rows(business, moved.items, titles, is_one_day=True),
        "top": [ProductRow(business, each, titles) for each in top],
        "highest_url": _highest_url(business, [each.id for each in branches if not each.is_closed]),
        "tab": TAB,
    }
    return page(request, "franchises/stores.html", context)


def _highest_url(business: str, branch_ids: list[str]) -> str:
    query = [("branch", each) for each in branch_ids[: products.MAX_BRANCHES]]
    return f"{reverse('stores_highest', args=[business])}?{urlencode(query)}" if query else ""


@requires(Permission.STOCK)
@require_safe
def highest(request: Request, business: str) -> HttpResponse:
    """The highest stock of each branch. The URL names the branches, so that one round trip reads all of them."""
    chosen = [each for each in request.GET.getlist("branch") if each.startswith("branch-") and len(each) <= MAX_ID]
    if not chosen:
        branches = branch_queries.branches_of(business)
        url = _highest_url(business, [each.id for each in branches if not each.is_closed])
        return see_other(request, url or reverse("stores", args=[business]))
    reads: list[Callable[[], Any]] = [
        partial(branch_queries.branches_of, business),
        *(partial(products.stock_of_branch, business, each, limit=1) for each in chosen[: products.MAX_BRANCHES]),
    ]
    branches, *tops = gather_all(reads)
    titles = branch_queries.titles_of(branches)
    rows = [ProductRow(business, each, titles) for top in tops for each in top.items]
    return page(request, "franchises/highest.html", {"rows": rows, "tab": TAB}, partial="highest")
