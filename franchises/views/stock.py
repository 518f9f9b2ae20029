"""Changes of stock: by a number of units, to a number, by a scanner; and their undo."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.commands import command_of
from dashboard.web.forms import Form
from dashboard.web.pages import add_refusal, bind, page, see_other, wants_fragment
from dashboard.web.toasts import toast
from franchises.forms.stock import ChangeForm, ScanForm, SetForm
from franchises.items import Movement
from franchises.permissions import Permission
from franchises.presenters import ProductRow, display_number
from franchises.queries import products as queries
from franchises.queries.branches import load_branch
from franchises.reasons import REASON_LABELS
from franchises.services.stock import change_stock, set_stock, undo_movement
from franchises.views.product import product_page
from franchises.views.redirects import back_to

# The fields of the forms, by what a service calls them.
_FIELDS = {"change": "units", "stock": "set"}


@requires(Permission.STOCK)
@require_POST
def change(request: Request, business: str, product: str) -> HttpResponse:
    """Change the stock of a product. A row of a list is answered with the row."""
    form: ChangeForm | SetForm = bind(request, SetForm) if "set" in request.POST else bind(request, ChangeForm)
    if not form.is_valid():
        return _respond_invalid(request, business, product, form)
    try:
        movement = _apply(request, business, product, form)
    except Refused as error:
        add_refusal(form, Refused(error.text, _FIELDS.get(error.field or "")))
        return _respond_invalid(request, business, product, form)
    toast_movement(request, business, movement)
    if not wants_fragment(request):
        return see_other(request, back_to(request, business, product))
    current = queries.load_product(business, product)
    return page(request, "franchises/branch.html", {"row": ProductRow(business, current, {})}, partial="changed_row")


def _apply(request: Request, business: str, product_id: str, form: ChangeForm | SetForm) -> Movement:
    options: dict[str, Any] = {
        "reason": form.reason_given,
        "note": form.cleaned_data["note"],
        "command": command_of(request),
    }
    if isinstance(form, SetForm):
        return set_stock(
            business, product_id, stock=form.cleaned_data["set"], seen=form.cleaned_data["seen"], **options
        )
    return change_stock(business, product_id, change=form.cleaned_data["change"], **options)


def _respond_invalid(request: Request, business: str, product_id: str, form: Form) -> HttpResponse:
    """The page of the product with the errors; for a row of a list a message, which keeps the input."""
    if wants_fragment(request):
        raise Refused(" ".join(str(error) for errors in form.errors.values() for error in errors))
    return product_page(request, business, product_id, form=form, status=422)


@requires(Permission.STOCK)
@require_POST
def undo(request: Request, business: str, product: str, seq: int) -> HttpResponse:
    movement = undo_movement(business, product, seq, command=command_of(request))
    text = _("Undone. %(name)s: %(before)s → %(after)s") % _numbers(movement)
    inverse = (reverse("movement_undo", args=[business, product, movement.seq]), dict[str, Any]())
    toast(request, text, undo=inverse, of=movement)
    return see_other(request, back_to(request, business, product))


@requires(Permission.STOCK)
@require_POST
def change_scanned(request: Request, business: str, branch: str) -> HttpResponse:
    """Sell or deliver one unit of the product with the scanned id or SKU in this branch."""
    form = bind(request, ScanForm)
    if not form.is_valid():
        raise Refused(_("Scan or type the SKU or the id of a product."))
    code = form.cleaned_data["code"]
    found = queries.find_by_code(business, code, branch)
    if not found:
        raise Refused(_not_found_text(business, branch, code))
    if len(found) > 1:
        names = ", ".join(each.title for each in found[:3])
        raise Refused(
            _("Several products of this branch have the code %(code)s: %(names)s. Nothing was changed.")
            % {"code": code, "names": names}
        )
    change = 1 if form.reason.value == "delivery" else -1
    movement = change_stock(business, found[0].id, change=change, reason=form.reason, command=command_of(request))
    toast_movement(request, business, movement)
    query = urlencode({"mode": form.reason.value, "just": found[0].id})
    return see_other(request, f"{reverse('branch', args=[business, branch])}?{query}")


def _not_found_text(business: str, branch_id: str, code: str) -> str:
    """Name the code; it may be a product of another branch."""
    branch = load_branch(business, branch_id)
    elsewhere = queries.find_by_code(business, code)
    values = {"code": code, "branch": branch.title}
    if elsewhere:
        values["name"] = elsewhere[0].title
        return _("%(name)s (%(code)s) is not in %(branch)s, only in another branch.") % values
    return _("No product with the code %(code)s in %(branch)s.") % values


def toast_movement(request: Request, business: str, movement: Movement) -> None:
    """State what changed. A stock below zero is named."""
    template = _("%(name)s: %(before)s → %(after)s (%(reason)s)")
    if movement.after is not None and movement.after < 0:
        template = _("%(name)s: %(before)s → %(after)s (%(reason)s). The stock is below zero now.")
    undo_form = (reverse("movement_undo", args=[business, movement.product_id, movement.seq]), dict[str, Any]())
    toast(request, template % _numbers(movement), undo=undo_form, of=movement)


def _numbers(movement: Movement) -> dict[str, str]:
    reason = movement.reason or ""
    return {
        "name": movement.title,
        "before": display_number(movement.before),
        "after": display_number(movement.after),
        "reason": str(REASON_LABELS.get(reason, reason)).lower(),  # type: ignore[call-overload]
    }
