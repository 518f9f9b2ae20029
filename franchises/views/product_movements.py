"""The movements of one product in all its branches, as a chart and a list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import Page, gather
from dashboard.web.pages import page, see_other
from franchises.items import Movement, StockItem
from franchises.ledger import units_of
from franchises.movement_rows import movement_rows
from franchises.permissions import Permission
from franchises.queries import products as queries
from franchises.queries.branches import branches_of, titles_of
from franchises.queries.stock import is_product_id
from franchises.queries.stock_history import histories
from franchises.stock_chart import StockChart, StockHistory, total_by_day

TAB = "products"
# The stock items of one product, one in each branch, and their latest movements that one page shows.
MAX_ITEMS, MAX_SHOWN = 50, 100


def movements_url(business: str, product_ids: Sequence[str]) -> str:
    """The address names the stock items, so that one round trip reads all of them."""
    query = urlencode([("product", each) for each in product_ids[:MAX_ITEMS]])
    return f"{reverse('product_movements', args=[business])}?{query}"


@requires(Permission.STOCK)
@require_safe
def product_movements(request: Request, business: str) -> HttpResponse:
    sent = dict.fromkeys(each for each in request.GET.getlist("product") if is_product_id(each))
    chosen = list(sent)[:MAX_ITEMS]
    if not chosen:
        return see_other(request, reverse("products", args=[business]))
    items, branches, found = gather(
        partial(queries.products_with_ids, business, chosen),
        partial(branches_of, business),
        partial(histories, business, chosen),
    )
    pages = dict(zip(chosen, found, strict=True))
    titles = titles_of(branches)
    shown, is_complete = _latest(list(pages.values()))
    context: dict[str, Any] = {
        "title": items[0].title if items else _("Product"),
        "chart": StockChart(total_by_day([_history(each, pages[each.id]) for each in items])),
        "rows": movement_rows(business, shown, titles),
        "is_complete": is_complete,
        "tab": TAB,
    }
    return page(request, "franchises/product_movements.html", context)


def _history(item: StockItem, found: Page[Movement]) -> StockHistory:
    return StockHistory(found.items, found.next_start_key is None, units_of(item))


def _latest(pages: Sequence[Page[Movement]]) -> tuple[list[Movement], bool]:
    """The latest movements of all products, newest first, and whether there are no others.

    Where a product has more movements than were read, older ones of the others are left out too.
    """
    cut = [each.items[-1].at for each in pages if each.next_start_key is not None and each.items]
    oldest: datetime | None = max(filter(None, cut), default=None)
    timed = [each for found in pages for each in found.items if each.at is not None]
    shown = sorted(
        (each for each in timed if oldest is None or each.at >= oldest), key=lambda each: each.at, reverse=True
    )
    return shown[:MAX_SHOWN], oldest is None and len(shown) <= MAX_SHOWN
