"""Stores on the home page of a business: stock below zero, low stock and the first steps."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.home.registry import (
    HomeLine,
    HomeLink,
    HomePlace,
    HomeSource,
    Reads,
    Results,
    SetupStep,
    Urgency,
    register_home,
    register_setup_steps,
)
from dashboard.table.read import COUNT_LIMIT
from franchises.permissions import Permission
from franchises.queries import products
from franchises.queries.counts import sheets
from franchises.queries.franchises import find_franchise

LOW, NEGATIVE, COUNTS = "stores.low", "stores.negative", "stores.counts"
FRANCHISE, PRODUCTS = "stores.franchise", "stores.products"
# How many products a line names, and among how many of the latest counts it looks for open ones.
MAX_NAMED, MAX_COUNTS = 3, 20


def stock_reads(request: Request) -> Reads:
    business = request.business.id
    return {
        LOW: partial(products.count_low_stock, business),
        NEGATIVE: partial(products.negative_stock, business, limit=MAX_NAMED),
        COUNTS: partial(sheets, business, limit=MAX_COUNTS),
    }


def stock_lines(request: Request, results: Results) -> Iterator[HomeLine]:
    url = reverse("products", args=[request.business.id])
    negative = results[NEGATIVE]
    if negative.items:
        count = f"{len(negative.items)}+" if negative.next_start_key else len(negative.items)
        text = ngettext(
            "%(count)s product has stock below zero", "%(count)s products have stock below zero", len(negative.items)
        )
        names = ", ".join(each.title for each in negative.items)
        yield HomeLine(Urgency.TODAY, "triangle-alert", text % {"count": count}, f"{url}?show=negative", detail=names)
    if open_counts := [each for each in results[COUNTS].items if each.is_open]:
        text = ngettext("%(count)s stock count in progress", "%(count)s stock counts in progress", len(open_counts))
        links = tuple(
            HomeLink(each.title or each.id, reverse("count", args=[request.business.id, each.id]))
            for each in open_counts[:MAX_NAMED]
        )
        counts_url = reverse("counts", args=[request.business.id])
        line_text = text % {"count": len(open_counts)}
        yield HomeLine(Urgency.TODAY, "clipboard-list", line_text, counts_url, links=links)
    if low := results[LOW]:
        count = f"{COUNT_LIMIT}+" if low >= COUNT_LIMIT else low
        text = ngettext("%(count)s product is low on stock", "%(count)s products are low on stock", low)
        yield HomeLine(Urgency.LATER, "package", text % {"count": count}, f"{url}?show=low")


register_home(
    HomePlace.BUSINESS,
    HomeSource(
        name="stores",
        permission=Permission.STOCK,
        checked=gettext_lazy("stock"),
        reads=stock_reads,
        build_lines=stock_lines,
    ),
)
register_setup_steps(
    SetupStep(
        order=40,
        label=gettext_lazy("Add a product"),
        hint=gettext_lazy("What the branches of your stores keep in stock"),
        route="products",
        permission=Permission.STORES,
        reads=lambda request: {
            FRANCHISE: partial(find_franchise, request.business.id),
            PRODUCTS: partial(products.products_by_name, request.business.id, limit=1),
        },
        is_done=lambda request, results: bool(results[PRODUCTS].items),
        applies=lambda request, results: results[FRANCHISE] is not None,
    ),
)
