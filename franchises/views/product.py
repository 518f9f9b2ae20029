"""The page of a product: its stock here and in other branches, its changes as a chart and a list."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import Page, gather
from dashboard.web.forms import Form
from dashboard.web.lists import list_page
from dashboard.web.money import format_amount
from franchises.forms.stock import ChangeForm, SetForm
from franchises.ledger import countable_stock
from franchises.movement_rows import MovementRow, movement_rows
from franchises.permissions import Permission
from franchises.presenters import ProductRow
from franchises.queries import products as queries
from franchises.queries.branches import branches_of, titles_of
from franchises.queries.ledger import movements_of
from franchises.queries.stock_history import stock_history
from franchises.stock_chart import StockChart, stock_by_day

TAB = "products"
PAGE = 25


@requires(Permission.STOCK)
@require_safe
def product(request: Request, business: str, product: str) -> HttpResponse:
    return product_page(request, business, product)


def product_page(
    request: Request, business: str, product_id: str, *, form: Form | None = None, status: int = 200
) -> HttpResponse:
    """The page; after invalid input with the form that was sent."""

    def load(start_key: Any) -> tuple[Page[MovementRow], dict[str, Any]]:
        current, branches, moved, history = gather(
            partial(queries.load_product, business, product_id),
            partial(branches_of, business),
            partial(movements_of, business, product_id, start_key, limit=PAGE),
            partial(stock_history, business, product_id),
        )
        titles = titles_of(branches)
        stock = countable_stock(current)
        context = {
            "product": current,
            "row": ProductRow(business, current, titles),
            "price": format_amount(current.price, request.business.currency),
            "change_form": form if isinstance(form, ChangeForm) else ChangeForm(),
            "set_form": form if isinstance(form, SetForm) else SetForm(initial={"set": stock, "seen": stock}),
            "everywhere_url": _everywhere_url(business, current.group, product_id),
            "chart": StockChart(stock_by_day(history)),
            "tab": TAB,
        }
        return moved.with_rows(movement_rows(business, moved.items, titles, own_branch=current.branch_id)), context

    scope = (TAB, business, product_id)
    return list_page(request, "franchises/product.html", load, cursor_scope=scope, partial=None, status=status)


def _everywhere_url(business: str, group: str | None, product_id: str) -> str:
    """The stock in every branch is a fragment of its own: its group is known only after this page is read."""
    if not group:
        return ""
    return f"{reverse('product_everywhere', args=[business])}?{urlencode({'of': group, 'product': product_id})}"
