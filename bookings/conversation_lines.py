"""Conversations as the templates show them: as lines of a list, as a funnel, and with what was collected."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bookings.conversation_states import STATES, VOICE_STATES, ConversationState, StateSpec, VoiceState
from bookings.items import Conversation
from bookings.presenters import DisplayNames, StateBadge, short_day
from bookings.states import UNKNOWN
from dashboard.table.attributes import from_attribute
from dashboard.table.masking import masked_value
from dashboard.table.read import COUNT_LIMIT
from dashboard.web.templatetags.ui import zone_name

# The bot's dialogue stops here: nobody has written for this long, and nothing is booked.
STUCK_AFTER = timedelta(hours=1)
# How much of the collected values a page shows.
MAX_ROWS, MAX_VALUE = 40, 400
# The attributes that the page shows by name.
_NAMED = frozenset(
    {
        *("serviceId", "serviceName", "providerId", "providerName", "selectedSlot", "bookingId"),
        *("name", "customerName", "clientName", "clientFirstName", "clientLastName"),
        *("email", "clientEmail", "phone", "clientPhone"),
    }
)


def state_of(conversation: Conversation) -> StateBadge:
    """An outside writer's unknown state is shown as it is stored."""
    code = conversation.progress or ""
    return _badge(code, STATES.get(code))


def voice_of(conversation: Conversation) -> StateBadge:
    return _badge(conversation.voice_state, VOICE_STATES.get(conversation.voice_state))


def _badge(code: str, spec: StateSpec | None) -> StateBadge:
    if spec is None:
        return StateBadge(UNKNOWN, code or "–", "plain", "circle-help")
    return StateBadge(code, str(spec.label), spec.level, spec.icon)


class ConversationLine:
    """A conversation as text, with times in the business's zone."""

    def __init__(self, conversation: Conversation, names: DisplayNames, zone: ZoneInfo, now: datetime) -> None:
        self.conversation = conversation
        self.id, self.title = conversation.id, conversation.title
        self.state, self.voice = state_of(conversation), voice_of(conversation)
        self.active_at, self.expires_at = conversation.active_at, expiry_of(conversation)
        self.is_stuck = is_stuck(conversation, now)
        service, provider = conversation.chosen_service, conversation.chosen_provider
        self.service = conversation.collected("serviceName") or names.services.get(service, service)
        self.provider = conversation.collected("providerName") or names.provider(provider)
        self.start = _start_text(conversation.chosen_start, zone)

    @property
    def choices(self) -> str:
        """`Massage, María, Wed 25 Nov, 10:00`."""
        return " · ".join(each for each in (self.service, self.provider, self.start) if each)


def _start_text(start: datetime | None, zone: ZoneInfo) -> str:
    if start is None:
        return ""
    local = start.astimezone(zone)
    return f"{short_day(local.date())}, {local:%H:%M} {zone_name(local)}"


def is_stuck(conversation: Conversation, now: datetime) -> bool:
    """Whether a dialogue with the bot stopped before the customer booked."""
    is_over = conversation.is_booked or conversation.voice_state != VoiceState.BOT
    return not is_over and conversation.active_at is not None and now - conversation.active_at > STUCK_AFTER


def expiry_of(conversation: Conversation) -> datetime | None:
    """When the table removes it; None if it stays."""
    try:
        return datetime.fromtimestamp(float(conversation.ttl), UTC) if conversation.ttl is not None else None
    except (ValueError, OverflowError, OSError):
        return None


def count_text(number: int) -> str:
    return f"{COUNT_LIMIT}+" if number >= COUNT_LIMIT else str(number)


@dataclass(frozen=True)
class FunnelRow:
    """A state: the conversations that are in it, and those that came at least as far."""

    state: ConversationState
    label: str
    here: str
    reached: str
    # Of the conversations that began, as the length of a bar of 100.
    length: str
    is_chosen: bool


def funnel_of(counts: Mapping[ConversationState, int], chosen: str) -> list[FunnelRow]:
    """Where conversations stop. Counts end at 100, so longer bars may be too short."""
    total, rows = sum(counts.values()), []
    for number, state in enumerate(ConversationState):
        later = [counts[each] for each in list(ConversationState)[number:]]
        is_bounded = any(each >= COUNT_LIMIT for each in later)
        length = str(100 * sum(later) // total) if total else "0"
        reached = f"{sum(later)}{'+' if is_bounded else ''}"
        label = str(STATES[state].label)
        rows.append(FunnelRow(state, label, count_text(counts[state]), reached, length, state == chosen))
    return rows


def collected_rows(conversation: Conversation) -> list[tuple[str, str]]:
    """The other values of both contexts, as they are stored. Secrets are masked."""
    rows = []
    for name in ("userContext", "context"):
        values = from_attribute(masked_value(name, conversation.raw.get(name, {"NULL": True})))
        if isinstance(values, dict):
            rows += [(key, _text(value)) for key, value in sorted(values.items()) if key not in _NAMED]
    return rows[:MAX_ROWS]


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= MAX_VALUE else f"{text[:MAX_VALUE]}…"
