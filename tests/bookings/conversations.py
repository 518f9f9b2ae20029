"""Creates conversations for tests, also as the booking service writes them."""

from __future__ import annotations

from typing import Any

from bookings.conversation_states import Author, ConversationState
from bookings.items import Conversation, ConversationMessage
from bookings.queries.conversations import load_thread
from bookings.services import conversations as services
from bookings.services.conversations import Collected
from dashboard.table import keys
from dashboard.table.commands import Actor, new_command
from tests.bookings.bookable_business import BUSINESS, put_raw
from tests.conftest import ACTOR

CONVERSATIONS = f"/b/{BUSINESS}/conversations/"
BOT = Actor("key:chat", "Chat")
TO_SLOT = (
    *(ConversationState.SERVICE_PENDING, ConversationState.SERVICE_SELECTED, ConversationState.PROVIDER_PENDING),
    *(ConversationState.PROVIDER_SELECTED, ConversationState.SLOT_PENDING),
)


def begin(
    conversation: str = "conv-1", *states: ConversationState, business: str = BUSINESS, **collected: Any
) -> Conversation:
    """A conversation that the bot has brought through these states."""
    made = services.put_state(
        business, conversation, ConversationState.INIT, Collected(**collected), command=new_command(BOT)
    )
    for state in states:
        made = services.put_state(business, conversation, state, Collected(), command=new_command(BOT))
    return made


def say(
    text: str, author: Author = Author.CUSTOMER, conversation: str = "conv-1", business: str = BUSINESS, **more: Any
) -> ConversationMessage:
    return services.append_message(business, conversation, author, text, command=new_command(BOT), **more)


def take_over(conversation: str = "conv-1", by: Actor = ACTOR, *, turn: int | None = None) -> Any:
    seen = turn_of(conversation) if turn is None else turn
    return services.take_over(BUSINESS, conversation, turn=seen, command=new_command(by))


def turn_of(conversation: str = "conv-1") -> int:
    return load_thread(BUSINESS, conversation).voice.turn


def put_outside(conversation: str, **values: Any) -> None:
    """A conversation as the booking service puts it: the whole item."""
    put_raw(*keys.CONVERSATION.key(tenant=BUSINESS, conversation=conversation), **values)
