"""Helpers for the views of services, staff members, customers and hours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from bookings.displaced_bookings import DisplacedBookings
from bookings.forms.inputs import ServiceIds
from bookings.items import Booking, Provider
from bookings.presenters import BookingLine, DisplayNames
from bookings.queries.customers import names_of
from bookings.queries.services import services_of
from bookings.services.catalog_items import CatalogItem
from bookings.services.deletion import restore
from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.table.commands import Command
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.forms import Form, RevisionField, RevisionForm
from dashboard.web.pages import bind, see_other
from dashboard.web.toasts import toast

# How many displaced bookings a page lists.
MAX_DISPLACED = 50
MAX_QUERY = 100


def query_param(request: Request, name: str = "q") -> str:
    return request.GET.get(name, "").strip()[:MAX_QUERY]


def required_revision(request: Request) -> int:
    """The revision that a button sent."""
    form = bind(request, RevisionForm)
    if not form.is_valid():
        raise Refused(_("Reload the page and try again."))
    return form.number


def accepted_bookings(request: Request) -> str:
    """The digest of the displaced bookings that the person accepted with the button below their list."""
    return request.POST.get("accepts", "")[:64]


class UndoForm(Form):
    """The command to undo."""

    of = forms.CharField(max_length=200, required=False, widget=forms.HiddenInput)
    revision = RevisionField()


def undo_params(request: Request) -> tuple[str, int]:
    """The id of the command to undo, and the revision that the person saw. An invalid id counts as empty."""
    form = UndoForm(request.POST)
    form.is_valid()
    return form.cleaned_data.get("of", ""), form.cleaned_data.get("revision", 0)


def undo_request(item: Any, url: str) -> tuple[str, dict[str, Any]]:
    """The form that undoes an edit: it sends only the fields that changed."""
    before, after = item.outcome.result.get("before", {}), item.outcome.result.get("after", {})
    changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    return url, {name: _as_input(before.get(name)) for name in changed} | {"revision": item.revision}


def _as_input(value: Any) -> Any:
    return "" if value is None else ServiceIds(value) if isinstance(value, list) else value


def item_url(route: str, business: str, item: CatalogItem) -> str:
    return reverse(route, args=[business, item.id])


def respond_saved(request: Request, saved: CatalogItem) -> HttpResponse:
    """Show the page again after an edit, with a toast that offers Undo."""
    undo = undo_request(saved, request.path)
    toast(request, _("Changes to %(name)s saved.") % {"name": saved.title}, undo=undo, of=saved)
    return see_other(request, request.path)


def respond_deleted(
    request: Request, business: str, kind: str, item_id: str, removed: CatalogItem | None, command: Command
) -> HttpResponse:
    """Show the list after a deletion, with a toast that offers Undo."""
    undo = (reverse(f"{kind}_restore", args=[business, item_id]), {"of": command.id})
    toast(request, _("%(name)s deleted.") % {"name": removed.title if removed else item_id}, undo=undo)
    return see_other(request, reverse(f"{kind}s", args=[business]))


def respond_restored(request: Request, business: str, kind: str, item_id: str) -> HttpResponse:
    """Undo a deletion."""
    of, _revision = undo_params(request)
    restored = restore(business, kind, item_id, of=of, command=command_of(request))
    toast(request, _("%(name)s restored.") % {"name": restored.title}, of=restored)
    return see_other(request, item_url(kind, business, restored))


@dataclass(frozen=True)
class DisplacedLines:
    """The displaced bookings that a page lists before a change."""

    lines: list[BookingLine]
    more: int
    total: int
    digest: str


def displaced_lines(
    business: str, provider: Provider, business_zone: str | None, error: DisplacedBookings
) -> DisplacedLines:
    listed, total = error.bookings[:MAX_DISPLACED], len(error.bookings)
    names, zone, moment = _names(business, listed), provider.zone(business_zone), now()
    lines = [BookingLine(each, names, zone, moment) for each in listed]
    return DisplacedLines(lines, total - len(lines), total, error.digest)


def _names(business: str, bookings: Sequence[Booking]) -> DisplayNames:
    """The names that bookings lack. Bookings of outside writers have no names on them."""
    nameless = [each.customer_id for each in bookings if each.customer_id and not each.customer_name]
    if not nameless and all(each.service_name for each in bookings):
        return DisplayNames()
    offered, customers = gather(partial(services_of, business), partial(names_of, business, nameless))
    return DisplayNames(titles_of(offered.items), customers=customers)


def titles_of(items: Sequence[Any]) -> dict[str, str]:
    return {each.id: each.title for each in items}


def has_page(item_id: str) -> bool:
    """Whether an id can be part of a path. Those of outside writers may not."""
    return "/" not in item_id and item_id not in {".", ".."}
