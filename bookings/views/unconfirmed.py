"""Past bookings that were never confirmed. Several can be confirmed at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from bookings.actions import CONFIRM, UNCONFIRM, BookingAction
from bookings.permissions import Permission
from bookings.presenters import BookingLine, DisplayNames
from bookings.queries import bookings as queries
from bookings.queries.calendar import load_catalog_with
from bookings.services.bulk import BulkResult, SelectedBooking, decide_all
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import Page
from dashboard.web.commands import command_of
from dashboard.web.lists import list_page
from dashboard.web.locale import zone, zone_label
from dashboard.web.pages import see_other
from dashboard.web.toasts import toast, toast_error

PAGE = 25
# Between the bookings in the one field that Undo sends.
SEPARATOR = "\n"


@requires(Permission.BOOKINGS)
@require_http_methods(["GET", "HEAD", "POST"])
def unconfirmed(request: Request, business: str) -> HttpResponse:
    if request.method == "POST":
        return _confirm(request, business)
    business_zone, moment = zone(request.business.timezone), now()

    def load(start_key: Any) -> tuple[Page[BookingLine], dict[str, Any]]:
        providers, services, (found,) = load_catalog_with(
            business, lambda: queries.unconfirmed_before(business, moment, start_key, PAGE), consistent=False
        )
        names = DisplayNames.of(services, providers)
        rows = [BookingLine(each, names, business_zone, moment) for each in found.items]
        context = {"zone_text": zone_label(business_zone.key), "most": PAGE, "tab": "calendar"}
        return found.with_rows(rows), context

    return list_page(request, "bookings/unconfirmed.html", load, cursor_scope=("unconfirmed", business))


def _confirm(request: Request, business: str) -> HttpResponse:
    selected = list(_read_selected(request.POST.getlist("selected")))
    if not selected:
        toast_error(request, _("Select bookings first."))
        return see_other(request, request.path)
    result = _decide_all(request, business, CONFIRM, selected)
    count = len(result.done)
    if count:
        text = ngettext("%(n)s booking confirmed.", "%(n)s bookings confirmed.", count) % {"n": count}
        values = {"selected": SEPARATOR.join(f"{each.revision}:{each.id}" for each in result.done)}
        toast(request, text, undo=(reverse("bookings_unconfirm", args=[business]), values))
    return see_other(request, request.path)


@requires(Permission.BOOKINGS)
@require_POST
def unconfirm(request: Request, business: str) -> HttpResponse:
    """Undo a confirmation of several bookings."""
    selected = list(_read_selected(request.POST.get("selected", "").split(SEPARATOR)))
    count = len(_decide_all(request, business, UNCONFIRM, selected).done)
    if count:
        text = ngettext("%(n)s booking is to confirm again.", "%(n)s bookings are to confirm again.", count)
        toast(request, text % {"n": count})
    return see_other(request, reverse("bookings_unconfirmed", args=[business]))


def _decide_all(request: Request, business: str, action: BookingAction, selected: list[SelectedBooking]) -> BulkResult:
    result = decide_all(action, business, selected, command=command_of(request))
    for name, reason in result.failed:
        toast_error(request, _("%(who)s was not changed. %(reason)s") % {"who": name, "reason": reason})
    return result


def _read_selected(values: Iterable[str]) -> Iterator[SelectedBooking]:
    """`3:<id>` is the booking with revision 3. Others are ignored."""
    for value in list(values)[:PAGE]:
        revision, _colon, booking_id = value.strip().partition(":")
        if revision.isascii() and revision.isdecimal() and len(revision) < 10 and booking_id:
            yield SelectedBooking(booking_id, int(revision))
