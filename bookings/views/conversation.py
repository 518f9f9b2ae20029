"""The page of one conversation."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from bookings.conversation_lines import ConversationLine, collected_rows
from bookings.conversation_states import VoiceState
from bookings.forms.bookings import BookingForm
from bookings.forms.conversations import ReplyForm
from bookings.items import Conversation, Provider, Service
from bookings.permissions import Permission
from bookings.presenters import DisplayNames
from bookings.queries import conversations as queries
from bookings.queries.calendar import load_catalog_with
from bookings.queries.history import history_of
from bookings.queries.providers import sort_by_name
from bookings.queries.services import sort_by_name as services_by_name
from bookings.views.redirects import booking_path
from bookings.views.shared import has_page
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.table.timestamps import to_wire
from dashboard.web.local_times import as_local
from dashboard.web.locale import zone, zone_label
from dashboard.web.pages import has_nothing_new, page


@requires(Permission.CONVERSATIONS)
@require_safe
def conversation(request: Request, business: str, conversation: str) -> HttpResponse:
    return show(request, business, conversation)


def show(request: Request, business: str, conversation_id: str, *, status: int = 200, **extra: Any) -> HttpResponse:
    """One trip. The resulting booking is loaded by the page."""
    providers, services, (thread, messages, entries) = load_catalog_with(
        business,
        lambda: queries.find_thread(business, conversation_id),
        lambda: queries.messages_of(business, conversation_id),
        lambda: history_of(business, "conversation", conversation_id, limit=20),
        consistent=False,
    )
    if thread is None:
        raise NotFound
    current, voice, moment = thread.conversation, thread.voice, now()
    # An expired lease is not in the fingerprint: a page that stays open shows the time until which it is held.
    fingerprint = f"{current.revision}.{voice.revision}.{voice.is_held(moment)}.{to_wire(current.active_at or moment)}"
    if status == 200 and has_nothing_new(request, fingerprint):
        return HttpResponse(status=204)
    names, business_zone = DisplayNames.of(services, providers), zone(request.business.timezone)
    is_mine = voice.holder == request.actor.email
    context = {
        "line": ConversationLine(current, names, business_zone, moment),
        "conversation": current,
        "voice": voice,
        "voice_state": voice.state.value,
        "is_held": voice.is_held(moment),
        "is_mine": is_mine and voice.state != VoiceState.CLOSED,
        "messages": list(reversed(messages.items)),
        "has_more": messages.next_start_key is not None,
        "rows": collected_rows(current),
        "booking_url": _booking_url(business, current),
        "fingerprint": fingerprint,
        "history": history_lines(entries),
        "reply_form": ReplyForm(),
        "url": reverse("conversation", args=[business, conversation_id]),
        **_booking_context(request, current, providers, services),
        **extra,
    }
    return page(request, "bookings/conversation.html", context, partial="parts", status=status)


def _booking_url(business: str, conversation: Conversation) -> str:
    booked = conversation.booked
    return booking_path(business, booked) if booked and has_page(booked) else ""


def _booking_context(
    request: Request, conversation: Conversation, providers: list[Provider], services: list[Service]
) -> dict[str, Any]:
    """The form for a booking, filled with what the conversation has collected."""
    provider = next((each for each in providers if each.id == conversation.chosen_provider), None)
    start_zone = provider.zone(request.business.timezone) if provider is not None else zone(request.business.timezone)
    initial = {
        "service": conversation.chosen_service,
        "provider": conversation.chosen_provider,
        "start_at": as_local(conversation.chosen_start, start_zone.key),
        "customer_name": conversation.customer_name[:100],
        "customer_email": conversation.customer_email,
        "customer_phone": conversation.customer_phone[:40],
    }
    return {
        "booking_form": BookingForm(initial=initial),
        "services": [each for each in services_by_name(services) if each.is_active],
        "providers": [each for each in sort_by_name(providers) if each.is_active],
        "zone_text": zone_label(start_zone.key),
        "booking_conflict": None,
    }
