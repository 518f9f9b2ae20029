"""Changes of products: add, edit, move to another branch, retire and bring back."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast
from franchises.forms.catalog import MoveProductForm, NewProductForm, ProductForm, RetireForm
from franchises.items import StockItem
from franchises.permissions import Permission
from franchises.queries import products as queries
from franchises.queries.branches import branches_of
from franchises.queries.history import history_of
from franchises.services import products as services
from franchises.services.audit import PRODUCT
from franchises.views.shared import query_param, required_revision, respond_saved

TAB = "products"


@requires(Permission.STORES)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request, business: str) -> HttpResponse:
    """Add a product to one branch or to many."""
    branches = branches_of(business)
    options: dict[str, Any] = {"branches": branches, "currency": request.business.currency or ""}
    if request.method != "POST":
        initial = {"branches": [query_param(request, "branch", 250)], "name": query_param(request, "name"), "stock": 0}
        return _new_page(request, NewProductForm(initial=initial, **options))
    form = bind(request, NewProductForm, **options)
    if not form.is_valid():
        return _new_page(request, form, status=422)
    chosen: list[str] = form.cleaned_data["branches"]
    try:
        created = services.create_in(
            business, chosen, form.values, stock=form.cleaned_data["stock"] or 0, command=command_of(request)
        )
    except Refused as error:
        add_refusal(form, error)
        return _new_page(request, form, status=422)
    undo = (reverse("products_retire", args=[business]), {"products": " ".join(each.id for each in created)})
    text = ngettext("%(name)s added to %(count)s branch.", "%(name)s added to %(count)s branches.", len(created)) % {
        "name": created[0].title,
        "count": len(created),
    }
    toast(request, text, undo=undo, of=created[0])
    url = _url("product", business, created[0])
    return see_other(request, url if len(created) == 1 else reverse("products", args=[business]))


def _new_page(request: Request, form: NewProductForm, *, status: int = 200) -> HttpResponse:
    return page(request, "franchises/product_new.html", {"form": form, "tab": TAB}, status=status)


@requires(Permission.STORES)
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: Request, business: str, product: str) -> HttpResponse:
    """The name, SKU, minimum and price of a product, and where it is."""
    current, branches, entries = gather(
        partial(queries.load_product, business, product),
        partial(branches_of, business),
        partial(history_of, business, PRODUCT, product),
    )
    options: dict[str, Any] = {"item": current, "currency": request.business.currency or ""}
    form = bind(request, ProductForm, **options) if request.method == "POST" else ProductForm(**options)
    if form.is_bound and form.is_valid():
        saved = services.edit(business, product, form.values, revision=form.revision, command=command_of(request))
        return respond_saved(request, saved, request.path)
    context = {
        "form": form,
        "product": current,
        "targets": [each for each in branches if not each.is_closed and each.id != current.branch_id],
        "history": history_lines(entries),
        "tab": TAB,
    }
    return page(request, "franchises/product_edit.html", context, status=422 if form.is_bound else 200)


@requires(Permission.STORES)
@require_POST
def move(request: Request, business: str, product: str) -> HttpResponse:
    form = bind(request, MoveProductForm)
    if not form.is_valid():
        raise Refused(_("Choose a branch."))
    saved = services.move(
        business, product, form.cleaned_data["branch"], revision=form.number, command=command_of(request)
    )
    previous = saved.outcome.result.get("branch")
    undo = (request.path, {"branch": previous, "revision": saved.revision}) if previous else None
    toast(request, _("%(name)s moved.") % {"name": saved.title}, undo=undo, of=saved)
    return see_other(request, _url("product", business, saved))


@requires(Permission.STORES)
@require_POST
def retire(request: Request, business: str, product: str) -> HttpResponse:
    saved = services.retire(business, product, revision=required_revision(request), command=command_of(request))
    undo = (_url("product_restore", business, saved), {"revision": saved.revision})
    toast(request, _("%(name)s is retired.") % {"name": saved.title}, undo=undo, of=saved)
    return see_other(request, _url("product", business, saved))


@requires(Permission.STORES)
@require_POST
def restore(request: Request, business: str, product: str) -> HttpResponse:
    saved = services.bring_back(business, product, revision=required_revision(request), command=command_of(request))
    undo = (_url("product_retire", business, saved), {"revision": saved.revision})
    toast(request, _("%(name)s is back.") % {"name": saved.title}, undo=undo, of=saved)
    return see_other(request, _url("product", business, saved))


@requires(Permission.STORES)
@require_POST
def retire_several(request: Request, business: str) -> HttpResponse:
    """Undo of a product that was added to several branches."""
    form = bind(request, RetireForm)
    if not form.is_valid():
        raise Refused(_("Reload the page and try again."))
    count = services.retire_new(business, form.cleaned_data["products"].split(), command=command_of(request))
    text = ngettext("%(count)s product retired.", "%(count)s products retired.", count) % {"count": count}
    toast(request, text)
    return see_other(request, reverse("products", args=[business]))


def _url(route: str, business: str, product: StockItem) -> str:
    return reverse(route, args=[business, product.id])
