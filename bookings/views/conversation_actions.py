"""What a person does in a conversation: take over, reply, hand back, close, open again, and book."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from bookings.actions import CANCEL
from bookings.errors import SlotTaken, StartNotBookable
from bookings.forms.bookings import BookingForm
from bookings.forms.conversations import ReplyForm, TurnForm
from bookings.items import Booking, Voice
from bookings.params import MAX_ID
from bookings.permissions import Permission
from bookings.queries.conversations import load_thread
from bookings.queries.customers import customers_with_contact
from bookings.queries.providers import find_provider
from bookings.rules import rules_of
from bookings.services import bookings
from bookings.services import conversations as services
from bookings.start_options import options_with_day
from bookings.states import Status
from bookings.views.conversation import show
from bookings.views.redirects import booking_path, describe_conflict
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.commands import command_of
from dashboard.web.locale import zone
from dashboard.web.pages import add_refusal, bind, see_other
from dashboard.web.toasts import toast

Service = Callable[..., Voice]


def _lease_view(service: Service, text: Promise | str, inverse: str) -> Callable[..., HttpResponse]:
    """The view that takes the POST of a button. `inverse` is the route that undoes it."""

    @requires(Permission.CONVERSATIONS)
    @require_POST
    def change(request: Request, business: str, conversation: str) -> HttpResponse:
        form = bind(request, TurnForm)
        if not form.is_valid():
            load_thread(business, conversation)
            raise Refused(_("Reload the page and try again."))
        try:
            voice = service(business, conversation, turn=form.cleaned_data["turn"], command=command_of(request))
        except Conflict as conflict:
            return show(request, business, conversation, status=conflict.status, conflict=str(conflict.text))
        undo = (reverse(inverse, args=[business, conversation]), {"turn": voice.turn})
        toast(request, text, undo=undo, of=voice)
        return see_other(request, reverse("conversation", args=[business, conversation]))

    return change


take_over = _lease_view(services.take_over, gettext_lazy("You reply now. The bot is silent."), "conversation_hand_back")
hand_back = _lease_view(services.hand_back, gettext_lazy("The bot replies again."), "conversation_take_over")
close = _lease_view(services.close, gettext_lazy("Conversation closed."), "conversation_reopen")
reopen = _lease_view(services.reopen, gettext_lazy("Conversation opened again."), "conversation_close")


@requires(Permission.CONVERSATIONS)
@require_POST
def reply(request: Request, business: str, conversation: str) -> HttpResponse:
    """A sent message cannot be undone: the customer may have read it."""
    form = bind(request, ReplyForm)
    if not form.is_valid():
        return show(request, business, conversation, status=422, reply_form=form)
    try:
        services.reply(business, conversation, form.cleaned_data["text"], command=command_of(request))
    except Conflict as conflict:
        text = str(conflict.text)
        return show(request, business, conversation, status=conflict.status, reply_form=form, conflict=text)
    except Refused as refusal:
        add_refusal(form, refusal)
        return show(request, business, conversation, status=422, reply_form=form)
    return see_other(request, reverse("conversation", args=[business, conversation]))


# --- Booking -------------------------------------------------------------------------------------
@requires(Permission.CONVERSATIONS)
@require_POST
def book(request: Request, business: str, conversation: str) -> HttpResponse:
    """Book on the customer's behalf."""
    provider = find_provider(business, request.POST.get("provider", "")[:MAX_ID])
    provider_zone = provider.zone(request.business.timezone) if provider else zone(request.business.timezone)
    form = bind(request, BookingForm, provider_zone=provider_zone)
    if not form.is_valid():
        return show(request, business, conversation, status=422, booking_form=form)
    try:
        booking = _book(request, business, conversation, form)
    except (SlotTaken, StartNotBookable) as error:
        return _show_alternatives(request, business, conversation, form, error)
    except Refused as refusal:
        add_refusal(form, refusal)
        return show(request, business, conversation, status=422, booking_form=form)
    undo = (booking_path(business, booking.id, CANCEL.path), {"revision": booking.revision})
    toast(request, _("Booking for %(who)s created.") % {"who": booking.title}, undo=undo, of=booking)
    return see_other(request, reverse("conversation", args=[business, conversation]))


def _book(request: Request, business: str, conversation: str, form: BookingForm) -> Booking:
    given, contact = form.cleaned_data, form.new_customer
    assert form.moment is not None
    # A conversation knows no customers, only their contact: one with the same e-mail or phone is that customer.
    known = customers_with_contact(business, contact["email"], contact["phone"]) if contact is not None else []
    return bookings.create(
        business,
        given["service"],
        given["provider"],
        form.moment.utc,
        known[0].id if known else given["customer"],
        status=Status(given["status"]),
        note=given["note"],
        rules=rules_of(request.business, now()),
        new_customer=None if known else contact,
        conversation_id=conversation,
        command=command_of(request),
    )


def _show_alternatives(
    request: Request, business: str, conversation: str, form: BookingForm, error: SlotTaken | StartNotBookable
) -> HttpResponse:
    sent = {name: value for name, value in request.POST.dict().items() if name in form.fields and value}
    extra: dict[str, Any] = {
        "booking_form": form,
        "booking_conflict": describe_conflict(business, error),
        "alternatives": options_with_day(error.alternatives, error.zone),
        "fields": {name: value for name, value in sent.items() if name not in {"start", "start_at"}},
    }
    return show(request, business, conversation, status=error.status, **extra)
