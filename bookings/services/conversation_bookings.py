"""The booking that results from a conversation."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from bookings.conversation_states import ConversationState
from bookings.items import Booking
from bookings.queries.bookings import find_pointer
from bookings.queries.conversations import load_thread
from bookings.states import Status
from dashboard.core.clock import now
from dashboard.core.errors import Refused, StaleRevision
from dashboard.table.transactions import Transaction


def link_conversation(transaction: Transaction, business: str, booking: Booking) -> None:
    """Store the booking in its conversation, in the booking's own transaction, and end the dialogue.

    A booking is possible in every state. A conversation has one booking, until that one is cancelled.
    """
    conversation = load_thread(business, booking.conversation_id or "").conversation
    if conversation.booked and _is_live(business, conversation.booked):
        raise Refused(_("This conversation already has a booking. Reload the page to see it."))
    unchanged = conversation.unchanged("state", "currentStepId", "bookingId", "context", "updatedAt", "createdAt")
    conversation.state, conversation.booking_id = ConversationState.BOOKING_CONFIRMED.value, booking.id
    conversation.service_id, conversation.provider_id = booking.service_id, booking.provider_id
    conversation.slot_start, conversation.slot_end = booking.start_time, booking.end_time
    conversation.updated_at = now()
    transaction.save(conversation, revision=conversation.revision, on_failure=StaleRevision, condition=unchanged)


def _is_live(business: str, booking_id: str) -> bool:
    ref = find_pointer(business, booking_id)
    return ref is not None and ref.status != Status.CANCELLED
