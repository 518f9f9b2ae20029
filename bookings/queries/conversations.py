"""Queries for conversations and their messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bookings.items import Conversation, ConversationMessage, Voice
from dashboard.core.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

PAGE = 25
# The newest messages that a page shows.
MESSAGES = 100


@dataclass(frozen=True)
class Thread:
    """A conversation and who replies in it."""

    conversation: Conversation
    voice: Voice


@access_pattern("In which state is this conversation, and who replies in it?", keys.CONVERSATION, keys.VOICE)
def find_thread(business: str, conversation_id: str) -> Thread | None:
    """Consistent, in one call. A conversation without a lease is the bot's."""
    parts = {"tenant": business, "conversation": conversation_id}
    try:
        wanted = [keys.CONVERSATION.key(**parts), keys.VOICE.key(**parts)]
    except BadKey:
        return None
    conversation, voice = read.get_many(wanted)
    if not isinstance(conversation, Conversation):
        return None
    return Thread(conversation, voice if isinstance(voice, Voice) else Voice.new(**parts))


def load_thread(business: str, conversation_id: str) -> Thread:
    thread = find_thread(business, conversation_id)
    if thread is None:
        raise NotFound
    return thread


@access_pattern("What was said in this conversation, the newest message first?", keys.CONVERSATION_MESSAGE)
def messages_of(
    business: str, conversation_id: str, start_key: Any = None, limit: int = MESSAGES
) -> read.Page[ConversationMessage]:
    try:
        collection = keys.CONVERSATION_MESSAGE.collection(tenant=business, conversation=conversation_id)
    except BadKey:
        return read.Page([])
    return read.page(
        collection, ConversationMessage, limit=limit, start_key=start_key, newest_first=True, consistent=True
    )


@access_pattern("Which conversations of this business are in this state, latest first?", keys.CONVERSATIONS_BY_STATE)
def conversations_in_state(
    business: str, state: str, start_key: Any = None, limit: int = PAGE
) -> read.Page[Conversation]:
    try:
        collection = keys.CONVERSATIONS_BY_STATE.collection(tenant=business, state=state)
    except BadKey:
        return read.Page([])
    options = _list_options(start_key, limit)
    return read.page(collection, Conversation, newest_first=True, **options)


@access_pattern("In which conversations does the bot reply, or a person?", keys.CONVERSATIONS_BY_VOICE)
def conversations_with_voice(
    business: str, voice: str, start_key: Any = None, limit: int = PAGE, *, newest_first: bool = True
) -> read.Page[Conversation]:
    collection = keys.CONVERSATIONS_BY_VOICE.collection(tenant=business, voice=voice)
    options = _list_options(start_key, limit)
    return read.page(collection, Conversation, newest_first=newest_first, **options)


def _list_options(start_key: Any, limit: int) -> dict[str, Any]:
    return {"limit": limit, "start_key": start_key, "attributes": Conversation.IN_LISTS}


@access_pattern("How many conversations of this business are in this state?", keys.CONVERSATIONS_BY_STATE)
def count_in_state(business: str, state: str) -> int:
    return read.count(keys.CONVERSATIONS_BY_STATE.collection(tenant=business, state=state))


@access_pattern("In how many conversations does the bot reply, or a person?", keys.CONVERSATIONS_BY_VOICE)
def count_with_voice(business: str, voice: str) -> int:
    return read.count(keys.CONVERSATIONS_BY_VOICE.collection(tenant=business, voice=voice))
