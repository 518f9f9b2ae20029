"""Endpoints of conversations: what a bot needs to talk to customers, and to leave a conversation to a person."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from django.utils.translation import gettext_lazy as _

from bookings.api.bookings import checked_moment
from bookings.conversation_lines import expiry_of
from bookings.conversation_states import Author, ConversationState, VoiceState
from bookings.items import Conversation, ConversationMessage
from bookings.params import MAX_ID
from bookings.queries import conversations as queries
from bookings.queries.conversations import Thread
from bookings.services import conversations as services
from bookings.services.conversations import MAX_TEXT, Collected
from dashboard.platform.apikeys.calls import ApiCall
from dashboard.table.masking import masked_content
from dashboard.web.api.endpoints import Scope, endpoint
from dashboard.web.api.messages import Id, Input, Message, Moment, PageQuery, described
from dashboard.web.api.problems import declare_problem

PERSON_REPLIES = declare_problem("person_replies", 409, "A person replies in this conversation. Nothing was changed.")
CLOSED = declare_problem("conversation_closed", 409, "This conversation is closed until the customer writes again.")
TURN_PASSED = declare_problem("turn_passed", 409, "Somebody has replied since the turn that this reply answers.")

# What a bot may collect: enough for a booking, and far below the size of an item.
EntryName = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"^\w+$")]
EntryText = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
EntryNumber = Annotated[int, msgspec.Meta(ge=-(10**15), le=10**15)]
Entries = Annotated[dict[EntryName, EntryText | EntryNumber | bool], msgspec.Meta(max_length=40)]


class ConversationBody(Message):
    id: str
    state: Annotated[str | None, described("INIT to BOOKING_CONFIRMED, or what an outside writer stored.")]
    voice: Annotated[
        VoiceState, described("Who replies. The bot does not while a person does, or when the conversation is closed.")
    ]
    held_until: Annotated[
        Moment | None, described("A person replies until then, if they do not reply again. Afterwards the bot may.")
    ]
    turn: Annotated[int, described("The bot names it in its reply, so that it never replies beside a person.")]
    service_id: str | None
    provider_id: str | None
    slot_start: Moment | None
    slot_end: Moment | None
    booking_id: str | None
    user_context: dict[str, Any]
    context: dict[str, Any]
    created_at: Moment | None
    updated_at: Moment | None
    expires_at: Moment | None


class ConversationSummary(Message):
    id: str
    state: str | None
    voice: Annotated[str, described("Who replies, as far as the list knows: it may lag for a moment.")]
    service_id: str | None
    provider_id: str | None
    slot_start: Moment | None
    booking_id: str | None
    created_at: Moment | None
    updated_at: Moment | None
    expires_at: Moment | None


class ConversationPage(Message):
    conversations: list[ConversationSummary]
    next: str | None


class ConversationsQuery(PageQuery, frozen=True):
    voice: Annotated[VoiceState, described("Who replies.")] = VoiceState.BOT
    state: Annotated[
        Annotated[str, msgspec.Meta(max_length=MAX_ID)],
        described("INIT to BOOKING_CONFIRMED, or what an outside writer stored. Then `voice` is ignored."),
    ] = ""


class MessageBody(Message):
    id: str
    author: Author | None
    text: str | None
    by_name: Annotated[str | None, described("The name of the person who wrote it.")]
    at: Moment | None


class MessagePage(Message):
    messages: list[MessageBody]
    next: str | None


class NewMessageBody(Message):
    message: MessageBody
    turn: Annotated[int, described("The turn after the message.")]


class StateChange(Input, frozen=True):
    state: ConversationState
    service_id: Annotated[Id | None, described("Collected by the bot. A missing value keeps the stored one.")] = None
    provider_id: Id | None = None
    slot_start: Moment | None = None
    slot_end: Moment | None = None
    user_context: Annotated[Entries, described("Entries to set. The others stay.")] = {}
    context: Entries = {}


class NewMessage(Input, frozen=True):
    author: Literal["CUSTOMER", "BOT"]
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_TEXT)]
    turn: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=10**9)] | None,
        described("The turn that the bot answers. Without it, the bot's reply is only refused while a person replies."),
    ] = None


@endpoint("GET", "conversations", scope=Scope.CHAT, summary=_("Conversations, the latest first"))
def conversations(call: ApiCall, query: ConversationsQuery) -> ConversationPage:
    start_key, state = call.start_key(query, query.state or query.voice), query.state.strip()
    if state:
        found = queries.conversations_in_state(call.tenant, state, start_key, query.limit)
    else:
        found = queries.conversations_with_voice(call.tenant, query.voice, start_key, query.limit)
    cursor = call.cursor(found.next_start_key, query.state or query.voice)
    return ConversationPage([_summary(each) for each in found.items], cursor)


def _summary(found: Conversation) -> ConversationSummary:
    return ConversationSummary(
        id=found.id,
        state=found.progress,
        voice=found.voice_state,
        service_id=found.chosen_service or None,
        provider_id=found.chosen_provider or None,
        slot_start=found.chosen_start,
        booking_id=found.booked or None,
        created_at=found.created_at,
        updated_at=found.updated_at,
        expires_at=expiry_of(found),
    )


@endpoint(
    "GET",
    "conversations/<str:conversation>",
    scope=Scope.CHAT,
    has_etag=True,
    summary=_("A conversation, and who replies in it"),
)
def conversation(call: ApiCall, conversation: str) -> ConversationBody:
    return _answer(call, queries.load_thread(call.tenant, conversation))


@endpoint(
    "PUT",
    "conversations/<str:conversation>/state",
    scope=Scope.CHAT,
    has_etag=True,
    takes_revision=True,
    errors=(PERSON_REPLIES, CLOSED),
    cost=3,
    summary=_("Begin a conversation, or move it to another state"),
)
def put_conversation_state(call: ApiCall, conversation: str, body: StateChange) -> ConversationBody:
    for name, moment in (("slotStart", body.slot_start), ("slotEnd", body.slot_end)):
        if moment is not None:
            checked_moment(moment, name)
    collected = Collected(
        service_id=body.service_id,
        provider_id=body.provider_id,
        slot_start=body.slot_start,
        slot_end=body.slot_end,
        user_context=body.user_context,
        context=body.context,
    )
    services.put_state(
        call.tenant, conversation, body.state, collected, revision=call.known_revision, command=call.command
    )
    return _answer(call, queries.load_thread(call.tenant, conversation))


@endpoint(
    "GET",
    "conversations/<str:conversation>/messages",
    scope=Scope.CHAT,
    summary=_("Messages of a conversation, the newest first"),
)
def messages(call: ApiCall, conversation: str, query: PageQuery) -> MessagePage:
    found = queries.messages_of(call.tenant, conversation, call.start_key(query, conversation), query.limit)
    return MessagePage([_message(each) for each in found.items], call.cursor(found.next_start_key, conversation))


@endpoint(
    "POST",
    "conversations/<str:conversation>/messages",
    scope=Scope.CHAT,
    status=201,
    errors=(PERSON_REPLIES, CLOSED, TURN_PASSED),
    cost=2,
    summary=_("Add a message of the customer or of the bot"),
)
def append_message(call: ApiCall, conversation: str, body: NewMessage) -> NewMessageBody:
    added = services.append_message(
        call.tenant, conversation, Author(body.author), body.text, turn=body.turn, command=call.command
    )
    return NewMessageBody(_message(added), added.outcome.result["turn"])


def _answer(call: ApiCall, thread: Thread) -> ConversationBody:
    found, voice = thread.conversation, thread.voice
    call.answer_revision = found.revision
    return ConversationBody(
        id=found.id,
        state=found.progress,
        voice=voice.state,
        held_until=voice.held_until if voice.holder else None,
        turn=voice.turn,
        service_id=found.chosen_service or None,
        provider_id=found.chosen_provider or None,
        slot_start=found.chosen_start,
        slot_end=found.slot_end,
        booking_id=found.booked or None,
        user_context=masked_content(found.user_context or {}),
        context=masked_content(found.context or {}),
        created_at=found.created_at,
        updated_at=found.updated_at,
        expires_at=expiry_of(found),
    )


def _message(found: ConversationMessage) -> MessageBody:
    author = Author(found.author) if found.author in set(Author) else None
    return MessageBody(found.id, author, found.text, found.by_name, found.created_at)
