"""What the screens of a business that is booked have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from bookings.displaced_bookings import DisplacedBookings
from bookings.forms.inputs import ServiceIds
from bookings.items import Booking, Provider
from bookings.presenters import BookingLine, DisplayNames
from bookings.queries.customers import names_of
from bookings.queries.services import services_of
from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.table.read import gather_all
from dashboard.web.forms import Form, RevisionField, RevisionForm
from dashboard.web.pages import bind

# So many of those that lose their time are named.
NAMED = 50
MAX_QUERY = 100


def asked_for(request: Request, name: str = "q") -> str:
    return request.GET.get(name, "").strip()[:MAX_QUERY]


def required_revision(request: Request) -> int:
    """The revision that a button sent."""
    form = bind(request, RevisionForm)
    if not form.is_valid():
        raise Refused(_("Load the page again and repeat the change."))
    return form.number


def accepted(request: Request) -> str:
    """Which bookings the person has read will lose their time: the button beneath their list says so."""
    return request.POST.get("accepts", "")[:64]


class UndoForm(Form):
    """The command to undo."""

    of = forms.CharField(max_length=200, required=False, widget=forms.HiddenInput)
    revision = RevisionField()


def undo_form(request: Request) -> dict[str, Any]:
    """Which command is to be undone, and what the person had seen; what is no command names none."""
    form = UndoForm(request.POST)
    form.is_valid()
    return {"of": form.cleaned_data.get("of", ""), "revision": form.cleaned_data.get("revision", 0)}


def undo_of(item: Any, url: str) -> tuple[str, dict[str, Any]]:
    """Back to what it was: only what was changed is sent."""
    before, after = item.outcome.result.get("before", {}), item.outcome.result.get("after", {})
    changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    return url, {name: _sent(before.get(name)) for name in changed} | {"revision": item.revision}


def _sent(value: Any) -> Any:
    return "" if value is None else ServiceIds(value) if isinstance(value, list) else value


@dataclass(frozen=True)
class DisplacedLines:
    """The bookings that would lose their time, for whoever is about to take it."""

    lines: list[BookingLine]
    more: int
    total: int
    digest: str


def displaced_lines(
    business: str, provider: Provider, business_zone: str | None, strands: DisplacedBookings
) -> DisplacedLines:
    named, total = strands.bookings[:NAMED], len(strands.bookings)
    names, where, moment = _names(business, named), provider.zone(business_zone), now()
    lines = [BookingLine(each, names, where, moment) for each in named]
    return DisplacedLines(lines, total - len(lines), total, strands.digest)


def _names(business: str, bookings: Sequence[Booking]) -> DisplayNames:
    """What bookings do not say themselves: those of other services have no names on them."""
    nameless = [each.customer_id for each in bookings if each.customer_id and not each.customer_name]
    if not nameless and all(each.service_name for each in bookings):
        return DisplayNames()
    reads: list[Any] = [lambda: services_of(business).items, lambda: names_of(business, nameless)]
    offered, customers = gather_all(reads)
    return DisplayNames(titles_of(offered), customers=customers)


def titles_of(items: Sequence[Any]) -> dict[str, str]:
    return {each.id: each.title for each in items}


def has_page(item_id: str) -> bool:
    """Another service's id may be one that no path can hold."""
    return "/" not in item_id and item_id not in {".", ".."}
