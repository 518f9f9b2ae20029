"""The op log: what each call cost, what a page cost, and nothing about anyone in the log."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from dashboard.core.errors import Conflict, Unavailable
from dashboard.platform.accounts.items import Person
from dashboard.table import connection, keys, oplog, read, tenancy
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction
from dashboard.web.requests import JsonLines
from tests.conftest import PASSWORD, every_engine, sign_in
from tests.faults import Network, bad_network, error_reply, lose_reply, lose_request, throttle
from tests.table.notes import ACTOR, SHELF, Note, add, key, note, note_at, on_dynoxide, put_note, saved

FIELDS = {"operation", "pattern", "index", "tenant", "api_key", "ms", "units", "attempts", "error"}


@pytest.fixture
def network(table: str) -> Iterator[Network]:
    with bad_network() as network:
        yield network


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """The log as it leaves the process."""
    records = [each for each in caplog.records if each.name == "trastienda.table"]
    return [json.loads(JsonLines().format(each)) for each in records]


@every_engine
def test_every_call_is_counted_with_what_it_cost(table: str) -> None:
    add("ana", shelf="sky")
    with oplog.recording() as log:
        note_at("ana")
        read.get_many([key("ana"), key("bea")])
        read.page(SHELF.collection(shelf="sky"), Note)
        read.count(SHELF.collection(shelf="sky"))
        add("bea")
    assert [(call.operation, call.index) for call in log.calls] == [
        ("GetItem", None),
        ("BatchGetItem", None),
        ("Query", "GSI_Status"),
        ("Query", "GSI_Status"),
        ("TransactWriteItems", None),
    ]
    assert all(call.ms > 0 and call.attempts == 1 and call.error is None for call in log.calls)
    if table != "moto":  # It says what some calls cost, and not what a transaction does.
        assert all(call.units > 0 for call in log.calls), "capacity is asked for with every call"
    assert log.units == pytest.approx(sum(call.units for call in log.calls))
    assert log.ms == pytest.approx(sum(call.ms for call in log.calls))
    assert log.trips == 5


@on_dynoxide
def test_capacity_is_what_dynamodb_would_charge(table: str) -> None:
    put_note("ana", text={"S": "x" * 9000})
    with oplog.recording() as log:
        note_at("ana")
        read.get(Note, key("ana"), consistent=False)
        read.get_many([key("ana"), key("ana", 2)])
    whole, half, several = (call.units for call in log.calls)
    assert (whole, half) == (3, 1.5), "4 KB a unit, half of it where an older answer will do"
    assert several == 4


@on_dynoxide
def test_a_call_that_was_tried_again_says_how_often(network: Network) -> None:
    network.next("GetItem", throttle, lose_reply)
    with oplog.recording() as log:
        note_at("ana")
    (call,) = log.calls
    assert (call.attempts, call.error) == (3, None)


@on_dynoxide
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (lose_request, "EndpointConnectionError"),
        (lose_reply, "ReadTimeoutError"),
        (throttle, "ProvisionedThroughputExceededException"),
    ],
)
def test_a_call_that_failed_says_how_and_after_how_many_tries(network: Network, fault: Any, error: str) -> None:
    network.next("GetItem", *[fault] * 3)
    with oplog.recording() as log, pytest.raises(Unavailable):
        note_at("ana")
    (call,) = log.calls
    assert (call.attempts, call.error, call.units) == (3, error, 0)
    assert call.ms > 0


@on_dynoxide
def test_a_refused_call_is_a_call(network: Network) -> None:
    network.next("GetItem", error_reply(400, "ValidationException"))
    with oplog.recording() as log, pytest.raises(Exception, match="ValidationException"):
        note_at("ana")
    assert [(call.error, call.attempts) for call in log.calls] == [("ValidationException", 1)]
    ana = add("ana")
    saved(ana)
    with oplog.recording() as log, pytest.raises(Conflict):
        saved(ana, revision=1)
    assert [call.error for call in log.calls] == ["TransactionCanceledException"]


def test_trips_are_waves_of_calls(table: str) -> None:
    def two() -> list[Any]:
        return read.gather_all([lambda: note_at("ana"), lambda: note_at("bea")])

    with oplog.recording() as log:
        note_at("ana")
        two()
        two()
    assert len(log.calls) == 5
    assert log.trips == 3


def test_what_goes_out_one_after_the_other_is_not_one_trip(table: str) -> None:
    """Putting two reads in a row into `gather` does not make them faster."""

    def in_a_row() -> None:
        note_at("ana")
        note_at("bea")

    with oplog.recording() as log:
        read.gather_all([in_a_row, lambda: note_at("carla")])
        read.gather_all([in_a_row])
        note_at("ana")
    assert len(log.calls) == 6
    assert log.trips == 5


def test_each_request_counts_its_own(people_by_role: dict[str, Person]) -> None:
    alma = sign_in(people_by_role["admin"])
    with oplog.recording() as outside:
        first, second = alma.get("/people/"), alma.get("/people/")
    logs = [first.wsgi_request.oplog, second.wsgi_request.oplog]  # type: ignore[attr-defined]
    assert logs[0] is not logs[1]
    assert [call.operation for call in logs[0].calls] == [call.operation for call in logs[1].calls]
    assert logs[0].trips <= 2
    assert outside.calls == [], "a page's calls are the page's"


def test_without_a_log_calls_are_made_all_the_same(table: str) -> None:
    assert note_at("ana") is None


# --- The log lines -------------------------------------------------------------------------------
def test_a_line_has_what_the_design_wants_and_nothing_else(table: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="trastienda.table")
    collection = keys.CONVERSATIONS_BY_STATE.collection(tenant="andina", state="INIT")
    with tenancy.bind(tenancy.Binding("andina", api_key="k1")):
        read.gather_all([lambda: read.page(collection, Note), lambda: None])
    (line,) = lines(caplog)
    assert {name: line[name] for name in ("operation", "index", "tenant", "api_key", "attempts")} == {
        "operation": "Query",
        "index": "GSI_Status",
        "tenant": "andina",
        "api_key": "k1",
        "attempts": 1,
    }
    assert line["ms"] > 0
    assert line["units"] >= 0
    assert line.keys() - {"at", "level", "logger", "request", "message"} <= FIELDS


@on_dynoxide
def test_a_failed_call_is_a_line_too(network: Network, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="trastienda.table")
    network.next("GetItem", *[lose_request] * 3)
    with pytest.raises(Unavailable):
        note_at("ana")
    (line,) = lines(caplog)
    assert (line["error"], line["attempts"]) == ("EndpointConnectionError", 3)


def test_no_line_names_anyone(people_by_role: dict[str, Person], caplog: pytest.LogCaptureFixture) -> None:
    """Signing in, a list, a page, a change, a conflict and a search: no address, key, name or secret."""
    caplog.set_level(logging.INFO, logger="trastienda")
    browser = Client()
    browser.post("/login/", {"email": "alma@example.com", "password": PASSWORD})
    browser.get("/people/?q=marco")
    browser.get("/people/marco@example.com/")
    browser.post("/people/marco@example.com/edit/", {"name": "Marco Antonio", "role": "staff", "revision": 1})
    browser.post("/people/marco@example.com/edit/", {"name": "Marco Aurelio", "role": "staff", "revision": 1})
    browser.get("/go/?q=sofia")
    records = [each for each in caplog.records if each.name.startswith("trastienda")]
    assert len([each for each in records if each.name == "trastienda.table"]) > 10
    text = "\n".join(JsonLines().format(each) for each in records).lower()
    secret = browser.cookies["session"].value.partition(".")[2]
    words = ("alma", "marco", "sofia", "@", "user#", "aurelio", PASSWORD, secret.lower(), "operation#")
    assert [word for word in words if word in text] == []


@on_dynoxide
def test_nor_does_the_line_of_an_error(network: Network, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="trastienda.table")
    add("ana", text="a secret")
    transaction = Transaction(Command("o1", ACTOR))
    transaction.create(note("ana"))
    with pytest.raises(Conflict):
        transaction.commit(None)
    text = json.dumps(lines(caplog))
    assert "TransactionCanceledException" in text
    assert not [word for word in ("NOTE#", "ana ", '"ana', "secret", "o1", "alma") if word in text]


def test_the_table_is_reached_through_the_logged_client_only(table: str) -> None:
    with oplog.recording() as log:
        Note.exists()
        connection.client().describe_table(TableName=connection.table().table_name)
    assert {call.operation for call in log.calls} == {"DescribeTable"}
