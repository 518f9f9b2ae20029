"""Writes to conversations: their state, their messages, and who replies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from bookings.conversation_states import Author, ConversationState, ensure_transition
from bookings.errors import ConversationClosed, PersonReplies, TurnPassed
from bookings.items import Conversation, ConversationMessage, Voice
from bookings.queries.conversations import Thread, find_thread, load_thread
from bookings.queries.history import target_of
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, NotFound, Refused, StaleRevision
from dashboard.core.ids import new_id
from dashboard.platform.audit.services import record
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.keypattern import BadKey
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent, report_unchanged

# A person who neither replies nor hands back loses the lease after this time, and the bot may reply again.
LEASE = timedelta(minutes=30)
# A conversation that this product created expires this long after the last message.
RETENTION = timedelta(days=90)
MAX_TEXT = 4000
KIND = "conversation"
NOT_TAKEN_OVER = _("Take over the conversation before you reply.")
# The attributes that the index keys of a conversation are made of. Outside writers change them too.
_INDEXED = ("state", "currentStepId", "updatedAt", "createdAt")


@dataclass(frozen=True)
class Collected:
    """What a conversation has collected so far. A missing value keeps the stored one."""

    service_id: str | None = None
    provider_id: str | None = None
    slot_start: datetime | None = None
    slot_end: datetime | None = None
    booking_id: str | None = None
    # Entries to set in the context of the user and of the conversation.
    user_context: Mapping[str, Any] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)

    def apply(self, conversation: Conversation) -> None:
        for name in ("service_id", "provider_id", "slot_start", "slot_end", "booking_id"):
            value = getattr(self, name)
            if value is not None:
                setattr(conversation, name, value)
        for name in ("user_context", "context"):
            if getattr(self, name):
                setattr(conversation, name, {**(getattr(conversation, name) or {}), **getattr(self, name)})


# --- The bot and the customer --------------------------------------------------------------------
@idempotent
def put_state(
    business: str,
    conversation_id: str,
    state: ConversationState,
    collected: Collected,
    *,
    revision: int | None = None,
    command: Command,
) -> Conversation:
    """Move a conversation to a state, and begin it if it is new. Only while the bot replies.

    Without a `revision`, the change applies to the conversation as it is now.
    """

    def attempt() -> Conversation:
        return _try_put_state(business, conversation_id, state, collected, revision, command)

    return attempt() if revision is not None else retry_on(StaleRevision, attempt)


def _try_put_state(
    business: str,
    conversation_id: str,
    state: ConversationState,
    collected: Collected,
    revision: int | None,
    command: Command,
) -> Conversation:
    thread, moment = find_thread(business, conversation_id), now()
    transaction = Transaction(command)
    if thread is None:
        if revision is not None:
            raise Conflict
        ensure_transition(None, state)
        conversation = _new_conversation(business, conversation_id)
        conversation.ttl = int((moment + RETENTION).timestamp())
        conversation.updated_at = moment
        conversation.state = state.value
        collected.apply(conversation)
        transaction.create(conversation, on_failure=StaleRevision)
        return transaction.commit(conversation)
    conversation = thread.conversation
    _ensure_bot_replies(thread.voice, moment)
    ensure_transition(conversation.progress, state)
    unchanged = conversation.unchanged(*_INDEXED)
    conversation.state, conversation.updated_at = state.value, moment
    collected.apply(conversation)
    _prolong(conversation, moment)
    seen = conversation.revision if revision is None else revision
    options: dict[str, Any] = {} if revision is not None else {"on_failure": StaleRevision}
    transaction.save(conversation, revision=seen, condition=unchanged, **options)
    transaction.check(thread.voice.key, _is_at_bot(moment), lambda _current: PersonReplies())
    return transaction.commit(conversation)


@idempotent
def append_message(
    business: str, conversation_id: str, author: Author, text: str, *, turn: int | None = None, command: Command
) -> ConversationMessage:
    """Add a message of the customer or of the bot. The bot is refused while a person replies.

    `turn` is the turn that the bot answers: if anybody has replied since, its reply is refused.
    """
    message = _new_message(business, conversation_id, author, text)

    def decide(thread: Thread, moment: datetime) -> None:
        voice = thread.voice
        if author == Author.CUSTOMER:
            if voice.closed_at is not None:
                voice.closed_at, voice.holder, voice.holder_name, voice.held_until = None, None, None, None
            if voice.holder is not None:
                voice.waiting_since = voice.waiting_since or moment
            return
        _ensure_bot_replies(voice, moment)
        _ensure_turn(voice, turn)
        _give_to_bot(voice)
        voice.stored_turn = voice.turn + 1

    return _write(business, conversation_id, decide, command, message=message)


# --- People --------------------------------------------------------------------------------------
@idempotent
def take_over(business: str, conversation_id: str, *, turn: int, command: Command) -> Voice:
    """A person replies from now on. Refused if somebody has replied since the turn that the person saw."""

    def decide(thread: Thread, moment: datetime) -> None:
        voice = thread.voice
        _ensure_open(voice)
        _ensure_turn(voice, turn)
        was_held = voice.holder is not None
        _hold(voice, command, moment)
        if not was_held:
            voice.waiting_since = moment
        voice.stored_turn = voice.turn + 1

    return _write_voice(business, conversation_id, decide, command, "take_over")


@idempotent
def reply(business: str, conversation_id: str, text: str, *, command: Command) -> ConversationMessage:
    """Add a message of the person who has taken over, and renew their lease."""
    message = _new_message(business, conversation_id, Author.PERSON, text)
    message.by, message.by_name = command.by.email, command.by.name or None

    def decide(thread: Thread, moment: datetime) -> None:
        voice = thread.voice
        _ensure_open(voice)
        if voice.holder != command.by.email:
            raise PersonReplies(voice) if voice.is_held(moment) else Refused(NOT_TAKEN_OVER, field="text")
        _hold(voice, command, moment)
        voice.waiting_since = None
        voice.stored_turn = voice.turn + 1

    return _write(business, conversation_id, decide, command, message=message, action="reply")


@idempotent
def hand_back(business: str, conversation_id: str, *, turn: int, command: Command) -> Voice:
    """The bot replies from now on."""

    def decide(thread: Thread, moment: datetime) -> None:
        _ensure_open(thread.voice)
        _ensure_turn(thread.voice, turn)
        _give_to_bot(thread.voice)
        thread.voice.stored_turn = thread.voice.turn + 1

    return _write_voice(business, conversation_id, decide, command, "hand_back")


@idempotent
def close(business: str, conversation_id: str, *, turn: int, command: Command) -> Voice:
    """Nobody replies any more. A new message of the customer opens the conversation again."""

    def decide(thread: Thread, moment: datetime) -> None:
        _ensure_turn(thread.voice, turn)
        _give_to_bot(thread.voice)
        thread.voice.closed_at = moment
        thread.voice.stored_turn = thread.voice.turn + 1

    return _write_voice(business, conversation_id, decide, command, "close")


@idempotent
def reopen(business: str, conversation_id: str, *, turn: int, command: Command) -> Voice:
    """The bot replies again in a closed conversation."""

    def decide(thread: Thread, moment: datetime) -> None:
        _ensure_turn(thread.voice, turn)
        thread.voice.closed_at = None
        thread.voice.stored_turn = thread.voice.turn + 1

    return _write_voice(business, conversation_id, decide, command, "reopen")


# --- The write that all share --------------------------------------------------------------------
Decide = Callable[[Thread, datetime], None]


def _write_voice(business: str, conversation_id: str, decide: Decide, command: Command, action: str) -> Voice:
    def attempt() -> Voice:
        thread = load_thread(business, conversation_id)
        before = thread.voice.state, thread.voice.holder
        decide(thread, now())
        if (thread.voice.state, thread.voice.holder) == before and thread.voice.revision:
            return report_unchanged(thread.voice, {}, command)
        transaction = _transaction(business, thread, command, action)
        return transaction.commit(thread.voice)

    return retry_on(StaleRevision, attempt)


def _write(
    business: str,
    conversation_id: str,
    decide: Decide,
    command: Command,
    *,
    message: ConversationMessage,
    action: str = "",
) -> ConversationMessage:
    def attempt() -> ConversationMessage:
        thread = load_thread(business, conversation_id)
        decide(thread, now())
        transaction = _transaction(business, thread, command, action)
        message.ttl = thread.conversation.ttl
        transaction.create(message, on_failure=StaleRevision)
        return transaction.commit(message, {"turn": thread.voice.turn})

    return retry_on(StaleRevision, attempt)


def _transaction(business: str, thread: Thread, command: Command, action: str) -> Transaction:
    """The lease, whose revision orders all writes to a conversation, and its copy for lists."""
    conversation, voice, moment = thread.conversation, thread.voice, now()
    transaction = Transaction(command)
    condition = cast(Condition, Item.pk.exists() & conversation.unchanged(*_INDEXED))
    conversation.voice, conversation.updated_at = voice.state.value, moment
    _prolong(conversation, moment)
    voice.ttl = conversation.ttl
    if voice.revision:
        transaction.save(voice, revision=voice.revision, on_failure=StaleRevision)
    else:
        transaction.create(voice, on_failure=StaleRevision)
    transaction.save_unversioned(conversation, condition, StaleRevision)
    if action:
        target = target_of(KIND, conversation.id)
        record(transaction, f"{KIND}.{action}", target=target, kind=KIND, title=conversation.title, business=business)
    return transaction


def _new_conversation(business: str, conversation_id: str) -> Conversation:
    try:
        return Conversation.new(tenant=business, conversation=conversation_id)
    except BadKey as error:
        raise Refused(_("This cannot be the id of a conversation."), field="conversation") from error


def _new_message(business: str, conversation_id: str, author: Author, text: str) -> ConversationMessage:
    text = text.strip()
    if not text:
        raise Refused(_("Write a message."), field="text")
    if len(text) > MAX_TEXT:
        raise Refused(_("A message has at most %(n)s characters.") % {"n": MAX_TEXT}, field="text")
    try:
        message = ConversationMessage.new(tenant=business, conversation=conversation_id, at=now(), id=new_id())
    except BadKey as error:
        raise NotFound from error
    message.author, message.text = author.value, text
    return message


def _prolong(conversation: Conversation, moment: datetime) -> None:
    """Keep it for a while after each message. One that its writer never expires still does not expire."""
    if conversation.ttl is not None:
        conversation.ttl = max(int(conversation.ttl), int((moment + RETENTION).timestamp()))


def _hold(voice: Voice, command: Command, moment: datetime) -> None:
    voice.holder, voice.holder_name = command.by.email, command.by.name or None
    voice.held_until = moment + LEASE


def _give_to_bot(voice: Voice) -> None:
    voice.holder = voice.holder_name = voice.held_until = voice.waiting_since = None


def _ensure_open(voice: Voice) -> None:
    if voice.closed_at is not None:
        raise ConversationClosed(voice)


def _ensure_bot_replies(voice: Voice, moment: datetime) -> None:
    _ensure_open(voice)
    if voice.is_held(moment):
        raise PersonReplies(voice)


def _ensure_turn(voice: Voice, turn: int | None) -> None:
    if turn is not None and turn != voice.turn:
        raise TurnPassed(voice)


def _is_at_bot(moment: datetime) -> Condition:
    """No person holds the lease, and nobody has closed the conversation."""
    is_not_held = Voice.holder.does_not_exist() | (Voice.held_until <= moment)
    return cast(Condition, Voice.closed_at.does_not_exist() & is_not_held)
