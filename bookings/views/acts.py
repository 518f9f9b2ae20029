"""What the screens of a business that is booked have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from bookings.forms.kept import BackForm, SeenForm
from bookings.forms.providers import Chosen
from bookings.items import Booking, Provider
from bookings.queries.customers import names_of
from bookings.queries.services import services_of
from bookings.shown import State, state_of
from bookings.states import Status
from bookings.stranding import Strands, start_of
from dashboard.accounts.middleware import Request
from dashboard.clock import now
from dashboard.errors import Refused
from dashboard.table.read import gather
from dashboard.ui.moments import spoken
from dashboard.ui.pages import bind

# So many of those that lose their time are named.
NAMED = 50
MAX_QUERY = 100


def asked_for(request: Request, name: str = "q") -> str:
    return request.GET.get(name, "").strip()[:MAX_QUERY]


def pressed(request: Request) -> SeenForm:
    """The button that was pressed, and what the person had seen."""
    form = bind(request, SeenForm)
    if not form.is_valid():
        raise Refused(_("Load the page again and repeat the change."))
    return form


def accepted(request: Request) -> str:
    """Which bookings the person has read will lose their time: the button beneath their list says so."""
    return request.POST.get("accepts", "")[:64]


def way_back(request: Request) -> dict[str, Any]:
    """Which operation is to be undone, and what the person had seen; what is no operation names none."""
    form = BackForm(request.POST)
    form.is_valid()
    return {"of": form.cleaned_data.get("of", ""), "version": form.cleaned_data.get("version", 0)}


def undo_of(item: Any, url: str) -> tuple[str, dict[str, Any]]:
    """Back to what it was: only what was changed is sent."""
    before, after = item.outcome.result.get("before", {}), item.outcome.result.get("after", {})
    changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    return url, {name: _sent(before.get(name)) for name in changed} | {"version": item.seen}


def _sent(value: Any) -> Any:
    return "" if value is None else Chosen(value) if isinstance(value, list) else value


@dataclass(frozen=True)
class Line:
    """A booking in a list: when, what, who, and where to read more."""

    when: str
    what: str
    who: str
    status: str
    url: str
    state: State


@dataclass(frozen=True)
class Losing:
    """The bookings that would lose their time, for whoever is about to take it."""

    lines: list[Line]
    more: int
    total: int
    digest: str


def losing(business: str, provider: Provider, business_zone: str | None, strands: Strands) -> Losing:
    named = list(strands.bookings[:NAMED])
    reads: list[Any] = [
        lambda: services_of(business).items,
        lambda: names_of(business, [str(each.customer_id) for each in named if each.customer_id]),
    ]
    offered, customers = gather(*reads)
    titles = {each.id: each.title for each in offered}
    zone = provider.zone(business_zone).key
    lines = [line_of(business, each, zone, titles, customers) for each in named]
    total = len(strands.bookings)
    return Losing(lines, total - len(lines), total, strands.digest)


def line_of(business: str, booking: Booking, zone: str, services: dict[str, str], people: dict[str, str]) -> Line:
    start = start_of(booking)
    return Line(
        when=spoken(start, zone) if start else str(booking.key_parts.get("start", "")),
        what=services.get(booking.service_id or "") or booking.service_id or "",
        who=people.get(booking.customer_id or "") or booking.customer_id or "",
        status=status_in_words(booking.status),
        url=booking_url(business, booking),
        state=state_of(booking, now()),
    )


def status_in_words(status: str | None) -> str:
    words = {
        Status.PENDING: pgettext("booking", "Waiting"),
        Status.CONFIRMED: pgettext("booking", "Confirmed"),
        Status.CANCELLED: pgettext("booking", "Cancelled"),
        Status.NO_SHOW: pgettext("booking", "Nobody came"),
    }
    return words[Status(status)] if status in set(Status) else status or ""


def booking_url(business: str, booking: Booking) -> str:
    """Where a booking can be read: its own page, or its day in the calendar."""
    try:
        return reverse("booking", args=[business, booking.key_parts["booking"]])
    except (NoReverseMatch, KeyError):
        start = start_of(booking)
        return reverse("bookings", args=[business]) + (f"?day={start.date().isoformat()}" if start else "")


def titles_of(items: Sequence[Any]) -> dict[str, str]:
    return {each.id: each.title for each in items}
