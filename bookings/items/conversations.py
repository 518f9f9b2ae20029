"""Conversations with the booking agent, their messages, and the lease that says who replies."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from bookings.conversation_states import ConversationState, VoiceState, classify
from dashboard.table import keys
from dashboard.table.attributes import LenientUnicodeAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute


class Conversation(Item):
    """The progress of a customer's conversation."""

    key_pattern = keys.CONVERSATION
    needs_key_parts = True

    state = LenientUnicodeAttribute(null=True)
    service_id = LenientUnicodeAttribute(null=True, attr_name="serviceId")
    provider_id = LenientUnicodeAttribute(null=True, attr_name="providerId")
    slot_start = TimestampAttribute(null=True, attr_name="slotStart")
    slot_end = TimestampAttribute(null=True, attr_name="slotEnd")
    booking_id = LenientUnicodeAttribute(null=True, attr_name="bookingId")
    user_context = PlainMapAttribute(null=True, attr_name="userContext")
    # What the booking service's workflow collects, and where it is.
    context = PlainMapAttribute(null=True)
    workflow_id = LenientUnicodeAttribute(null=True, attr_name="workflowId")
    current_step = LenientUnicodeAttribute(null=True, attr_name="currentStepId")
    # A copy of the lease's state, for lists. Only this product writes it.
    voice = LenientUnicodeAttribute(null=True)

    # The attributes in lists.
    IN_LISTS = (
        *("state", "currentStepId", "serviceId", "providerId", "slotStart", "bookingId", "userContext", "context"),
        *("voice", "createdAt", "updatedAt", "ttl"),
    )

    def index_keys(self) -> Iterator[IndexKey]:
        parts: dict[str, Any] = {"tenant": self.key_parts["tenant"], "updated_at": self.active_at}
        yield from keys.CONVERSATIONS_BY_STATE.optional_key(**parts, state=self.progress)
        yield from keys.CONVERSATIONS_BY_VOICE.optional_key(**parts, voice=self.voice_state)

    @property
    def id(self) -> str:
        return str(self.key_parts["conversation"])

    @property
    def progress(self) -> str | None:
        """The state, or that of the workflow's step where the state never changes."""
        return classify(self.state, self.current_step)

    @property
    def voice_state(self) -> str:
        return self.voice or VoiceState.BOT.value

    @property
    def active_at(self) -> datetime | None:
        """When somebody wrote last."""
        return self.updated_at or self.created_at

    def collected(self, name: str) -> str:
        """A text that the agent collected: an attribute of the conversation's context, or of its user's."""
        for values in (self.context, self.user_context):
            value = (values or {}).get(name)
            if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
                return str(value).strip()
        return ""

    @property
    def chosen_service(self) -> str:
        return self.service_id or self.collected("serviceId")

    @property
    def chosen_provider(self) -> str:
        return self.provider_id or self.collected("providerId")

    @property
    def chosen_start(self) -> datetime | None:
        """The chosen start. The booking service stores it in its context, as a text or as a map."""
        if self.slot_start:
            return self.slot_start
        slot = (self.context or {}).get("selectedSlot")
        text = slot.get("start") if isinstance(slot, dict) else slot
        return TimestampAttribute().deserialize(text) if isinstance(text, str) else None

    @property
    def booked(self) -> str:
        """The id of the resulting booking."""
        return self.booking_id or self.collected("bookingId")

    @property
    def customer_name(self) -> str:
        full = f"{self.collected('clientFirstName')} {self.collected('clientLastName')}".strip()
        return self.collected("clientName") or full or self.collected("customerName") or self.collected("name")

    @property
    def customer_email(self) -> str:
        return self.collected("clientEmail") or self.collected("email")

    @property
    def customer_phone(self) -> str:
        return self.collected("clientPhone") or self.collected("phone")

    @property
    def title(self) -> str:
        return self.customer_name or self.customer_email or self.customer_phone or self.id

    @property
    def is_booked(self) -> bool:
        return self.progress == ConversationState.BOOKING_CONFIRMED


class ConversationMessage(Item):
    """A message of a conversation."""

    key_pattern = keys.CONVERSATION_MESSAGE
    editable = False

    author = UnicodeAttribute(null=True)
    text = UnicodeAttribute(null=True)
    # The person who wrote it.
    by = UnicodeAttribute(null=True)
    by_name = UnicodeAttribute(null=True, attr_name="byName")

    @property
    def id(self) -> str:
        return str(self.key_parts["id"])


class Voice(Item):
    """The lease to reply in a conversation: the bot holds it, or a person does for some time."""

    key_pattern = keys.VOICE

    # The person; None while the bot replies.
    holder = UnicodeAttribute(null=True)
    holder_name = UnicodeAttribute(null=True, attr_name="holderName")
    held_until = TimestampAttribute(null=True, attr_name="heldUntil")
    waiting_since = TimestampAttribute(null=True, attr_name="waitingSince")
    closed_at = TimestampAttribute(null=True, attr_name="closedAt")
    # Counts replies and changes of the holder. A reply is meant for one turn, so that nobody replies twice to it.
    stored_turn = NumberAttribute(null=True, attr_name="turn")

    @property
    def id(self) -> str:
        return str(self.key_parts["conversation"])

    @property
    def turn(self) -> int:
        return int(self.stored_turn or 0)

    def is_held(self, moment: datetime) -> bool:
        """Whether a person holds it. A person who has not replied for a while no longer does."""
        return bool(self.holder) and self.held_until is not None and moment < self.held_until

    @property
    def state(self) -> VoiceState:
        if self.closed_at:
            return VoiceState.CLOSED
        if not self.holder:
            return VoiceState.BOT
        return VoiceState.WAITING if self.waiting_since is not None else VoiceState.PERSON
