"""An import that the network cuts off goes on where it was: nothing lost, nothing twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from django.conf import settings

from dashboard.platform.transfer import batch_writes, table_import, target
from dashboard.table import admin, connection
from dashboard.table.retries import Backoff
from tests.conftest import real_engines
from tests.faults import (
    Send,
    bad_network,
    broken,
    build_reply,
    error_reply,
    lose_reply,
    lose_request,
    parse_request,
    throttle,
)
from tests.table.notes import on_dynoxide
from tests.transfer import many
from tests.transfer.helpers import file_of, in_table, plain, run

Raws = dict[tuple[str, str], Any]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A silent table stops a command in no time."""
    for module in (target, batch_writes):
        monkeypatch.setattr(module, "command_backoff", lambda: Backoff(tries=6, first=0.001, most=0.002))


@pytest.fixture
def small_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_import, "ROUND_LINES", 50)


def as_they_are(count: int) -> Raws:
    raws = [many.item(number) for number in range(count)]
    return {(raw["PK"]["S"], raw["SK"]["S"]): raw for raw in raws}


def state(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.with_name(f"{path.name}.checkpoint").read_text())["state"]
    return found


# --- A bad network -------------------------------------------------------------------------------
def take_some(send: Send, request: AWSPreparedRequest) -> AWSResponse:
    """The table takes three of the batch and hands the rest back, as AWS does when it is busy."""
    whole = parse_request(request).body["RequestItems"]
    ((name, puts),) = whole.items()
    for put in puts[:3]:
        _resend(send, request, {"RequestItems": {name: [put]}})
    left = {name: puts[3:]} if puts[3:] else {}
    return build_reply(request, 200, json.dumps({"UnprocessedItems": left}).encode())


def _resend(send: Send, request: AWSPreparedRequest, body: dict[str, Any]) -> None:
    """The test engines check no signatures: a changed body is as good as the first."""
    before = request.body
    request.body = json.dumps(body).encode()
    request.headers["Content-Length"] = str(len(request.body))
    assert send(request).status_code == 200
    request.body = before


@real_engines
def test_what_the_table_does_not_take_is_sent_again(table: str, tmp_path: Path) -> None:
    path = many.write(tmp_path / "items.json", 120)
    with bad_network() as network:
        network.next("BatchWriteItem", *[take_some] * 20)
        ran = run("import_items", path, as_is=True)
        assert network.faults == 20
    assert ran.ok, ran
    assert in_table() == as_they_are(120)


@real_engines
def test_a_bad_network_costs_time_and_nothing_else(table: str, tmp_path: Path, small_rounds: None) -> None:
    path = many.write(tmp_path / "items.json", 400)
    with bad_network() as network:
        for fault in (lose_reply, lose_request, throttle, broken, take_some):
            network.add_random_fault(0.06, _only_for_batches(fault))
        ran = run("import_items", path, as_is=True)
        assert network.faults > 3
    assert ran.ok, ran
    assert ran.out == "Imported 400 items from 400 lines.\n"
    assert in_table() == as_they_are(400)


@on_dynoxide
def test_large_items_go_in_smaller_batches(table: str, tmp_path: Path) -> None:
    """Text other than ASCII grows on the way, and a request ends at 16 MB."""
    path = file_of(tmp_path, *(plain(PK=f"NOTHING#{number}", SK="X", text="ñ" * 190_000) for number in range(12)))
    with bad_network() as network:
        assert run("import_items", path).ok
        sizes = [len(each["RequestItems"][settings.DYNAMODB_TABLE]) for each in network.calls("BatchWriteItem")]
    assert (sum(sizes), max(sizes)) == (12, 5)
    assert len(in_table()) == 12


def _only_for_batches(fault: Any) -> Any:
    def befalls(send: Send, request: AWSPreparedRequest) -> AWSResponse:
        if parse_request(request).operation != "BatchWriteItem":
            return send(request)
        found: AWSResponse = fault(send, request)
        return found

    return befalls


@on_dynoxide
def test_when_the_table_is_gone_the_import_stops_and_goes_on_later(
    table: str, tmp_path: Path, small_rounds: None
) -> None:
    bad = {60: "{", 130: "no", 190: "[]"}
    lines = [bad.get(number) or json.dumps({"Item": many.item(number)}) for number in range(200)]
    path = file_of(tmp_path, *lines)
    errors = tmp_path / "errors"
    with bad_network() as network:
        run("import_items", path, table="no-such-table")
        network.next("BatchWriteItem", *[_as_ever] * 5, *[lose_request] * 1000)
        ran = run("import_items", path, as_is=True, errors=errors)
    assert ran.failure.startswith("The table does not answer: ")
    assert ran.failure.endswith("run the same command again to continue.")
    done = state(path)["line"]
    assert done in (50, 100, 150)
    with errors.open("a") as file:
        file.write("999\twritten after the checkpoint, and then the machine stopped\n")

    ran = run("import_items", path, as_is=True, errors=errors)
    assert f"Continuing after line {done}." in ran.err
    assert ran.out == "Imported 197 items from 200 lines.\n", "what was done before counts"
    assert ran.failure == "3 lines could not be imported."
    assert [line.split("\t")[0] for line in errors.read_text().splitlines()] == ["61", "131", "191"]
    wanted = {key: raw for number, (key, raw) in enumerate(as_they_are(200).items()) if number not in bad}
    assert in_table() == wanted


def _as_ever(send: Send, request: AWSPreparedRequest) -> AWSResponse:
    return send(request)


@on_dynoxide
def test_a_refusal_stops_at_once(table: str, tmp_path: Path) -> None:
    path = many.write(tmp_path / "items.json", 30)
    with bad_network() as network:
        network.next("BatchWriteItem", *[error_reply(400, "AccessDeniedException")] * 9)
        ran = run("import_items", path)
        assert len(network.calls("BatchWriteItem")) <= 2
    assert ran.failure.startswith("The table refuses: ")


# --- The checkpoint is only good for the same work -----------------------------------------------
@pytest.fixture
def cut_off(table: str, tmp_path: Path, small_rounds: None) -> Path:
    """A file of 200 items of which a hundred or so are in the table."""
    path = many.write(tmp_path / "items.json", 200)
    with bad_network() as network:
        network.next("BatchWriteItem", *[_as_ever] * 4, *[lose_request] * 1000)
        assert not run("import_items", path, as_is=True).ok
    assert 0 < state(path)["line"] < 200
    return path


@on_dynoxide
def test_it_continues(cut_off: Path) -> None:
    before = state(cut_off)["line"]
    with bad_network() as network:
        ran = run("import_items", cut_off, as_is=True)
        sent_again = sum(len(each["RequestItems"][settings.DYNAMODB_TABLE]) for each in network.calls("BatchWriteItem"))
    assert "Continuing" in ran.err
    assert sent_again == 200 - before
    assert in_table() == as_they_are(200)


@on_dynoxide
def test_a_file_that_changed_begins_anew(cut_off: Path) -> None:
    many.write(cut_off, 210)
    ran = run("import_items", cut_off, as_is=True)
    assert "Continuing" not in ran.err
    assert ran.out == "Imported 210 items from 210 lines.\n"
    assert in_table() == as_they_are(210)


@on_dynoxide
def test_a_table_made_anew_begins_anew(cut_off: Path) -> None:
    """The same name, another table: what the checkpoint says is done is not in it."""
    connection.client().delete_table(TableName=settings.DYNAMODB_TABLE)
    admin.create_table()
    ran = run("import_items", cut_off, as_is=True)
    assert "Continuing" not in ran.err
    assert in_table() == as_they_are(200)


@on_dynoxide
def test_begin_anew_on_request_and_with_other_options(cut_off: Path) -> None:
    before = cut_off.with_name("items.json.checkpoint").read_text()
    assert "Continuing" not in run("import_items", cut_off, as_is=True, restart=True).err
    cut_off.with_name("items.json.checkpoint").write_text(before)
    assert "Continuing" not in run("import_items", cut_off).err, "half of the items would lack their index keys"
    assert all("GSI1PK" in raw or "GSI2PK" in raw or "GSITypePK" in raw for raw in in_table().values())
    assert in_table().keys() == as_they_are(200).keys()


@on_dynoxide
@pytest.mark.parametrize("text", ["", "{", "[]", '{"work": 3}'])
def test_a_checkpoint_that_is_none_begins_anew(cut_off: Path, text: str) -> None:
    cut_off.with_name("items.json.checkpoint").write_text(text)
    assert run("import_items", cut_off, as_is=True).ok
    assert in_table() == as_they_are(200)


@on_dynoxide
def test_the_checkpoint_may_stand_elsewhere(table: str, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    path = many.write(tmp_path / "items.json", 30)
    with bad_network() as network:
        network.next("BatchWriteItem", *[lose_request] * 1000)
        run("import_items", path, checkpoint=tmp_path / "elsewhere" / "progress")
    ran = run("import_items", path, checkpoint=tmp_path / "nowhere" / "progress")
    assert ran.failure.startswith("No such file or directory: ")
