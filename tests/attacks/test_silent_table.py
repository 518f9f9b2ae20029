"""While the table does not respond, people get an error at once, and the error says what is true."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.test import Client

from dashboard.core.errors import Unavailable
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person
from dashboard.table import connection, health, read
from dashboard.table.circuit_breaker import MAX_SILENT_ATTEMPTS, TRIAL_INTERVAL, TRIAL_LIMIT, CircuitBreaker
from dashboard.table.queries import table_answers
from dashboard.table.transactions import Transaction
from tests.conftest import sign_in
from tests.faults import (
    Fault,
    Network,
    bad_network,
    broken,
    gateway_error,
    lose_reply,
    lose_request,
    throttle,
)
from tests.table.notes import Note, add_note, command, key, load_note, on_dynoxide

pytestmark = on_dynoxide
NOTHING_SAVED = "nothing was saved this time"


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(table: str, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the breaker, which stands still."""
    clock = Clock()
    monkeypatch.setattr(connection.client().circuit_breaker, "_clock", clock)
    return clock


@pytest.fixture
def network(clock: Clock) -> Iterator[Network]:
    add_note("ana", text="one")
    with bad_network(opens_circuit_breaker=True) as network:
        yield network


def fail_calls(network: Network, fault: Fault = lose_request) -> None:
    """Let the table be silent until the breaker opens."""
    network.add_random_fault(1, fault)
    while not connection.client().circuit_breaker.is_open:
        with pytest.raises(Unavailable):
            table_answers()


def ask() -> bool:
    try:
        return read.get(Note, key("ana")) is not None
    except Unavailable:
        return False


# --- The breaker -----------------------------------------------------------------------------------
@pytest.mark.parametrize("fault", [lose_request, lose_reply, gateway_error])
def test_calls_to_a_silent_table_are_not_sent(network: Network, fault: Fault) -> None:
    fail_calls(network, fault)
    assert len(network.log) == MAX_SILENT_ATTEMPTS, "not even the retries of the call that opened it"
    for _ in range(100):
        assert not ask()
    assert len(network.log) == MAX_SILENT_ATTEMPTS


@pytest.mark.parametrize("fault", [throttle, broken])
def test_an_error_of_the_table_is_an_answer(network: Network, fault: Fault) -> None:
    network.add_random_fault(1, fault)
    for _ in range(MAX_SILENT_ATTEMPTS):
        assert not ask()
    assert not connection.client().circuit_breaker.is_open


def test_faults_with_answers_in_between_do_not_open_it(network: Network) -> None:
    for _ in range(MAX_SILENT_ATTEMPTS):
        network.next("GetItem", lose_request, lose_reply)
        assert ask()


def test_one_call_is_tried_per_interval_and_its_answer_ends_the_pause(network: Network, clock: Clock) -> None:
    fail_calls(network)
    for trial in range(1, 4):
        clock.now += TRIAL_INTERVAL
        assert not ask()
        assert not ask()
        assert len(network.log) == MAX_SILENT_ATTEMPTS + trial
    network.stop_faults()
    assert not ask(), "too early to know"
    clock.now += TRIAL_INTERVAL
    assert ask()
    assert ask()


def test_the_table_is_used_again_within_five_seconds_even_if_a_trial_hangs(table: str) -> None:
    clock = Clock()
    breaker = CircuitBreaker(clock)
    for _ in range(MAX_SILENT_ATTEMPTS):
        assert breaker.admit()
        breaker.record_silence()
    clock.now += TRIAL_INTERVAL
    assert breaker.admit(), "this trial never reports anything"
    assert not breaker.admit()
    clock.now += TRIAL_LIMIT
    assert TRIAL_LIMIT < 5
    assert breaker.admit()
    breaker.record_answer()
    assert all(breaker.admit() for _ in range(10))


def test_many_threads_make_one_trial(table: str) -> None:
    clock = Clock()
    breaker = CircuitBreaker(clock)
    with ThreadPoolExecutor(16) as threads:
        opened = list(threads.map(lambda _: breaker.record_silence(), range(200)))
        assert opened.count(True) == 1
        clock.now += TRIAL_INTERVAL
        admitted = list(threads.map(lambda _: breaker.admit(), range(200)))
    assert admitted.count(True) == 1


# --- What is reported ------------------------------------------------------------------------------
def disable(browser: Client, person: Person) -> Any:
    return browser.post(f"/people/{person.email}/disable/", {"revision": str(person.revision)})


def test_a_form_that_was_not_sent_to_the_table_says_that_nothing_was_saved(people_by_role: dict[str, Person]) -> None:
    browser, person = sign_in(people_by_role["admin"]), people_by_role["staff"]
    with bad_network(opens_circuit_breaker=True) as network:
        fail_calls(network)
        sent = len(network.log)
        response = disable(browser, person)
        assert (response.status_code, len(network.log)) == (503, sent)
        assert NOTHING_SAVED in response.text
        spanish = browser.post("/people/new/", {}, headers={"Accept-Language": "es"})
        assert "esta vez no se guardó nada" in spanish.text
        page = browser.get("/people/")
        assert page.status_code == 503
        assert NOTHING_SAVED not in page.text, "nobody wanted to save anything"
    connection.client().circuit_breaker.reset()
    assert queries.load_person(person.email).disabled_at is None


def test_a_form_whose_reply_was_lost_never_says_that_nothing_was_saved(people_by_role: dict[str, Person]) -> None:
    """The write happened, its reply is lost, and the breaker opens before its record can be read."""
    browser, person = sign_in(people_by_role["admin"]), people_by_role["staff"]
    with bad_network(opens_circuit_breaker=True) as network:

        def lose_reply_and_go_silent(*sent: Any) -> Any:
            network.add_random_fault(1, lose_request)
            return lose_reply(*sent)

        network.next("TransactWriteItems", lose_reply_and_go_silent)
        response = disable(browser, person)
        assert connection.client().circuit_breaker.is_open
    assert response.status_code == 503
    assert NOTHING_SAVED not in response.text
    connection.client().circuit_breaker.reset()
    assert queries.load_person(person.email).disabled_at is not None


def test_a_write_that_was_refused_can_be_sent_again(network: Network, clock: Clock) -> None:
    ana, mine = load_note("ana"), command()
    assert ana is not None
    fail_calls(network)
    ana.text = "two"
    for expected in (Unavailable, None):
        transaction = Transaction(mine)
        transaction.save(ana, revision=1)
        if expected:
            with pytest.raises(expected):
                transaction.commit(ana)
            network.stop_faults()
            clock.now += TRIAL_INTERVAL
        else:
            transaction.commit(ana)
    saved = load_note("ana")
    assert saved is not None
    assert (saved.text, saved.revision) == ("two", 2)
    assert len(network.calls("TransactWriteItems")) == 1


# --- The health check ------------------------------------------------------------------------------
def test_the_health_check_asks_also_while_calls_are_refused_and_its_answer_ends_the_pause(network: Network) -> None:
    fail_calls(network)
    sent = len(network.log)
    assert Client().get("/healthz").status_code == 503
    assert len(network.log) == sent + 1, "one query, without retries"
    network.stop_faults()
    assert Client().get("/healthz").status_code == 200
    assert ask()


def test_health_checks_do_not_open_the_breaker(network: Network) -> None:
    network.add_random_fault(1, lose_request)
    for _ in range(2 * MAX_SILENT_ATTEMPTS):
        assert Client().get("/healthz").status_code == 503
    network.stop_faults()
    assert ask()


@contextmanager
def frozen_engine() -> Iterator[None]:
    """An engine that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL_DYNAMODB", f"http://127.0.0.1:{server.getsockname()[1]}")
        connection.forget()
        try:
            yield
        finally:
            connection.forget()


def test_the_health_check_gives_up_before_any_other_call_does(table: str) -> None:
    with frozen_engine():
        reading = threading.Thread(target=ask)
        reading.start()
        began = time.monotonic()
        assert Client().get("/healthz").status_code == 503
        assert time.monotonic() - began < 1.5
        assert reading.is_alive(), "the other call is still waiting"
    reading.join()


def test_the_health_check_does_not_wait_behind_other_reads(table: str) -> None:
    """All threads for reads wait for something; the table answers."""
    release = threading.Event()
    waiting = [read.in_background(release.wait) for _ in range(100)]
    try:
        health.ensure_table_answers()
    finally:
        release.set()
    assert all(each.result() for each in waiting)
