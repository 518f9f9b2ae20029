"""One booking: what is said of it, and what is done to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from bookings.audit_labels import PAYMENT_LABELS
from bookings.errors import SlotTaken
from bookings.forms.bookings import CancelForm, DecideForm, PaymentForm
from bookings.items import Booking, Provider
from bookings.money import shown as money
from bookings.permissions import Permission
from bookings.presenters import BookingLine, Names, possible
from bookings.queries import bookings as queries
from bookings.queries.history import history_of
from bookings.queries.providers import providers_of
from bookings.services import bookings as writing
from bookings.states import Payment, Status
from bookings.views.redirects import back, booking_path, in_the_way
from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.table.commands import Command
from dashboard.web.commands import command_of
from dashboard.web.forms import Form
from dashboard.web.locale import zone, zone_in_words
from dashboard.web.pages import bind, page, see_other
from dashboard.web.toasts import toast

TAB = "calendar"


@requires(Permission.BOOKINGS)
@require_safe
def booking(request: Request, business: str, booking: str) -> HttpResponse:
    return show(request, business, booking)


def show(request: Request, business: str, booking_id: str, *, status: int = 200, **extra: Any) -> HttpResponse:
    """All of it in one trip."""
    found, (entries, people) = queries.booking_among(
        business,
        booking_id,
        lambda: history_of(business, "booking", booking_id, limit=20),
        lambda: providers_of(business).items,
    )
    here, moment = zone(request.business.timezone), now()
    provider = next((each for each in people if each.id == found.provider), None)
    line = BookingLine(found, Names.of((), people), here, moment)
    context = {
        "booking": found,
        "line": line,
        "provider": provider,
        "times": _times(found, here, provider),
        "minutes": (found.want.duration.total_seconds() // 60) if found.start_time else None,
        "money": money(found.price, found.currency),
        "payments": [(each.value, PAYMENT_LABELS[each]) for each in Payment],
        "can": possible(found, moment),
        "move": _move_url(business, found, provider, here),
        "again": _again_url(business, found) if provider is not None and provider.is_active else "",
        "contact": _contact_url(business, found),
        "history": history_lines(entries),
        "tab": TAB,
        **extra,
    }
    return page(request, "bookings/booking.html", context, status=status)


def _times(booking: Booking, here: ZoneInfo, provider: Provider | None) -> list[tuple[str, str]]:
    """When it is, by the business's clock; also by the provider's where that shows another time."""
    start = booking.start_time
    if not start:
        return []
    there = provider.zone(here.key) if provider is not None else here
    same = start.astimezone(there).utcoffset() == start.astimezone(here).utcoffset()
    zones = [here] if same else [here, there]
    return [(BookingLine(booking, Names(), each, start).full, zone_in_words(each.key)) for each in zones]


def _move_url(business: str, booking: Booking, provider: Provider | None, here: ZoneInfo) -> str:
    where = provider.zone(here.key) if provider is not None else here
    day = (booking.start_time or now()).astimezone(where).date()
    query = urlencode({"provider": booking.provider, "day": max(day, now().astimezone(where).date()).isoformat()})
    return f"{booking_path(business, booking.id, 'reschedule/')}?{query}"


def _again_url(business: str, booking: Booking) -> str:
    """The form for another one like it: whoever leaves often books the next one at once."""
    same_choices = {"service": booking.service_id, "provider": booking.provider, "customer": booking.customer_id}
    query = urlencode({name: each for name, each in same_choices.items() if each})
    return f"{reverse('booking_new', args=[business])}?{query}"


def _contact_url(business: str, booking: Booking) -> str:
    """Where the customer's phone and address stand; empty for an id that no path can hold."""
    who = booking.customer_id or ""
    return reverse("customer", args=[business, who]) if who and "/" not in who and who not in {".", ".."} else ""


# --- Deciding ------------------------------------------------------------------------------------
Undo = tuple[str, dict[str, Any]] | None
Act = Callable[[Form, Command], Booking]


def _decide(
    request: Request,
    where: tuple[str, str],
    form: Form,
    act: Act,
    text: str,
    undo: Callable[[Booking], Undo],
) -> HttpResponse:
    """One of the buttons: done, said, and back to where one was."""
    business, booking_id = where
    if not form.is_valid():
        # What is not there is not found, whatever was sent to it.
        queries.booking(business, booking_id)
        raise Refused(_("Load the page again and repeat the change."))
    try:
        done = act(form, command_of(request))
    except SlotTaken as error:
        found = queries.booking(business, booking_id)
        stays = BookingLine(found, Names(), zone(request.business.timezone), now())
        title, again = _("Its time is taken by now"), _again_url(business, found)
        return in_the_way(request, business, error, title=title, stays=stays, again=again)
    toast(request, text % {"who": done.title}, undo=undo(done), of=done)
    return see_other(request, back(request, business, done))


def _undo(business: str, act: str, **fields: Any) -> Callable[[Booking], Undo]:
    return lambda booking: (booking_path(business, booking.id, act), fields | {"revision": booking.revision})


@requires(Permission.BOOKINGS)
@require_POST
def confirm(request: Request, business: str, booking: str) -> HttpResponse:
    def act(form: Form, command: Command) -> Booking:
        return writing.confirm(business, booking, revision=form.cleaned_data["revision"], command=command)

    def undo(done: Booking) -> Undo:
        """What it was before says what the inverse is."""
        was = str(done.outcome.result.get("status"))
        inverse = {Status.NO_SHOW.value: "no-show/", Status.CANCELLED.value: "cancel/"}.get(was)
        return _undo(business, inverse or "unconfirm/")(done)

    text = _("The booking of %(who)s is confirmed.")
    return _decide(request, (business, booking), bind(request, DecideForm), act, text, undo)


@requires(Permission.BOOKINGS)
@require_POST
def unconfirm(request: Request, business: str, booking: str) -> HttpResponse:
    def act(form: Form, command: Command) -> Booking:
        return writing.unconfirm(business, booking, revision=form.cleaned_data["revision"], command=command)

    text = _("The booking of %(who)s waits again.")
    return _decide(request, (business, booking), bind(request, DecideForm), act, text, _undo(business, "confirm/"))


@requires(Permission.BOOKINGS)
@require_POST
def cancel(request: Request, business: str, booking: str) -> HttpResponse:
    def act(form: Form, command: Command) -> Booking:
        given = form.cleaned_data
        return writing.cancel(business, booking, revision=given["revision"], reason=given["reason"], command=command)

    text = _("The booking of %(who)s is cancelled. Its time is free.")
    return _decide(request, (business, booking), bind(request, CancelForm), act, text, _undo(business, "restore/"))


@requires(Permission.BOOKINGS)
@require_POST
def restore(request: Request, business: str, booking: str) -> HttpResponse:
    def act(form: Form, command: Command) -> Booking:
        return writing.restore(business, booking, revision=form.cleaned_data["revision"], command=command)

    text = _("Booking of %(who)s restored.")
    return _decide(request, (business, booking), bind(request, DecideForm), act, text, _undo(business, "cancel/"))


@requires(Permission.BOOKINGS)
@require_POST
def no_show(request: Request, business: str, booking: str) -> HttpResponse:
    def act(form: Form, command: Command) -> Booking:
        return writing.no_show(business, booking, revision=form.cleaned_data["revision"], command=command)

    text = _("Noted: %(who)s did not come.")
    return _decide(request, (business, booking), bind(request, DecideForm), act, text, _undo(business, "confirm/"))


@requires(Permission.BOOKINGS)
@require_POST
def pay(request: Request, business: str, booking: str) -> HttpResponse:
    def act(form: Form, command: Command) -> Booking:
        given = form.cleaned_data
        status = Payment(given["payment"])
        return writing.pay(business, booking, status=status, revision=given["revision"], command=command)

    def undo(done: Booking) -> Undo:
        was = done.outcome.result.get("payment")
        return _undo(business, "pay/", payment=was)(done) if was in set(Payment) else None

    # Undo of it is said by the same words: they say what stands now.
    payment = request.POST.get("payment", "")
    noted = str(PAYMENT_LABELS[Payment(payment)]) if payment in set(Payment) else ""
    text = _("Payment of %(who)s: %(payment)s.") % {"who": "%(who)s", "payment": noted.lower()}
    return _decide(request, (business, booking), bind(request, PaymentForm), act, text, undo)
