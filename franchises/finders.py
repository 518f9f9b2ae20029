"""Products in the search, inside the business in which a person searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.names import folded
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.businesses.queries import find_member
from dashboard.shell.finders import MAX_RESULTS, Finder, SearchResult, may_find, register_finder, searched_business
from franchises.items import StockItem
from franchises.permissions import Permission
from franchises.presenters import ProductRow
from franchises.queries import products as queries
from franchises.queries.branches import branches_of, titles_of


def product_reads(request: Request, query: str) -> Sequence[Callable[[], Any]]:
    """The membership, the branches, and products with this id, this SKU, or a name that begins with the query."""
    business = searched_business(request)
    if not business or not folded(query):
        return []
    return [
        partial(find_member, business, request.person.email),
        partial(branches_of, business),
        partial(queries.find_product, business, query),
        partial(queries.stock_of_group, business, f"sku={folded(query)}"),
        partial(queries.products_by_name, business, query, limit=MAX_RESULTS),
    ]


def product_results(request: Request, answers: Sequence[Any]) -> list[SearchResult]:
    member, branches, by_id, by_sku, by_name = answers
    if not may_find(request, member, Permission.STOCK):
        return []
    found: list[StockItem] = [*([by_id] if by_id else []), *by_sku, *by_name.items]
    unique = {each.id: each for each in found}
    business = searched_business(request)
    titles = titles_of(branches)
    rows = [ProductRow(business, each, titles) for each in list(unique.values())[:MAX_RESULTS]]
    return [
        SearchResult(row.title, " · ".join(filter(None, (row.stock.text, row.branch, row.sku))), row.url, "package")
        for row in rows
        if row.url
    ]


register_finder(Finder(_("Products"), Permission.STOCK, product_reads, product_results))
