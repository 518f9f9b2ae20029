"""Who books: the list, and each of them with what they have booked."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bookings.forms.customers import CustomerForm
from bookings.items import Customer
from bookings.permissions import Permission
from bookings.presenters import BookingLine, DisplayNames
from bookings.queries import customers as queries
from bookings.queries.history import history_of
from bookings.queries.providers import providers_of
from bookings.queries.services import services_of
from bookings.services import customers as writing
from bookings.services.deletion import put_back
from bookings.views.shared import asked_for, has_page, required_revision, undo_form, undo_of
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.table import cursors
from dashboard.table.read import gather_all
from dashboard.web.commands import command_of
from dashboard.web.lists import listing
from dashboard.web.locale import zone
from dashboard.web.pages import bind, page, see_other
from dashboard.web.toasts import toast

TAB = "customers"


class CustomerRow:
    """Someone in the list."""

    def __init__(self, customer: Customer) -> None:
        self.customer = customer
        self.is_linked = has_page(customer.id)


@requires(Permission.BOOKINGS)
@require_safe
def customers(request: Request, business: str) -> HttpResponse:
    q = asked_for(request)
    scope = (request.person.email, TAB, business, q)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    found = queries.search(business, q, start)
    following = cursors.encode(found.next, *scope) if found.next else None
    context = {
        "listing": listing(request, [CustomerRow(each) for each in found.items], following, filters=("q",)),
        "found": found,
        "q": q,
        "tab": TAB,
    }
    return page(request, "bookings/customers.html", context, partial="rows" if start else "list")


@requires(Permission.BOOKINGS)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request, business: str) -> HttpResponse:
    if request.method != "POST":
        form = CustomerForm(initial={"name": asked_for(request, "name")})
        return page(request, "bookings/customer_new.html", {"form": form, "tab": TAB})
    form = bind(request, CustomerForm)
    if not form.is_valid():
        return page(request, "bookings/customer_new.html", {"form": form, "tab": TAB}, status=422)
    made = writing.create(business, form.values, command=command_of(request))
    undo = (_url("customer_remove", business, made.id), {"revision": made.revision})
    toast(request, _("%(name)s added.") % {"name": made.title}, undo=undo, of=made)
    return see_other(request, _url("customer", business, made.id))


@requires(Permission.BOOKINGS)
@require_http_methods(["GET", "HEAD", "POST"])
def customer(request: Request, business: str, customer: str) -> HttpResponse:
    if request.method != "POST":
        return _customer_page(request, business, customer)
    found = queries.customer(business, customer)
    form = bind(request, CustomerForm, item=found)
    if not form.is_valid():
        return _customer_page(request, business, customer, form=form, status=422)
    saved = writing.edit(business, customer, form.values, revision=form.revision, command=command_of(request))
    undo = undo_of(saved, request.path)
    toast(request, _("Changes to %(name)s are saved.") % {"name": saved.title}, undo=undo, of=saved)
    return see_other(request, request.path)


def _customer_page(
    request: Request, business: str, customer_id: str, *, form: CustomerForm | None = None, status: int = 200
) -> HttpResponse:
    """Who it is, what they booked and the names in it, side by side: one trip."""
    scope = (request.person.email, TAB, business, customer_id)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    reads: list[Any] = [
        lambda: queries.customer(business, customer_id),
        lambda: queries.booked_by(business, customer_id, start),
        lambda: services_of(business).items,
        lambda: providers_of(business).items,
        lambda: history_of(business, writing.KIND, customer_id),
    ]
    found, booked, offered, providers, entries = gather_all(reads)
    here, names, moment = zone(request.business.timezone), DisplayNames.of(offered, providers), now()
    zones = {each.id: each.zone(here.key) for each in providers}
    rows = [BookingLine(each, names, zones.get(each.provider, here), moment) for each in booked.items]
    following = cursors.encode(booked.next, *scope) if booked.next else None
    context = {
        "customer": found,
        "phone": "".join(char for char in found.phone or "" if char.isdecimal() or char == "+"),
        "form": form or CustomerForm(item=found),
        "listing": listing(request, rows, following),
        "is_booked": bool(booked.items or start),
        "history": history_lines(entries),
        "tab": TAB,
    }
    partial = "rows" if start and form is None else None
    return page(request, "bookings/customer.html", context, partial=partial, status=status)


@requires(Permission.BOOKINGS)
@require_POST
def remove(request: Request, business: str, customer: str) -> HttpResponse:
    command = command_of(request)
    gone = writing.remove(business, customer, revision=required_revision(request), command=command)
    undo = (_url("customer_restore", business, customer), {"of": command.id})
    toast(request, _("%(name)s is deleted.") % {"name": gone.title if gone else customer}, undo=undo)
    return see_other(request, reverse(TAB, args=[business]))


@requires(Permission.BOOKINGS)
@require_POST
def restore(request: Request, business: str, customer: str) -> HttpResponse:
    of = undo_form(request)["of"]
    again = put_back(business, writing.KIND, customer, of=of, command=command_of(request))
    toast(request, _("%(name)s restored.") % {"name": again.title}, of=again)
    return see_other(request, _url("customer", business, customer))


def _url(route: str, business: str, customer: str) -> str:
    return reverse(route, args=[business, customer])
