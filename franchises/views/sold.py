"""The products that were sold since a date, with their units. A view of the list of products."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.utils import timezone

from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.table.read import gather
from dashboard.table.timestamps import to_wire
from dashboard.web.lists import Tab, build_listing
from dashboard.web.pages import page, url_or_empty
from dashboard.web.ranges import day_start
from franchises.forms.stock import SoldSinceForm
from franchises.ledger import total
from franchises.presenters import display_number
from franchises.queries import sales
from franchises.queries.branches import branches_of, titles_of
from franchises.queries.sales import SoldProduct, sales_since

USUAL_DAYS = 7
# Products that a page shows, those with the most units.
MAX_SHOWN = 100


class SoldRow:
    """A product with the units that were sold."""

    def __init__(self, business: str, product: SoldProduct, branches: Mapping[str, str]) -> None:
        self.title, self.last_sold_at = product.title, product.last_sold_at
        self.units = display_number(product.units)
        self.url = url_or_empty("product", business, product.product_id)
        self.branch = branches.get(product.branch_id, product.branch_id)
        self.branch_url = url_or_empty("branch", business, product.branch_id) if product.branch_id in branches else ""


def sold_page(request: Request, business: str, tabs: list[Tab]) -> HttpResponse:
    form = SoldSinceForm({"since": request.GET.get("since") or _usual_day().isoformat()})
    context: dict[str, Any] = {"form": form, "tabs": tabs, "tab": "products"}
    if not form.is_valid():
        return page(request, "franchises/sold.html", context | {"listing": _listing(request, [])}, partial="list")
    found, branches = gather(
        partial(sales_since, business, to_wire(day_start(form.cleaned_data["since"]))), partial(branches_of, business)
    )
    titles = titles_of(branches)
    rows = [SoldRow(business, each, titles) for each in found.products[:MAX_SHOWN]]
    context |= {
        "listing": _listing(request, rows),
        "units": display_number(total(each.units for each in found.products)),
        "first_at": found.first_at,
        "most": display_number(sales.MAX_SALES),
        "hidden": len(found.products) - len(rows),
    }
    return page(request, "franchises/sold.html", context, partial="list")


def _usual_day() -> date:
    return timezone.localtime(now()).date() - timedelta(days=USUAL_DAYS - 1)


def _listing(request: Request, rows: list[SoldRow]) -> Any:
    return build_listing(request, rows, None, filters=("since",))
