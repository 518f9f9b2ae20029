"""What can be booked: the list, and each of it."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bookings import money
from bookings.forms.services import ServiceForm
from bookings.items import Service
from bookings.permissions import Permission
from bookings.queries import services as queries
from bookings.queries.history import history_of
from bookings.services import catalog as writing
from bookings.services.deletion import put_back
from bookings.views.shared import asked_for, has_page, required_revision, undo_form, undo_of
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.table import cursors
from dashboard.table.read import gather_all
from dashboard.web.commands import command_of
from dashboard.web.lists import listing
from dashboard.web.pages import bind, page, see_other
from dashboard.web.toasts import toast

FILTERS = ("q", "category")
TAB = "services"
MAX_CATEGORY = 200


@requires(Permission.BOOKINGS)
@require_safe
def services(request: Request, business: str) -> HttpResponse:
    """One query: a business has some dozens, and they are put in order here."""
    q, category = asked_for(request), request.GET.get("category", "")[:MAX_CATEGORY]
    scope = (request.person.email, TAB, business)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    reads: list[Any] = [lambda: queries.services_of(business, start)]
    if category:
        reads.append(lambda: queries.of_category(business, category))
    listed, *indexed = gather_all(reads)
    found = _of_category(listed.items, indexed[0], category) if category else listed.items
    following = cursors.encode(listed.next, *scope) if listed.next else None
    rows = [ServiceRow(each) for each in queries.by_name(queries.having(found, q))]
    context = {
        "listing": listing(request, rows, following, filters=FILTERS),
        "categories": queries.categories([*listed.items, *found]),
        "category": category,
        "q": q,
        "any": bool(listed.items or start),
        "tab": TAB,
    }
    return page(request, "bookings/services.html", context, partial="rows" if start else "list")


class ServiceRow:
    """A service in the list."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.price = money.shown(service.price, service.currency)
        self.is_linked = has_page(service.id)


def _of_category(listed: list[Service], indexed: list[Service], category: str) -> list[Service]:
    """The table says what is so now; the index knows those that are beyond the first page of it."""
    here = {each.id for each in listed}
    beyond = [each for each in indexed if each.id not in here]
    return [each for each in listed if each.category == category] + beyond


@requires(Permission.BOOKINGS)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request, business: str) -> HttpResponse:
    if request.method == "POST":
        form = bind(request, ServiceForm)
        if form.is_valid():
            made = writing.create(business, form.values, command=command_of(request))
            undo = (_url("service_remove", business, made.id), {"revision": made.revision})
            text = _("%(name)s added. It can be booked once a staff member offers it.")
            toast(request, text % {"name": made.title}, undo=undo, of=made)
            return see_other(request, reverse(TAB, args=[business]))
    offered = queries.services_of(business).items
    if request.method != "POST":
        initial = {"currency": queries.usual_currency(offered), "category": asked_for(request, "category")[:60]}
        form = ServiceForm(initial=initial | {"buffer_before": 0, "buffer_after": 0})
    context = {"form": form, "categories": queries.categories(offered), "tab": TAB}
    return page(request, "bookings/service_new.html", context, status=422 if form.is_bound else 200)


@requires(Permission.BOOKINGS)
@require_http_methods(["GET", "HEAD", "POST"])
def service(request: Request, business: str, service: str) -> HttpResponse:
    if request.method != "POST":
        return _service_page(request, business, service)
    found = queries.service(business, service)
    form = bind(request, ServiceForm, item=found)
    if not form.is_valid():
        return _service_page(request, business, service, form=form, status=422)
    saved = writing.edit(business, service, form.values, revision=form.revision, command=command_of(request))
    undo = undo_of(saved, request.path)
    toast(request, _("Changes to %(name)s are saved.") % {"name": saved.title}, undo=undo, of=saved)
    return see_other(request, request.path)


def _service_page(
    request: Request, business: str, service_id: str, *, form: ServiceForm | None = None, status: int = 200
) -> HttpResponse:
    """All of it side by side: one trip."""
    reads: list[Any] = [
        lambda: queries.service(business, service_id),
        lambda: queries.services_of(business).items,
        lambda: history_of(business, writing.KIND, service_id),
        lambda: queries.is_booked(business, service_id),
    ]
    found, offered, entries, is_booked = gather_all(reads)
    context = {
        "service": found,
        "form": form or ServiceForm(item=found),
        "categories": queries.categories(offered),
        "history": history_lines(entries),
        "is_booked": is_booked,
        "tab": TAB,
    }
    return page(request, "bookings/service.html", context, status=status)


@requires(Permission.BOOKINGS)
@require_POST
def deactivate(request: Request, business: str, service: str) -> HttpResponse:
    revision = required_revision(request)
    after = writing.deactivate(business, service, revision=revision, command=command_of(request))
    undo = (_url("service_activate", business, after.id), {"revision": after.revision})
    toast(request, _("%(name)s is not offered any more.") % {"name": after.title}, undo=undo, of=after)
    return see_other(request, _url("service", business, after.id))


@requires(Permission.BOOKINGS)
@require_POST
def activate(request: Request, business: str, service: str) -> HttpResponse:
    revision = required_revision(request)
    after = writing.activate(business, service, revision=revision, command=command_of(request))
    undo = (_url("service_deactivate", business, after.id), {"revision": after.revision})
    toast(request, _("%(name)s can be booked.") % {"name": after.title}, undo=undo, of=after)
    return see_other(request, _url("service", business, after.id))


@requires(Permission.BOOKINGS)
@require_POST
def remove(request: Request, business: str, service: str) -> HttpResponse:
    command = command_of(request)
    gone = writing.remove(business, service, revision=required_revision(request), command=command)
    undo = (_url("service_restore", business, service), {"of": command.id})
    toast(request, _("%(name)s is deleted.") % {"name": gone.title if gone else service}, undo=undo)
    return see_other(request, reverse(TAB, args=[business]))


@requires(Permission.BOOKINGS)
@require_POST
def restore(request: Request, business: str, service: str) -> HttpResponse:
    of = undo_form(request)["of"]
    again = put_back(business, writing.KIND, service, of=of, command=command_of(request))
    toast(request, _("%(name)s restored.") % {"name": again.title}, of=again)
    return see_other(request, _url("service", business, service))


def _url(route: str, business: str, service: str) -> str:
    return reverse(route, args=[business, service])
