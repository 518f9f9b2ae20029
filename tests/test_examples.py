"""examples/chat.py books in a dialogue, with nothing but the public API."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings

from bookings.conversation_states import VoiceState
from bookings.queries import bookings as booking_queries
from bookings.queries.conversations import conversations_with_voice, load_thread, messages_of
from bookings.services import conversations as services
from dashboard.table.commands import new_command
from tests.api.shop import JUAN, bookings_of, make_shop, secret_key, send
from tests.bookings.bookable_business import BUSINESS
from tests.bookings.conversations import take_over, turn_of
from tests.conftest import ACTOR
from tests.live_server import in_flight, serve

EXAMPLES = Path(settings.BASE_DIR, "examples")
CHAT = EXAMPLES / "chat.py"
DIALOGUE = (EXAMPLES / "dialogue.txt").read_text()


@pytest.fixture
def environment(table: str) -> Iterator[dict[str, str]]:
    make_shop()
    with serve() as address:
        yield {"API_URL": address, "API_KEY": secret_key("read", "book", "chat"), "PATH": os.environ["PATH"]}
        in_flight.wait_for_none()


class Dialogue:
    """A running bot."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process, self.heard = process, ""

    def type(self, line: str, until: str) -> str:
        """Send a line, and return what is printed until this text."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        heard = ""
        while until not in heard:
            printed = self.process.stdout.readline()
            assert printed, self.process.stderr.read() if self.process.stderr else ""
            heard += printed
        return heard


@contextmanager
def running_bot(environment: dict[str, str]) -> Iterator[Dialogue]:
    command, pipe = [sys.executable, str(CHAT)], subprocess.PIPE
    with subprocess.Popen(command, env=environment, text=True, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            yield Dialogue(process)
        finally:
            process.kill()


def the_conversation() -> str:
    found = [each.id for voice in VoiceState for each in conversations_with_voice(BUSINESS, voice).items]
    assert len(found) == 1
    return found[0]


def test_the_scripted_dialogue_ends_with_a_booking(environment: dict[str, str]) -> None:
    command = [sys.executable, str(CHAT)]
    ran = subprocess.run(command, input=DIALOGUE, env=environment, capture_output=True, text=True, timeout=120)
    assert (ran.returncode, ran.stderr) == (0, "")
    (booking,) = booking_queries.agenda(BUSINESS).items
    assert f"({booking.id})" in ran.stdout and "Booked: Masaje" in ran.stdout
    assert (booking.service_id, booking.title, booking.status) == ("masaje", "Juan Pérez", "CONFIRMED")
    thread = load_thread(BUSINESS, the_conversation())
    assert (thread.conversation.progress, thread.conversation.booked) == ("BOOKING_CONFIRMED", booking.id)
    said = [each.author for each in reversed(messages_of(BUSINESS, thread.conversation.id).items)]
    assert said == ["CUSTOMER", "BOT"] * len(DIALOGUE.splitlines())


def test_another_start_is_offered_when_the_chosen_one_is_taken(environment: dict[str, str]) -> None:
    with running_bot(environment) as bot:
        for line, until in (("Hola", "1. Masaje"), ("1", "Anyone"), ("maria", "5."), ("1", "e-mail")):
            bot.type(line, until)
        start = load_thread(BUSINESS, the_conversation()).conversation.slot_start
        assert start is not None
        rival = {"service": "masaje", "provider": "maria", "start": start.isoformat(), "customer": JUAN}
        assert send(secret_key(), "bookings", rival).status_code == 201
        bot.type("Ana Soto, ana@example.com", "just taken")
        bot.type("Ana Soto, ana@example.com", "Booked: Masaje")
    first, second = bookings_of()
    assert first.start_time == start and second.title == "Ana Soto"


def test_the_bot_is_silent_while_a_person_replies(environment: dict[str, str]) -> None:
    with running_bot(environment) as bot:
        bot.type("Hola", "1. Masaje")
        conversation = the_conversation()
        take_over(conversation)
        services.reply(BUSINESS, conversation, "Soy Alma", command=new_command(ACTOR))
        assert bot.process.stdin is not None
        bot.process.stdin.write("masaje\n")
        bot.process.stdin.flush()
        while len(messages_of(BUSINESS, conversation).items) < 4:
            time.sleep(0.05)
        services.reply(BUSINESS, conversation, "Le ayudo", command=new_command(ACTOR))
        services.hand_back(BUSINESS, conversation, turn=turn_of(conversation), command=new_command(ACTOR))
        heard = bot.type("masaje", "With whom?")
    assert "Soy Alma" in heard and "Le ayudo" in heard
    authors = [each.author for each in reversed(messages_of(BUSINESS, conversation).items)]
    assert authors == ["CUSTOMER", "BOT", "PERSON", "CUSTOMER", "PERSON", "CUSTOMER", "BOT"]


def test_it_is_short_and_needs_only_the_standard_library() -> None:
    text = CHAT.read_text()
    assert len(text.splitlines()) < 200
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for each in imports if isinstance(each, ast.Import) for alias in each.names}
    names |= {str(each.module) for each in imports if isinstance(each, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names
