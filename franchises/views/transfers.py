"""Transfer of products between two branches: rows, preview, and the transfer itself."""

from __future__ import annotations

from functools import partial

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dashboard.core.errors import Refused
from dashboard.core.names import folded
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import gather
from dashboard.web.capacity import expensive
from dashboard.web.commands import command_of
from dashboard.web.pages import page, see_other
from dashboard.web.toasts import toast
from franchises.forms.transfers import ADDED_ROWS, TransferForm, TransferRow
from franchises.items import StockItem
from franchises.permissions import Permission
from franchises.queries.branches import branches_of
from franchises.queries.franchises import find_franchise
from franchises.queries.products import stock_of_branch
from franchises.queries.whole_catalog import products_of_branch
from franchises.services import bulk_transfer as services

TEMPLATE = "franchises/transfer.html"
# The most products that the field of a row suggests: those with the highest stock.
MAX_SUGGESTED = 100
CONFIRM, MORE_ROWS, SHOW_PRODUCTS = "confirm", "rows", "products"


@requires(Permission.STOCK)
@require_http_methods(["GET", "HEAD", "POST"])
def transfer(request: Request, business: str) -> HttpResponse:
    """A POST shows the preview; only the button of the preview transfers."""
    data = request.POST if request.method == "POST" else request.GET
    action = request.GET.get("do") or data.get("do", "") if request.method == "POST" else SHOW_PRODUCTS
    if action in {MORE_ROWS, SHOW_PRODUCTS}:
        form, suggested = _load_suggested(business, data)
        form.add_rows(ADDED_ROWS if action == MORE_ROWS else 0)
        return _render(request, form, suggested)
    return _check(request, business, is_confirmed=action == CONFIRM)


@expensive()
def _check(request: Request, business: str, *, is_confirmed: bool) -> HttpResponse:
    """Check the rows against all products of both branches; then show the preview, or transfer."""
    form, products, in_target, negative = _load(business, request.POST)
    if not form.is_valid(products, in_target, negative=negative):
        form.add_rows()
        return _render(request, form, products, status=422)
    if not is_confirmed:
        return _render(request, form, products, is_preview=True)
    try:
        return _transfer(request, business, form)
    except Refused as refusal:
        form.errors.append(str(refusal.text))
        return _render(request, form, products, status=422)


def _load_suggested(business: str, data: QueryDict) -> tuple[TransferForm, list[StockItem]]:
    """The form with the products that it suggests. How many the branch has does not change the cost."""
    branches, highest = gather(
        partial(branches_of, business),
        partial(stock_of_branch, business, data.get("from", "")[:250], limit=MAX_SUGGESTED),
    )
    return TransferForm(data, branches), sorted(highest.items, key=lambda product: folded(product.title))


def _load(business: str, data: QueryDict) -> tuple[TransferForm, list[StockItem], list[StockItem], bool]:
    """The form with the products of both branches, in one round trip."""
    branches, franchise, products, in_target = gather(
        partial(branches_of, business),
        partial(find_franchise, business),
        partial(products_of_branch, business, data.get("from", "")[:250]),
        partial(products_of_branch, business, data.get("to", "")[:250]),
    )
    return TransferForm(data, branches), products, in_target, bool(franchise and franchise.allows_negative_stock)


def _render(
    request: Request, form: TransferForm, products: list[StockItem], *, is_preview: bool = False, status: int = 200
) -> HttpResponse:
    context = {
        "form": form,
        "suggested": products[:MAX_SUGGESTED],
        "is_preview": is_preview,
        "rows": form.filled if is_preview else form.rows,
        "tab": "transfer",
    }
    return page(request, TEMPLATE, context, status=status)


def _transfer(request: Request, business: str, form: TransferForm) -> HttpResponse:
    """One product is transferred at once, several by a job."""
    assert form.source is not None and form.target is not None
    command = command_of(request)
    lines = [_line(business, form, row) for row in form.filled]
    if len(lines) > 1:
        return see_other(request, services.start(business, form.source, form.target, lines, command=command).url())
    movement = services.transfer_line(lines[0] | {"transfer": command.secret("transfer")[:16]}, command)
    text = _("%(units)s × %(name)s transferred to %(branch)s.") % {
        "units": lines[0]["units"],
        "name": lines[0]["title"],
        "branch": form.target.title,
    }
    undo = (reverse("movement_undo", args=[business, movement.product_id, movement.seq]), dict[str, str]())
    toast(request, text, undo=undo, of=movement)
    return see_other(
        request, f"{reverse('stores_transfer', args=[business])}?from={form.source.id}&to={form.target.id}"
    )


def _line(business: str, form: TransferForm, row: TransferRow) -> services.TransferLine:
    assert form.source is not None and form.target is not None and row.source is not None
    return services.build_line(business, (form.source, form.target), row.source, row.target, row.number)
