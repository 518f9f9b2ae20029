"""The list of services, and the page of each."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bookings.forms.services import ServiceForm
from bookings.items import Service
from bookings.permissions import Permission
from bookings.queries import services as queries
from bookings.queries.history import history_of
from bookings.services import catalog
from bookings.views.shared import (
    has_page,
    item_url,
    query_param,
    required_revision,
    respond_deleted,
    respond_restored,
    respond_saved,
)
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.table.read import Page, gather
from dashboard.web import money
from dashboard.web.commands import command_of
from dashboard.web.lists import list_page
from dashboard.web.pages import bind, page, see_other
from dashboard.web.toasts import toast

TAB = "services"
MAX_CATEGORY = 200


@requires(Permission.CATALOG)
@require_safe
def services(request: Request, business: str) -> HttpResponse:
    q, category = query_param(request), request.GET.get("category", "")[:MAX_CATEGORY]

    def load(start_key: Any) -> tuple[Page[ServiceRow], dict[str, Any]]:
        listed, found = _load_services(business, category, start_key)
        context = {
            "categories": queries.categories([*listed.items, *found]),
            "category": category,
            "q": q,
            "any": bool(listed.items or start_key),
            "tab": TAB,
        }
        return listed.with_rows(
            [ServiceRow(each) for each in queries.sort_by_name(queries.matching(found, q))]
        ), context

    return list_page(request, "bookings/services.html", load, cursor_scope=(TAB, business), filters=("q", "category"))


class ServiceRow:
    """A service in the list."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.price = money.format_amount(service.price, service.currency)
        self.is_linked = has_page(service.id)


def _load_services(business: str, category: str, start_key: Any) -> tuple[Page[Service], list[Service]]:
    """A page of services, and those of it in a category. The index adds services that are beyond the page."""
    if not category:
        listed = queries.services_of(business, start_key)
        return listed, listed.items
    listed, indexed = gather(
        partial(queries.services_of, business, start_key), partial(queries.services_in_category, business, category)
    )
    listed_ids = {each.id for each in listed.items}
    in_category = [each for each in listed.items if each.category == category]
    return listed, in_category + [each for each in indexed if each.id not in listed_ids]


@requires(Permission.CATALOG)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request, business: str) -> HttpResponse:
    offered = queries.services_of(business).items
    default_currency = request.business.currency or queries.usual_currency(offered)
    if request.method == "POST":
        form = bind(request, ServiceForm, default_currency=default_currency)
        if form.is_valid():
            created = catalog.create(business, form.values, command=command_of(request))
            undo = (item_url("service_remove", business, created), {"revision": created.revision})
            text = _("%(name)s added. It can be booked once a staff member offers it.")
            toast(request, text % {"name": created.title}, undo=undo, of=created)
            return see_other(request, reverse(TAB, args=[business]))
    if request.method != "POST":
        initial = {"category": query_param(request, "category")[:60], "buffer_before": 0, "buffer_after": 0}
        form = ServiceForm(initial=initial, default_currency=default_currency)
    context = {"form": form, "categories": queries.categories(offered), "tab": TAB}
    return page(request, "bookings/service_new.html", context, status=422 if form.is_bound else 200)


@requires(Permission.CATALOG)
@require_http_methods(["GET", "HEAD", "POST"])
def service(request: Request, business: str, service: str) -> HttpResponse:
    if request.method != "POST":
        return _service_page(request, business, service)
    current = queries.load_service(business, service)
    form = bind(request, ServiceForm, item=current, default_currency=request.business.currency or "")
    if not form.is_valid():
        return _service_page(request, business, service, form=form, status=422)
    saved = catalog.edit(business, service, form.values, revision=form.revision, command=command_of(request))
    return respond_saved(request, saved)


def _service_page(
    request: Request, business: str, service_id: str, *, form: ServiceForm | None = None, status: int = 200
) -> HttpResponse:
    current, offered, entries, is_booked = gather(
        partial(queries.load_service, business, service_id),
        partial(queries.services_of, business),
        partial(history_of, business, catalog.KIND, service_id),
        partial(queries.is_booked, business, service_id),
    )
    context = {
        "service": current,
        "form": form or ServiceForm(item=current),
        "categories": queries.categories(offered.items),
        "history": history_lines(entries),
        "is_booked": is_booked,
        "tab": TAB,
    }
    return page(request, "bookings/service.html", context, status=status)


@requires(Permission.CATALOG)
@require_POST
def deactivate(request: Request, business: str, service: str) -> HttpResponse:
    revision = required_revision(request)
    saved = catalog.deactivate(business, service, revision=revision, command=command_of(request))
    undo = (item_url("service_activate", business, saved), {"revision": saved.revision})
    toast(request, _("%(name)s deactivated.") % {"name": saved.title}, undo=undo, of=saved)
    return see_other(request, item_url("service", business, saved))


@requires(Permission.CATALOG)
@require_POST
def activate(request: Request, business: str, service: str) -> HttpResponse:
    revision = required_revision(request)
    saved = catalog.activate(business, service, revision=revision, command=command_of(request))
    undo = (item_url("service_deactivate", business, saved), {"revision": saved.revision})
    toast(request, _("%(name)s activated.") % {"name": saved.title}, undo=undo, of=saved)
    return see_other(request, item_url("service", business, saved))


@requires(Permission.CATALOG)
@require_POST
def remove(request: Request, business: str, service: str) -> HttpResponse:
    command = command_of(request)
    removed = catalog.remove(business, service, revision=required_revision(request), command=command)
    return respond_deleted(request, business, catalog.KIND, service, removed, command)


@requires(Permission.CATALOG)
@require_POST
def restore(request: Request, business: str, service: str) -> HttpResponse:
    return respond_restored(request, business, catalog.KIND, service)
