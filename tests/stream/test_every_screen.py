"""Items of the services, put raw while the follower runs, appear on their screens and move with a second write."""

from __future__ import annotations

import html
import threading
import time
from collections.abc import Iterator

import pytest
from django.test import Client

from dashboard.platform.adoption.unknown_ids import forget_recorded
from dashboard.platform.businesses.items import Member
from dashboard.platform.stream.follower import Follower
from dashboard.table.commands import new_command
from dashboard.table.connection import table as connected_table
from dashboard.table.keypattern import Key
from dashboard.table.transactions import Transaction
from tests.conftest import ACTOR, make_people, real_engines, sign_in
from tests.stream import outside_booking_screens
from tests.stream.outside_screens import BUSINESS, KINDS, Screen, filter_config
from tests.table.notes import put
from tests.tables import SharedTable
from tests.ui.html import parse

SECONDS = 5.0
assert outside_booking_screens, "it registers its kinds"


@pytest.fixture
def browsers(stream_table: SharedTable) -> dict[str, Client]:
    """A browser of each role. The owner is a member of the business that the outside writers know."""
    people = make_people()
    member = Member.new(tenant=BUSINESS, email="olivia@example.com")
    member.business_id, member.business_name, member.email = BUSINESS, "Nueva Pyme 0", "olivia@example.com"
    transaction = Transaction(new_command(ACTOR))
    transaction.create(member)
    transaction.commit(None)
    return {role: sign_in(person) for role, person in people.items()}


@pytest.fixture
def running_follower(stream_table: SharedTable) -> Iterator[None]:
    forget_recorded()  # Of the table of another test.
    follower, stop = Follower(), threading.Event()
    thread = threading.Thread(target=lambda: list(follower.watch(stop, 0.1)))
    thread.start()
    yield
    stop.set()
    thread.join()
    follower.release()


def write(number: int) -> None:
    for kind in KINDS:
        for raw in kind.writes(number):
            if isinstance(raw, Key):
                connected_table().delete_item(raw.pk, raw.sk)
            else:
                put(raw)


def problem_of(screen: Screen, browsers: dict[str, Client], number: int) -> str:
    answer = browsers[screen.who].get(screen.url.format(n=number))
    if answer.status_code != 200 and number in screen.after:
        return f"{screen.url}: {answer.status_code}"
    # Texts, and the values of fields.
    shown = parse(answer).text if "html" in answer.headers["Content-Type"] else ""
    return screen.problem(f"{shown} {html.unescape(answer.text)}", number)


@real_engines
def test_they_appear_within_five_seconds_and_move_with_a_second_write(
    table: str, browsers: dict[str, Client], running_follower: None
) -> None:
    put(filter_config())
    for number in (1, 2):
        write(number)
        deadline = time.monotonic() + SECONDS
        waiting = [screen for kind in KINDS for screen in kind.screens]
        while waiting and time.monotonic() < deadline:
            waiting = [screen for screen in waiting if problem_of(screen, browsers, number)]
        problems = [problem_of(screen, browsers, number) for screen in waiting]
        assert not any(problems), "\n".join(filter(None, problems))
