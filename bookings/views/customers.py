"""The list of customers, and the page of each with their bookings."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bookings.errors import PossibleDuplicates
from bookings.forms.customers import CustomerForm
from bookings.items import Customer
from bookings.params import MAX_ID
from bookings.permissions import Permission
from bookings.presenters import BookingLine, DisplayNames
from bookings.queries import customers as queries
from bookings.queries.history import history_of
from bookings.queries.providers import providers_of
from bookings.queries.services import services_of
from bookings.services import customers as services
from bookings.views.duplicates import describe_duplicates
from bookings.views.shared import (
    has_page,
    item_url,
    query_param,
    required_revision,
    respond_deleted,
    respond_restored,
    respond_saved,
)
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.table.read import Page, gather
from dashboard.web.commands import command_of
from dashboard.web.lists import list_page
from dashboard.web.locale import zone
from dashboard.web.pages import bind, page, see_other
from dashboard.web.toasts import toast

TAB = "customers"


class CustomerRow:
    """A customer in the list."""

    def __init__(self, customer: Customer) -> None:
        self.customer = customer
        self.is_linked = has_page(customer.id)


@requires(Permission.BOOKINGS)
@require_safe
def customers(request: Request, business: str) -> HttpResponse:
    q = query_param(request)

    def load(start_key: Any) -> tuple[Page[CustomerRow], dict[str, Any]]:
        found = queries.search(business, q, start_key)
        rows = [CustomerRow(each) for each in found.items]
        return found.with_rows(rows), {"found": found, "q": q, "tab": TAB}

    return list_page(request, "bookings/customers.html", load, cursor_scope=(TAB, business, q), filters=("q",))


@requires(Permission.BOOKINGS)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request, business: str) -> HttpResponse:
    if request.method != "POST":
        return _new_page(request, CustomerForm(initial={"name": query_param(request, "name")}))
    form = bind(request, CustomerForm)
    if not form.is_valid():
        return _new_page(request, form, status=422)
    try:
        created = services.create(business, form.values, accepts=_accepted(request), command=command_of(request))
    except PossibleDuplicates as error:
        return _new_page(request, form, status=error.status, duplicates=_describe(request, business, error, form))
    undo = (item_url("customer_remove", business, created), {"revision": created.revision})
    toast(request, _("%(name)s added.") % {"name": created.title}, undo=undo, of=created)
    return see_other(request, item_url("customer", business, created))


def _new_page(request: Request, form: CustomerForm, *, status: int = 200, duplicates: Any = None) -> HttpResponse:
    context = {"form": form, "duplicates": duplicates, "tab": TAB}
    return page(request, "bookings/customer_new.html", context, status=status)


def _accepted(request: Request) -> str:
    return request.POST.get("accepts", "")[:MAX_ID]


def _describe(request: Request, business: str, error: PossibleDuplicates, form: CustomerForm) -> dict[str, Any]:
    return describe_duplicates(business, error, form.values, zone(request.business.timezone))


@requires(Permission.BOOKINGS)
@require_http_methods(["GET", "HEAD", "POST"])
def customer(request: Request, business: str, customer: str) -> HttpResponse:
    if request.method != "POST":
        return _customer_page(request, business, customer)
    form = bind(request, CustomerForm, item=queries.load_customer(business, customer))
    if not form.is_valid():
        return _customer_page(request, business, customer, form=form, status=422)
    try:
        saved = services.edit(
            business,
            customer,
            form.values,
            revision=form.revision,
            accepts=_accepted(request),
            command=command_of(request),
        )
    except PossibleDuplicates as error:
        duplicates = _describe(request, business, error, form)
        return _customer_page(request, business, customer, form=form, status=error.status, duplicates=duplicates)
    return respond_saved(request, saved)


def _customer_page(
    request: Request,
    business: str,
    customer_id: str,
    *,
    form: CustomerForm | None = None,
    status: int = 200,
    duplicates: dict[str, Any] | None = None,
) -> HttpResponse:
    def load(start_key: Any) -> tuple[Page[BookingLine], dict[str, Any]]:
        current, booked, offered, providers, entries = gather(
            partial(queries.load_customer, business, customer_id),
            partial(queries.bookings_of_customer, business, customer_id, start_key),
            partial(services_of, business),
            partial(providers_of, business),
            partial(history_of, business, services.KIND, customer_id),
        )
        business_zone, names, moment = (
            zone(request.business.timezone),
            DisplayNames.of(offered.items, providers.items),
            now(),
        )
        zones = {each.id: each.zone(business_zone.key) for each in providers.items}
        lines = [BookingLine(each, names, zones.get(each.provider, business_zone), moment) for each in booked.items]
        context = {
            "customer": current,
            "phone": "".join(char for char in current.phone or "" if char.isdecimal() or char == "+"),
            "form": form or CustomerForm(item=current),
            "duplicates": duplicates,
            "is_booked": bool(booked.items or start_key),
            "history": history_lines(entries),
            "tab": TAB,
        }
        return booked.with_rows(lines), context

    scope = (TAB, business, customer_id)
    return list_page(request, "bookings/customer.html", load, cursor_scope=scope, partial=None, status=status)


@requires(Permission.BOOKINGS)
@require_POST
def remove(request: Request, business: str, customer: str) -> HttpResponse:
    command = command_of(request)
    removed = services.remove(business, customer, revision=required_revision(request), command=command)
    return respond_deleted(request, business, services.KIND, customer, removed, command)


@requires(Permission.BOOKINGS)
@require_POST
def restore(request: Request, business: str, customer: str) -> HttpResponse:
    return respond_restored(request, business, services.KIND, customer)
