"""The states of a conversation, the transitions between them, and who may reply. No table and no page is needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from dashboard.core.errors import Refused

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class ConversationState(StrEnum):
    """How far a conversation has come, in the order of a dialogue."""

    INIT = "INIT"
    SERVICE_PENDING = "SERVICE_PENDING"
    SERVICE_SELECTED = "SERVICE_SELECTED"
    PROVIDER_PENDING = "PROVIDER_PENDING"
    PROVIDER_SELECTED = "PROVIDER_SELECTED"
    SLOT_PENDING = "SLOT_PENDING"
    CONFIRM_PENDING = "CONFIRM_PENDING"
    BOOKING_CONFIRMED = "BOOKING_CONFIRMED"


# After a booking the customer may book again.
TRANSITIONS: Mapping[ConversationState, frozenset[ConversationState]] = {
    ConversationState.INIT: frozenset({ConversationState.SERVICE_PENDING}),
    ConversationState.SERVICE_PENDING: frozenset(
        {ConversationState.SERVICE_SELECTED, ConversationState.PROVIDER_PENDING}
    ),
    ConversationState.SERVICE_SELECTED: frozenset({ConversationState.PROVIDER_PENDING}),
    ConversationState.PROVIDER_PENDING: frozenset({ConversationState.PROVIDER_SELECTED}),
    ConversationState.PROVIDER_SELECTED: frozenset({ConversationState.SLOT_PENDING}),
    ConversationState.SLOT_PENDING: frozenset({ConversationState.CONFIRM_PENDING}),
    ConversationState.CONFIRM_PENDING: frozenset({ConversationState.BOOKING_CONFIRMED}),
    ConversationState.BOOKING_CONFIRMED: frozenset({ConversationState.SERVICE_PENDING}),
}

# The booking service's workflow leaves the state at INIT and moves from step to step.
STATE_OF_STEP: Mapping[str, ConversationState] = {
    "start": ConversationState.INIT,
    "search_service": ConversationState.SERVICE_PENDING,
    "list_providers": ConversationState.PROVIDER_PENDING,
    "select_timeslot": ConversationState.SLOT_PENDING,
    "request_contact_info": ConversationState.CONFIRM_PENDING,
    "collect_contact_info": ConversationState.CONFIRM_PENDING,
    "confirm_booking": ConversationState.CONFIRM_PENDING,
    "booking_success": ConversationState.BOOKING_CONFIRMED,
}


@dataclass(frozen=True)
class StateSpec:
    label: _StrPromise
    level: str
    icon: str


STATES: Mapping[str, StateSpec] = {
    ConversationState.INIT: StateSpec(pgettext_lazy("conversation", "Started"), "plain", "circle-dashed"),
    ConversationState.SERVICE_PENDING: StateSpec(_("Choosing a service"), "plain", "clock"),
    ConversationState.SERVICE_SELECTED: StateSpec(_("Service chosen"), "plain", "check"),
    ConversationState.PROVIDER_PENDING: StateSpec(_("Choosing a staff member"), "plain", "clock"),
    ConversationState.PROVIDER_SELECTED: StateSpec(_("Staff member chosen"), "plain", "check"),
    ConversationState.SLOT_PENDING: StateSpec(_("Choosing a time"), "plain", "clock"),
    ConversationState.CONFIRM_PENDING: StateSpec(_("About to confirm"), "warn", "timer"),
    ConversationState.BOOKING_CONFIRMED: StateSpec(pgettext_lazy("conversation", "Booked"), "good", "calendar-check"),
}


def classify(state: str | None, step: str | None) -> str | None:
    """The state of a stored conversation. One that an outside writer made up stays as it is stored."""
    if state == ConversationState.INIT:
        return STATE_OF_STEP.get(step or "", ConversationState.INIT)
    return state


def ensure_transition(before: str | None, after: ConversationState) -> None:
    """Refuse a transition that is not declared. A state that only an outside writer knows can be left for any other."""
    if before is None:
        before = ConversationState.INIT
    if before not in STATES or before == after or after in TRANSITIONS[ConversationState(before)]:
        return
    raise Refused(
        _("A conversation can't go from %(before)s to %(after)s.") % {"before": before, "after": after.value},
        field="state",
    )


class Author(StrEnum):
    """Who wrote a message."""

    CUSTOMER = "CUSTOMER"
    BOT = "BOT"
    PERSON = "PERSON"


class VoiceState(StrEnum):
    """Who has to reply in a conversation."""

    BOT = "BOT"
    # A person replies, and the customer has written since.
    WAITING = "WAITING"
    PERSON = "PERSON"
    CLOSED = "CLOSED"


VOICE_STATES: Mapping[str, StateSpec] = {
    VoiceState.BOT: StateSpec(_("The bot replies"), "plain", "message-square"),
    VoiceState.WAITING: StateSpec(_("Waiting for a person"), "warn", "clock"),
    VoiceState.PERSON: StateSpec(_("A person replies"), "info", "user"),
    VoiceState.CLOSED: StateSpec(pgettext_lazy("conversation", "Closed"), "plain", "check"),
}
