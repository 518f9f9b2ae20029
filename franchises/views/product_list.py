"""The list of products of a franchise, with its tabs and its search."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from dashboard.core.clock import now
from dashboard.core.names import folded
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import Page, gather
from dashboard.web.lists import build_tabs, list_page
from dashboard.web.pages import page
from franchises.ledger import units_of
from franchises.permissions import Permission
from franchises.presenters import ProductRow, display_number
from franchises.queries import products as queries
from franchises.queries.branches import branches_of, titles_of
from franchises.views.product_movements import movements_url
from franchises.views.shared import query_param
from franchises.views.sold import sold_page

TAB = "products"
HIGHEST, LOWEST, NEGATIVE, LOW, SOLD, IDLE, RETIRED = (
    "highest",
    "lowest",
    "negative",
    "low",
    "sold",
    "idle",
    "retired",
)
TABS = (
    ("", gettext_lazy("By name")),
    (LOW, gettext_lazy("Low stock")),
    (NEGATIVE, gettext_lazy("Below zero")),
    (HIGHEST, gettext_lazy("Highest stock")),
    (LOWEST, gettext_lazy("Lowest stock")),
    (SOLD, gettext_lazy("Sold")),
    (IDLE, gettext_lazy("Without movement")),
    (RETIRED, gettext_lazy("Retired")),
)
DAYS, USUAL_DAYS = (7, 14, 30, 60, 90), 30


@requires(Permission.STOCK)
@require_safe
def products(request: Request, business: str) -> HttpResponse:
    show, q, days = query_param(request, "show"), query_param(request), _days(request)
    show = show if show in dict(TABS) else ""
    if show == SOLD:
        return sold_page(request, business, build_tabs(request, "show", TABS))

    def load(start_key: Any) -> tuple[Page[ProductRow], dict[str, Any]]:
        read_page = _reads(business, show, days)
        if q and not show:
            by_id, by_sku, by_name, branches = gather(
                partial(queries.find_product, business, q),
                partial(queries.stock_of_group, business, f"sku={folded(q)}"),
                partial(queries.products_by_name, business, q, start_key),
                partial(branches_of, business),
            )
            exact = [] if start_key else [*([by_id] if by_id else []), *by_sku]
            unique = {each.id: each for each in [*exact, *by_name.items]}
            found: Page[Any] = Page(list(unique.values()), by_name.next_start_key)
        else:
            found, branches = gather(partial(read_page, start_key), partial(branches_of, business))
        titles = titles_of(branches)
        rows = [ProductRow(business, each, titles) for each in found.items]
        context = {
            "q": q,
            "show": show,
            "days": days,
            "day_choices": DAYS,
            "tabs": build_tabs(request, "show", TABS),
            "has_branches": any(not each.is_closed for each in branches),
            "tab": TAB,
        }
        return found.with_rows(rows), context

    scope = (TAB, business, show, q, str(days))
    return list_page(request, "franchises/products.html", load, cursor_scope=scope, filters=("q",))


def _days(request: Request) -> int:
    sent = query_param(request, "days")
    return int(sent) if sent.isdecimal() and int(sent) in DAYS else USUAL_DAYS


def _reads(business: str, show: str, days: int) -> Callable[[Any], Page[Any]]:
    reads: dict[str, Callable[[Any], Page[Any]]] = {
        "": lambda start_key: queries.products_by_name(business, "", start_key),
        LOW: partial(queries.low_stock, business),
        NEGATIVE: partial(queries.negative_stock, business),
        HIGHEST: partial(queries.stock_by_amount, business),
        LOWEST: partial(queries.stock_by_amount, business, highest_first=False),
        IDLE: partial(queries.unmoved_since, business, now() - timedelta(days=days)),
        RETIRED: partial(queries.retired, business),
    }
    return reads[show]


@requires(Permission.STOCK)
@require_safe
def everywhere(request: Request, business: str) -> HttpResponse:
    """One product in all branches. `of` is its group; a product's page shows it as a fragment."""
    group = query_param(request, "of", 250)
    found, branches = gather(partial(queries.stock_of_group, business, group), partial(branches_of, business))
    titles = titles_of(branches)
    rows = sorted(
        (ProductRow(business, each, titles) for each in found), key=lambda row: (folded(row.branch), row.title)
    )
    context = {
        "rows": rows,
        "title": rows[0].title if rows else _("Product"),
        "total": display_number(sum(units_of(each) for each in found)),
        "product": query_param(request, "product", 250),
        "movements_url": movements_url(business, [each.id for each in found]) if len(found) > 1 else "",
        "tab": TAB,
    }
    return page(request, "franchises/everywhere.html", context, partial="rows_of_product")
