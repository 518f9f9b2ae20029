"""Writes to conversations: states, messages, the lease, and the booking."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bookings.conversation_states import STATE_OF_STEP, TRANSITIONS, Author, ConversationState, VoiceState, classify
from bookings.errors import ConversationClosed, PersonReplies, TurnPassed
from bookings.items import Conversation
from bookings.queries.conversations import (
    conversations_in_state,
    conversations_with_voice,
    load_thread,
    messages_of,
)
from bookings.queries.history import history_of
from bookings.services import bookings
from bookings.services import conversations as services
from bookings.services.conversations import LEASE, Collected
from dashboard.core.clock import frozen, now
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.table import keys, read
from dashboard.table.commands import Actor, new_command
from tests.bookings.bookable_business import BUSINESS, at, customer, provider, put, service, working_hours
from tests.bookings.conversations import BOT, TO_SLOT, begin, put_outside, say, take_over, turn_of
from tests.conftest import ACTOR, every_engine

COLLEAGUE = Actor("bruno@example.com", "Bruno Díaz")


def texts(conversation: str = "conv-1") -> list[tuple[str | None, str | None]]:
    return [(each.author, each.text) for each in messages_of(BUSINESS, conversation).items]


def voice_state(conversation: str = "conv-1") -> str:
    return load_thread(BUSINESS, conversation).voice.state.value


# --- States --------------------------------------------------------------------------------------
@every_engine
def test_a_bot_moves_a_conversation_through_every_state(table: str) -> None:
    rest = (
        ConversationState.CONFIRM_PENDING,
        ConversationState.BOOKING_CONFIRMED,
        ConversationState.SERVICE_PENDING,
        ConversationState.PROVIDER_PENDING,
    )
    made = begin("conv-1", *TO_SLOT, *rest, service_id="masaje", user_context={"name": "Juan Pérez"})
    assert (made.state, made.service_id, made.revision) == ("PROVIDER_PENDING", "masaje", 10)
    found = conversations_in_state(BUSINESS, "PROVIDER_PENDING").items
    assert [(each.id, each.title) for each in found] == [("conv-1", "Juan Pérez")]
    assert not conversations_in_state(BUSINESS, "INIT").items


@pytest.mark.parametrize("before", ConversationState)
def test_undeclared_transitions_are_refused(table: str, before: ConversationState) -> None:
    put_outside("conv-1", state=before.value, updatedAt="2026-05-10T12:00:00.654321+00:00")
    for after in set(ConversationState) - TRANSITIONS[before] - {before}:
        with pytest.raises(Refused) as refused:
            services.put_state(BUSINESS, "conv-1", after, Collected(), command=new_command(BOT))
        assert refused.value.field == "state"
    assert load_thread(BUSINESS, "conv-1").conversation.state == before.value


def test_a_new_conversation_cannot_begin_in_the_middle(table: str) -> None:
    with pytest.raises(Refused):
        services.put_state(BUSINESS, "conv-1", ConversationState.CONFIRM_PENDING, Collected(), command=new_command(BOT))
    with pytest.raises(NotFound):
        load_thread(BUSINESS, "conv-1")


def test_a_state_of_an_outside_writer_stays_as_stored_and_can_be_left(table: str) -> None:
    put_outside("conv-1", state="WAITING_PAYMENT", createdAt="2026-05-10T12:00:00+00:00", extra={"a": 1})
    assert load_thread(BUSINESS, "conv-1").conversation.progress == "WAITING_PAYMENT"
    services.put_state(BUSINESS, "conv-1", ConversationState.SLOT_PENDING, Collected(), command=new_command(BOT))
    raw = read.raw_item(keys.CONVERSATION.key(tenant=BUSINESS, conversation="conv-1"))
    assert raw is not None and raw["state"] == {"S": "SLOT_PENDING"} and raw["extra"] == {"M": {"a": {"N": "1"}}}


@pytest.mark.parametrize(("step", "state"), STATE_OF_STEP.items())
def test_the_step_of_the_workflow_classifies_a_conversation_that_stays_init(
    step: str, state: ConversationState
) -> None:
    assert classify("INIT", step) == state
    assert classify("INIT", "an edited flow") == "INIT"
    assert classify("SERVICE_PENDING", step) == "SERVICE_PENDING"
    assert classify(None, step) is None


def test_a_conversation_of_a_workflow_goes_on_from_its_step(table: str) -> None:
    put_outside("conv-1", state="INIT", currentStepId="select_timeslot", updatedAt="2026-05-10T12:00:00+00:00")
    with pytest.raises(Refused):
        services.put_state(BUSINESS, "conv-1", ConversationState.SERVICE_PENDING, Collected(), command=new_command(BOT))
    services.put_state(BUSINESS, "conv-1", ConversationState.CONFIRM_PENDING, Collected(), command=new_command(BOT))
    assert [each.id for each in conversations_in_state(BUSINESS, "CONFIRM_PENDING").items] == ["conv-1"]


def test_a_state_is_put_at_the_revision_that_was_read(table: str) -> None:
    begin()
    change: dict[str, Any] = {"revision": 1, "command": new_command(BOT)}
    first = services.put_state(BUSINESS, "conv-1", ConversationState.SERVICE_PENDING, Collected(), **change)
    again = services.put_state(BUSINESS, "conv-1", ConversationState.SERVICE_PENDING, Collected(), **change)
    assert (first.revision, again.revision) == (2, 2)
    with pytest.raises(Conflict) as conflict:
        services.put_state(
            BUSINESS, "conv-1", ConversationState.SERVICE_PENDING, Collected(), revision=1, command=new_command(BOT)
        )
    assert isinstance(conflict.value.item, Conversation)


def test_what_was_collected_is_kept_and_merged(table: str) -> None:
    begin(user_context={"name": "Juan", "userId": "u1"}, context={"clientEmail": "juan@example.com"})
    more = Collected(provider_id="maria", slot_start=at(10), user_context={"name": "Juan Pérez"})
    made = services.put_state(BUSINESS, "conv-1", ConversationState.SERVICE_PENDING, more, command=new_command(BOT))
    assert made.user_context == {"name": "Juan Pérez", "userId": "u1"}
    assert (made.customer_email, made.chosen_provider, made.chosen_start) == ("juan@example.com", "maria", at(10))


@pytest.mark.parametrize("slot", ["2026-12-01T10:00:00-03:00", {"start": "2026-12-01T13:00:00Z", "end": "x"}])
def test_the_context_of_the_booking_service_is_read(table: str, slot: Any) -> None:
    context = {"serviceId": "svc_1", "selectedSlot": slot, "clientFirstName": "Ana", "clientLastName": "Ruiz"}
    put_outside("conv-1", state="INIT", context=context, userContext=None)
    found = load_thread(BUSINESS, "conv-1").conversation
    assert (found.chosen_service, found.title) == ("svc_1", "Ana Ruiz")
    assert found.chosen_start is not None and found.chosen_start.isoformat() == "2026-12-01T13:00:00+00:00"


# --- Messages and the lease ----------------------------------------------------------------------
@every_engine
def test_the_bot_replies_until_a_person_takes_over_and_again_after_they_hand_back(table: str) -> None:
    begin()
    say("Hola")
    say("¿Qué servicio?", Author.BOT)
    assert voice_state() == VoiceState.BOT
    take_over()
    assert voice_state() == VoiceState.WAITING
    with pytest.raises(PersonReplies):
        say("¿Sigues ahí?", Author.BOT)
    with pytest.raises(PersonReplies):
        services.put_state(BUSINESS, "conv-1", ConversationState.SERVICE_PENDING, Collected(), command=new_command(BOT))
    services.reply(BUSINESS, "conv-1", "Soy Alma", command=new_command(ACTOR))
    assert voice_state() == VoiceState.PERSON
    say("Gracias")
    assert [each.id for each in conversations_with_voice(BUSINESS, VoiceState.WAITING).items] == ["conv-1"]
    services.hand_back(BUSINESS, "conv-1", turn=turn_of(), command=new_command(ACTOR))
    say("De nada", Author.BOT)
    expected = [("BOT", "De nada"), ("CUSTOMER", "Gracias"), ("PERSON", "Soy Alma"), ("BOT", "¿Qué servicio?")]
    assert texts() == [*expected, ("CUSTOMER", "Hola")]
    entries = [each.action for each in history_of(BUSINESS, "conversation", "conv-1")]
    assert entries == ["conversation.hand_back", "conversation.reply", "conversation.take_over"]


def test_a_person_cannot_take_over_a_turn_that_has_passed(table: str) -> None:
    begin()
    seen = turn_of()
    say("¿Qué servicio?", Author.BOT, turn=seen)
    with pytest.raises(TurnPassed):
        take_over(turn=seen)
    with pytest.raises(TurnPassed):
        say("¿Qué servicio?", Author.BOT, turn=seen)
    say("Masaje")  # The customer's message passes no turn.
    take_over(turn=seen + 1)


def test_a_colleague_takes_over_but_does_not_reply_in_between(table: str) -> None:
    begin()
    take_over()
    with pytest.raises(PersonReplies, match="Alma Ríos"):
        services.reply(BUSINESS, "conv-1", "Hola", command=new_command(COLLEAGUE))
    take_over(by=COLLEAGUE)
    services.reply(BUSINESS, "conv-1", "Hola", command=new_command(COLLEAGUE))
    with pytest.raises(PersonReplies, match="Bruno Díaz"):
        services.reply(BUSINESS, "conv-1", "Hola", command=new_command(ACTOR))


def test_a_lease_that_nobody_uses_ends(table: str) -> None:
    begin()
    take_over()
    with frozen(now() + LEASE + timedelta(seconds=1)):
        say("¿Sigues ahí?", Author.BOT)
        assert voice_state() == VoiceState.BOT
        with pytest.raises(Refused):
            services.reply(BUSINESS, "conv-1", "Hola", command=new_command(ACTOR))


def test_a_reply_renews_the_lease(table: str) -> None:
    begin()
    take_over()
    with frozen(now() + LEASE - timedelta(minutes=1)):
        services.reply(BUSINESS, "conv-1", "Hola", command=new_command(ACTOR))
    with frozen(now() + LEASE + timedelta(minutes=5)), pytest.raises(PersonReplies):
        say("¿Sigues ahí?", Author.BOT)


def test_a_closed_conversation_opens_with_the_next_message_of_the_customer(table: str) -> None:
    begin()
    take_over()
    services.close(BUSINESS, "conv-1", turn=turn_of(), command=new_command(ACTOR))
    assert [each.id for each in conversations_with_voice(BUSINESS, VoiceState.CLOSED).items] == ["conv-1"]
    with pytest.raises(ConversationClosed):
        say("¿Algo más?", Author.BOT)
    with pytest.raises(ConversationClosed):
        services.reply(BUSINESS, "conv-1", "Hola", command=new_command(ACTOR))
    say("Una pregunta")
    assert voice_state() == VoiceState.BOT
    services.close(BUSINESS, "conv-1", turn=turn_of(), command=new_command(ACTOR))
    services.reopen(BUSINESS, "conv-1", turn=turn_of(), command=new_command(ACTOR))
    say("¿Algo más?", Author.BOT)


def test_each_command_is_executed_once(table: str) -> None:
    begin()
    message, lease = new_command(BOT), new_command(ACTOR)
    for _ in range(2):
        services.append_message(BUSINESS, "conv-1", Author.BOT, "Hola", turn=0, command=message)
    for _ in range(2):
        services.take_over(BUSINESS, "conv-1", turn=1, command=lease)
    assert texts() == [("BOT", "Hola")] and turn_of() == 2


@pytest.mark.parametrize("text", ["", "  \n ", "a" * 4001])
def test_invalid_texts_are_refused(table: str, text: str) -> None:
    begin()
    with pytest.raises(Refused):
        say(text)
    assert not texts()


def test_an_id_that_no_key_can_contain_is_refused(table: str) -> None:
    with pytest.raises(Refused):
        begin("a#b")


def test_a_message_needs_its_conversation(table: str) -> None:
    with pytest.raises(NotFound):
        say("Hola", conversation="conv-9")
    with pytest.raises(NotFound):
        say("Hola", conversation="a#b")


# --- Bookings ------------------------------------------------------------------------------------
def book(hour: int, **options: Any) -> Any:
    values: dict[str, Any] = {"conversation_id": "conv-1", "command": new_command(ACTOR)} | options
    return bookings.create(BUSINESS, "masaje", "maria", at(hour), "juan", **values)


@every_engine
def test_a_booking_ends_its_conversation_in_one_transaction(table: str) -> None:
    put(service(), provider(), customer(), *working_hours())
    begin("conv-1", ConversationState.SERVICE_PENDING)
    command = new_command(ACTOR)
    made = book(10, command=command)
    assert book(10, command=command).id == made.id
    found = load_thread(BUSINESS, "conv-1").conversation
    assert (found.state, found.booking_id, found.slot_start) == ("BOOKING_CONFIRMED", made.id, at(10))
    assert made.conversation_id == "conv-1"
    with pytest.raises(Refused):
        book(12)
    bookings.cancel(BUSINESS, made.id, revision=made.revision, reason="", command=new_command(ACTOR))
    assert load_thread(BUSINESS, "conv-1").conversation.booking_id == made.id
    assert book(12).conversation_id == "conv-1"


@every_engine
def test_a_booking_with_a_new_customer_across_midnight_fits_into_one_transaction(table: str) -> None:
    put(service(minutes=120), provider(), *working_hours())
    begin()
    values = {"name": "Ana Ruiz", "email": "ana@example.com", "phone": ""}
    made = bookings.create(
        BUSINESS,
        "masaje",
        "maria",
        at(23),
        "",
        new_customer=values,
        conversation_id="conv-1",
        command=new_command(ACTOR),
    )
    assert load_thread(BUSINESS, "conv-1").conversation.booking_id == made.id
