"""The list of conversations: by who replies, by state, and where they stop."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from bookings.conversation_lines import ConversationLine, count_text, funnel_of
from bookings.conversation_states import STATES, VOICE_STATES, ConversationState, VoiceState
from bookings.params import MAX_ID
from bookings.permissions import Permission
from bookings.presenters import DisplayNames
from bookings.queries import conversations as queries
from bookings.queries.calendar import load_catalog_with
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import Page
from dashboard.web.lists import Tab, list_page
from dashboard.web.locale import zone

# The order of the tabs. The first is shown without a parameter.
TABS = (VoiceState.WAITING, VoiceState.PERSON, VoiceState.BOT, VoiceState.CLOSED)


@requires(Permission.CONVERSATIONS)
@require_safe
def conversations(request: Request, business: str) -> HttpResponse:
    state, shown = request.GET.get("state", "")[:MAX_ID].strip(), request.GET.get("show", "")
    voice = VoiceState(shown) if shown in set(VoiceState) else TABS[0]

    def load(start_key: Any) -> tuple[Page[ConversationLine], dict[str, Any]]:
        def find() -> Page[Any]:
            if state:
                return queries.conversations_in_state(business, state, start_key)
            # Who has waited longest comes first.
            is_newest_first = voice != VoiceState.WAITING
            return queries.conversations_with_voice(business, voice, start_key, newest_first=is_newest_first)

        # Further rows need no counts.
        counts = [] if start_key else _counts(business)
        providers, services, (found, *numbers) = load_catalog_with(business, find, *counts, consistent=False)
        names = DisplayNames.of(services, providers)
        moment, business_zone = now(), zone(request.business.timezone)
        rows = [ConversationLine(each, names, business_zone, moment) for each in found.items]
        context = {"state": state, "state_label": _state_label(state), "voice": voice}
        return found.with_rows(rows), context | _overview(request, numbers, voice, state)

    return list_page(
        request,
        "bookings/conversations.html",
        load,
        cursor_scope=("conversations", business, state or voice.value),
        filters=["state"],
    )


def _counts(business: str) -> list[Any]:
    by_voice = [partial(queries.count_with_voice, business, each.value) for each in TABS]
    return [*by_voice, *(partial(queries.count_in_state, business, each.value) for each in ConversationState)]


def _overview(request: Request, numbers: list[int], voice: VoiceState, state: str) -> dict[str, Any]:
    """The tabs and the funnel with their counts."""
    if not numbers:
        return {}
    by_voice, by_state = numbers[: len(TABS)], dict(zip(ConversationState, numbers[len(TABS) :], strict=True))
    tabs = [
        Tab(
            str(VOICE_STATES[each].label),
            f"{request.path}?show={each.value}" if number else request.path,
            not state and each == voice,
            count_text(by_voice[number]),
        )
        for number, each in enumerate(TABS)
    ]
    is_empty = not any(numbers)
    return {"tabs": tabs, "funnel": funnel_of(by_state, state), "is_empty": is_empty}


def _state_label(state: str) -> str:
    spec = STATES.get(state)
    return str(spec.label) if spec is not None else _("State: %(state)s") % {"state": state}
