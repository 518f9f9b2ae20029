"""Conversations of the last days: in every state, with the bot, with a person, waiting and closed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from bookings.conversation_states import Author, ConversationState
from bookings.items import Provider, Service
from bookings.queries.conversations import find_thread, load_thread
from bookings.queries.providers import providers_of
from bookings.queries.services import services_of
from bookings.services import conversations
from bookings.services.conversations import Collected
from dashboard.core.clock import frozen, now
from dashboard.core.ids import predictable
from dashboard.platform.businesses.queries import find_business
from dashboard.platform.demos.logins import DOMAIN
from dashboard.table.commands import Actor, Command

BUSINESS = "andina"
OWNER = Actor(f"owner@{DOMAIN}", "Olivia Andrade")
BOT = Actor("chat", "Chat")
_STATES = list(ConversationState)


@dataclass(frozen=True)
class _Dialogue:
    """A conversation: how far it came, and when the customer wrote last."""

    name: str
    state: ConversationState
    minutes_ago: int
    customer: tuple[str, ...]
    # What a person does: nothing, "take" over, also "reply", or "close".
    person: str = ""


_DIALOGUES = (
    _Dialogue(
        "Valentina Rojas",
        ConversationState.SLOT_PENDING,
        12,
        ("Hola, quiero un masaje", "¿Tienen hora el sábado?"),
        "take",
    ),
    _Dialogue("Matías Fuentes", ConversationState.SERVICE_PENDING, 34, ("¿Atienden a embarazadas?",), "take"),
    _Dialogue("Camila Soto", ConversationState.PROVIDER_PENDING, 18, ("Con María, por favor",), "reply"),
    _Dialogue("Ignacio Vera", ConversationState.CONFIRM_PENDING, 4, ("Sí, a las 10", "¿Puedo pagar con tarjeta?")),
    _Dialogue("", ConversationState.INIT, 9, ("Hola",)),
    _Dialogue("Josefa Muñoz", ConversationState.SERVICE_PENDING, 200, ("¿Qué servicios tienen?",)),
    _Dialogue("Benjamín Araya", ConversationState.SERVICE_SELECTED, 1500, ("El masaje de 60 minutos",)),
    _Dialogue("Antonia Reyes", ConversationState.SLOT_PENDING, 2900, ("¿Y el domingo?",)),
    _Dialogue("Tomás Castro", ConversationState.PROVIDER_SELECTED, 4100, ("Con cualquiera",)),
    _Dialogue("Florencia Díaz", ConversationState.SERVICE_PENDING, 5200, ("Gracias, lo pienso",), "close"),
)
_QUESTIONS = {
    ConversationState.INIT: "Hola, soy el asistente. ¿Te ayudo a reservar?",
    ConversationState.SERVICE_PENDING: "¿Qué servicio quieres reservar?",
    ConversationState.SERVICE_SELECTED: "Anotado. ¿Con quién?",
    ConversationState.PROVIDER_PENDING: "¿Con quién quieres reservar?",
    ConversationState.PROVIDER_SELECTED: "Anotado. Busco horas libres.",
    ConversationState.SLOT_PENDING: "¿Qué día y a qué hora?",
    ConversationState.CONFIRM_PENDING: "¿Confirmo la reserva?",
}


def seed() -> int:
    """Add the conversations if there are none, and return how many were added."""
    services, providers = services_of(BUSINESS, limit=1).items, providers_of(BUSINESS, limit=1).items
    if find_business(BUSINESS) is None or not services or not providers or find_thread(BUSINESS, _id(0)) is not None:
        return 0
    for number, dialogue in enumerate(_DIALOGUES):
        _hold(number, dialogue, services[0], providers[0])
    return len(_DIALOGUES)


def _id(number: int) -> str:
    return f"conv-demo-{number}"


@contextmanager
def _at(minutes_ago: float, name: str) -> Iterator[Command]:
    """The clock at a moment of the dialogue, and the command that is executed then."""
    with frozen(now() - timedelta(minutes=minutes_ago)), predictable(name):
        yield Command(f"demo-conversation-{now().date()}-{name}", BOT)


def _hold(number: int, dialogue: _Dialogue, service: Service, provider: Provider) -> None:
    conversation, last = _id(number), dialogue.minutes_ago
    depth = _STATES.index(dialogue.state)
    for step, state in enumerate(_STATES[: depth + 1]):
        with _at(last + 8 - step, f"{number}-{state}") as command:
            chosen = Collected(
                service_id=service.id if step >= 2 else None,
                provider_id=provider.id if step >= 4 else None,
                user_context={"name": dialogue.name, "channel": "web"} if dialogue.name else {"channel": "web"},
            )
            conversations.put_state(BUSINESS, conversation, state, chosen, command=command)
    for line, text in enumerate(dialogue.customer):
        with _at(last + 2 * (len(dialogue.customer) - line), f"{number}-question-{line}") as command:
            question = _QUESTIONS[dialogue.state if line else ConversationState.INIT]
            conversations.append_message(BUSINESS, conversation, Author.BOT, question, command=command)
        with _at(last + 2 * (len(dialogue.customer) - line) - 1, f"{number}-answer-{line}") as command:
            conversations.append_message(BUSINESS, conversation, Author.CUSTOMER, text, command=command)
    if dialogue.person:
        _answer(number, dialogue)


def _answer(number: int, dialogue: _Dialogue) -> None:
    conversation = _id(number)
    with _at(dialogue.minutes_ago, f"{number}-person") as command:
        by_owner, turn = Command(command.id, OWNER), load_thread(BUSINESS, conversation).voice.turn
        if dialogue.person == "close":
            conversations.close(BUSINESS, conversation, turn=turn, command=by_owner)
            return
        conversations.take_over(BUSINESS, conversation, turn=turn, command=by_owner)
        if dialogue.person == "reply":
            text = "Hola, soy Olivia. María atiende los martes y jueves. ¿Qué día te queda bien?"
            conversations.reply(BUSINESS, conversation, text, command=by_owner.part("reply"))
