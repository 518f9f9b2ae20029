"""The page of a branch: its products by stock, quick changes and the scan field."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import Page, gather
from dashboard.web.lists import build_tabs, list_page
from franchises.forms.stock import ScanForm
from franchises.items import StockItem
from franchises.permissions import Permission
from franchises.presenters import BranchRow, ProductRow
from franchises.queries import branches as queries
from franchises.queries.products import find_product, stock_of_branch
from franchises.queries.totals import total_of_branch
from franchises.reasons import MovementReason
from franchises.views.shared import query_param

TAB = "branches"
LOWEST = "lowest"
ORDERS = (("", gettext_lazy("Highest stock first")), (LOWEST, gettext_lazy("Lowest stock first")))
MAX_ID = 250


@requires(Permission.STOCK)
@require_safe
def branch(request: Request, business: str, branch: str) -> HttpResponse:
    order, just = query_param(request, "order"), query_param(request, "just", MAX_ID)

    def load(start_key: Any) -> tuple[Page[ProductRow], dict[str, Any]]:
        current, stocked, total, changed = gather(
            partial(queries.load_branch, business, branch),
            partial(stock_of_branch, business, branch, start_key, highest_first=order != LOWEST),
            partial(total_of_branch, business, branch),
            partial(find_product, business, just) if just else lambda: None,
        )
        found = [_newest(each, changed) for each in stocked.items]
        mode = query_param(request, "mode")
        context = {
            "branch": current,
            "total": BranchRow(business, current, total),
            "orders": build_tabs(request, "order", ORDERS),
            "scan_form": ScanForm(),
            "mode": mode if mode == MovementReason.DELIVERY else MovementReason.SALE.value,
            "just": just,
            "tab": TAB,
        }
        return stocked.with_rows([ProductRow(business, each, {}) for each in found]), context

    scope = (TAB, business, branch, order)
    return list_page(request, "franchises/branch.html", load, cursor_scope=scope)


def _newest(listed: StockItem, changed: StockItem | None) -> StockItem:
    """The product as the table has it, where the index may still have its previous stock."""
    return changed if changed is not None and changed.id == listed.id else listed
