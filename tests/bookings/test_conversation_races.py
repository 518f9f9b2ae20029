"""A person takes over at the moment the bot replies: exactly one of them replies, also if the table's reply is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from bookings.conversation_states import Author
from bookings.queries.conversations import load_thread, messages_of
from bookings.services import bookings
from bookings.services import conversations as services
from dashboard.core.errors import Conflict, Refused, Unavailable
from dashboard.table.commands import Actor, Command, new_command
from tests.bookings.bookable_business import (
    BUSINESS,
    at,
    check_bookings,
    customer,
    provider,
    put,
    service,
    working_hours,
)
from tests.bookings.conversations import begin, say, turn_of
from tests.conftest import real_engines
from tests.faults import act_then_break, bad_network, lose_reply

WRITERS, ROUNDS = 16, 4


def at_once(acts: list[Callable[[], Any]]) -> list[bool]:
    """Run the actions at the same moment. True for each that reported success."""
    barrier = threading.Barrier(len(acts))

    def run(act: Callable[[], Any]) -> bool:
        barrier.wait()
        while True:
            try:
                act()
                return True
            except Unavailable:
                continue  # The sender sends the same command again.
            except (Conflict, Refused):
                return False

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def bot_replies(conversation: str, turn: int, number: int) -> Callable[[], Any]:
    command = new_command(Actor(f"key:{number}", "Chat"))
    text = f"bot {number}"
    return lambda: services.append_message(BUSINESS, conversation, Author.BOT, text, turn=turn, command=command)


def person_replies(conversation: str, turn: int, number: int) -> Callable[[], Any]:
    by = Actor(f"p{number}@example.com", f"P {number}")
    lease, answer = Command(f"lease-{conversation}-{number}", by), Command(f"reply-{conversation}-{number}", by)

    def act() -> None:
        services.take_over(BUSINESS, conversation, turn=turn, command=lease)
        services.reply(BUSINESS, conversation, f"person {number}", command=answer)

    return act


@real_engines
@pytest.mark.parametrize("chance", [0, 0.1])
def test_exactly_one_replies_when_people_take_over_at_the_moment_the_bot_replies(table: str, chance: float) -> None:
    for number in range(ROUNDS):
        conversation = f"conv-{number}"
        begin(conversation)
        say("Hola", conversation=conversation)
        turn = turn_of(conversation)
        acts = [(bot_replies if each % 2 else person_replies)(conversation, turn, each) for each in range(WRITERS)]
        with bad_network() as network:
            network.add_random_fault(chance, lose_reply)
            network.add_random_fault(chance, act_then_break)
            done = at_once(acts)
        replies = [each.text for each in messages_of(BUSINESS, conversation).items if each.author != Author.CUSTOMER]
        winner = done.index(True)
        assert done.count(True) == 1
        assert replies == [f"{'bot' if winner % 2 else 'person'} {winner}"]
        voice = load_thread(BUSINESS, conversation).voice
        assert voice.holder == (None if winner % 2 else f"p{winner}@example.com")


@real_engines
def test_no_message_of_the_customer_is_lost_among_replies(table: str) -> None:
    begin()
    commands = [new_command(Actor("key:chat", "Chat")) for _ in range(WRITERS)]
    done = at_once(
        [
            lambda command=command, number=number: services.append_message(  # type: ignore[misc]
                BUSINESS, "conv-1", Author.CUSTOMER, str(number), command=command
            )
            for number, command in enumerate(commands)
        ]
    )
    assert all(done)
    assert sorted(int(each.text or "") for each in messages_of(BUSINESS, "conv-1").items) == list(range(WRITERS))


@real_engines
def test_a_conversation_gets_one_booking_when_many_book_it(table: str) -> None:
    put(service(), provider(), customer(), *working_hours())
    begin()
    commands = [new_command(Actor(f"p{number}@example.com")) for number in range(8)]
    done = at_once(
        [
            lambda command=command, number=number: bookings.create(  # type: ignore[misc]
                BUSINESS, "masaje", "maria", at(2 * number), "juan", conversation_id="conv-1", command=command
            )
            for number, command in enumerate(commands)
        ]
    )
    assert done.count(True) == 1
    booked = load_thread(BUSINESS, "conv-1").conversation.booking_id
    assert [each.id for each in check_bookings()] == [booked]
