"""The op log: the cost of each call and of each page, without personal data in the log lines."""

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
from tests.table.notes import ACTOR, SHELF, Note, add_note, key, load_note, new_note, on_dynoxide, put_note, save_note

FIELDS = {"operation", "pattern", "index", "tenant", "api_key", "ms", "units", "attempts", "error"}


@pytest.fixture
def network(table: str) -> Iterator[Network]:
    with bad_network() as network:
        yield network


def log_lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """The log lines as the process writes them."""
    records = [each for each in caplog.records if each.name == "trastienda.table"]
    return [json.loads(JsonLines().format(each)) for each in records]


@every_engine
def test_every_call_is_recorded_with_its_cost(table: str) -> None:
    add_note("ana", shelf="sky")
    with oplog.recording() as log:
        load_note("ana")
        read.get_many([key("ana"), key("bea")])
        read.page(SHELF.collection(shelf="sky"), Note)
        read.count(SHELF.collection(shelf="sky"))
        add_note("bea")
    assert [(call.operation, call.index) for call in log.calls] == [
        ("GetItem", None),
        ("BatchGetItem", None),
        ("Query", "GSI_Status"),
        ("Query", "GSI_Status"),
        ("TransactWriteItems", None),
    ]
    assert all(call.ms > 0 and call.attempts == 1 and call.error is None for call in log.calls)
    if table != "moto":  # moto reports the capacity of some calls, but not of transactions.
        assert all(call.units > 0 for call in log.calls), "every call requests the consumed capacity"
    assert log.units == pytest.approx(sum(call.units for call in log.calls))
    assert log.ms == pytest.approx(sum(call.ms for call in log.calls))
    assert log.trips == 5


@on_dynoxide
def test_the_units_are_those_that_dynamodb_charges(table: str) -> None:
    put_note("ana", text={"S": "x" * 9000})
    with oplog.recording() as log:
        load_note("ana")
        read.get(Note, key("ana"), consistent=False)
        read.get_many([key("ana"), key("ana", 2)])
    consistent, eventual, batch = (call.units for call in log.calls)
    assert (consistent, eventual) == (3, 1.5), "one unit for each 4 KB, half of it for eventually consistent reads"
    assert batch == 4


@on_dynoxide
def test_a_retried_call_has_its_number_of_attempts(network: Network) -> None:
    network.next("GetItem", throttle, lose_reply)
    with oplog.recording() as log:
        load_note("ana")
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
def test_a_failed_call_has_its_error_and_number_of_attempts(network: Network, fault: Any, error: str) -> None:
    network.next("GetItem", *[fault] * 3)
    with oplog.recording() as log, pytest.raises(Unavailable):
        load_note("ana")
    (call,) = log.calls
    assert (call.attempts, call.error, call.units) == (3, error, 0)
    assert call.ms > 0


@on_dynoxide
def test_a_refused_call_is_recorded(network: Network) -> None:
    network.next("GetItem", error_reply(400, "ValidationException"))
    with oplog.recording() as log, pytest.raises(Exception, match="ValidationException"):
        load_note("ana")
    assert [(call.error, call.attempts) for call in log.calls] == [("ValidationException", 1)]
    ana = add_note("ana")
    save_note(ana)
    with oplog.recording() as log, pytest.raises(Conflict):
        save_note(ana, revision=1)
    assert [call.error for call in log.calls] == ["TransactionCanceledException"]


def test_calls_at_the_same_time_are_one_trip(table: str) -> None:
    def read_two() -> list[Any]:
        return read.gather_all([lambda: load_note("ana"), lambda: load_note("bea")])

    with oplog.recording() as log:
        load_note("ana")
        read_two()
        read_two()
    assert len(log.calls) == 5
    assert log.trips == 3


def test_calls_one_after_another_are_several_trips(table: str) -> None:
    """Two reads in sequence are two trips, also inside of `gather_all`."""

    def read_in_sequence() -> None:
        load_note("ana")
        load_note("bea")

    with oplog.recording() as log:
        read.gather_all([read_in_sequence, lambda: load_note("carla")])
        read.gather_all([read_in_sequence])
        load_note("ana")
    assert len(log.calls) == 6
    assert log.trips == 5


def test_each_request_has_its_own_log(people_by_role: dict[str, Person]) -> None:
    alma = sign_in(people_by_role["admin"])
    with oplog.recording() as outside:
        first, second = alma.get("/people/"), alma.get("/people/")
    logs = [first.wsgi_request.oplog, second.wsgi_request.oplog]  # type: ignore[attr-defined]
    assert logs[0] is not logs[1]
    assert [call.operation for call in logs[0].calls] == [call.operation for call in logs[1].calls]
    assert logs[0].trips <= 2
    assert outside.calls == [], "the calls of a page are only in the log of its request"


def test_calls_work_without_a_log(table: str) -> None:
    assert load_note("ana") is None


# --- The log lines -------------------------------------------------------------------------------
def test_a_log_line_has_exactly_the_fields_of_the_design(table: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="trastienda.table")
    collection = keys.CONVERSATIONS_BY_STATE.collection(tenant="andina", state="INIT")
    with tenancy.bind(tenancy.Binding("andina", api_key="k1")):
        read.gather_all([lambda: read.page(collection, Note), lambda: None])
    (line,) = log_lines(caplog)
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
def test_a_failed_call_has_a_log_line(network: Network, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="trastienda.table")
    network.next("GetItem", *[lose_request] * 3)
    with pytest.raises(Unavailable):
        load_note("ana")
    (line,) = log_lines(caplog)
    assert (line["error"], line["attempts"]) == ("EndpointConnectionError", 3)


def test_the_log_lines_of_pages_have_no_personal_data(
    people_by_role: dict[str, Person], caplog: pytest.LogCaptureFixture
) -> None:
    """A sign-in, a list, a page, a change, a conflict and a search log no address, key, name or secret."""
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
def test_the_log_line_of_an_error_has_no_personal_data(network: Network, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="trastienda.table")
    add_note("ana", text="a secret")
    transaction = Transaction(Command("o1", ACTOR))
    transaction.create(new_note("ana"))
    with pytest.raises(Conflict):
        transaction.commit(None)
    text = json.dumps(log_lines(caplog))
    assert "TransactionCanceledException" in text
    assert not [word for word in ("NOTE#", "ana ", '"ana', "secret", "o1", "alma") if word in text]


def test_all_calls_use_the_logged_client(table: str) -> None:
    with oplog.recording() as log:
        Note.exists()
        connection.client().describe_table(TableName=connection.table().table_name)
    assert {call.operation for call in log.calls} == {"DescribeTable"}
