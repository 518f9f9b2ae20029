"""An import interrupted by the network continues where it was: nothing is lost or written twice."""

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
from tests.transfer import sample_items
from tests.transfer.helpers import plain_json, run, stored_items, write_lines

Raws = dict[tuple[str, str], Any]


@pytest.fixture(autouse=True)
def short_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that does not answer stops a command quickly."""
    for module in (target, batch_writes):
        monkeypatch.setattr(module, "command_backoff", lambda: Backoff(tries=6, first=0.001, most=0.002))


@pytest.fixture
def small_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_import, "ROUND_LINES", 50)


def expected_items(count: int) -> Raws:
    raws = [sample_items.item(number) for number in range(count)]
    return {(raw["PK"]["S"], raw["SK"]["S"]): raw for raw in raws}


def checkpoint_state(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.with_name(f"{path.name}.checkpoint").read_text())["state"]
    return found


# --- A bad network -------------------------------------------------------------------------------
def write_only_three(send: Send, request: AWSPreparedRequest) -> AWSResponse:
    """The table writes three items of the batch and returns the rest, as AWS does when it is busy."""
    request_items = parse_request(request).body["RequestItems"]
    ((name, puts),) = request_items.items()
    for put in puts[:3]:
        _resend(send, request, {"RequestItems": {name: [put]}})
    left = {name: puts[3:]} if puts[3:] else {}
    return build_reply(request, 200, json.dumps({"UnprocessedItems": left}).encode())


def _resend(send: Send, request: AWSPreparedRequest, body: dict[str, Any]) -> None:
    """Send the request with another body; the test engines do not check signatures."""
    before = request.body
    request.body = json.dumps(body).encode()
    request.headers["Content-Length"] = str(len(request.body))
    assert send(request).status_code == 200
    request.body = before


@real_engines
def test_unprocessed_items_are_sent_again(table: str, tmp_path: Path) -> None:
    path = sample_items.write(tmp_path / "items.json", 120)
    with bad_network() as network:
        network.next("BatchWriteItem", *[write_only_three] * 20)
        result = run("import_items", path, as_is=True)
        assert network.faults == 20
    assert result.ok, result
    assert stored_items() == expected_items(120)


@real_engines
def test_network_faults_change_no_result(table: str, tmp_path: Path, small_rounds: None) -> None:
    path = sample_items.write(tmp_path / "items.json", 400)
    with bad_network() as network:
        for fault in (lose_reply, lose_request, throttle, broken, write_only_three):
            network.add_random_fault(0.06, _only_for_batches(fault))
        result = run("import_items", path, as_is=True)
        assert network.faults > 3
    assert result.ok, result
    assert result.summary == "Imported 400 items from 400 lines.\n"
    assert stored_items() == expected_items(400)


@on_dynoxide
def test_large_items_are_sent_in_smaller_batches(table: str, tmp_path: Path) -> None:
    """Text other than ASCII is longer in a request, and a request is limited to 16 MB."""
    path = write_lines(
        tmp_path, *(plain_json(PK=f"NOTHING#{number}", SK="X", text="ñ" * 190_000) for number in range(12))
    )
    with bad_network() as network:
        assert run("import_items", path).ok
        sizes = [len(each["RequestItems"][settings.DYNAMODB_TABLE]) for each in network.calls("BatchWriteItem")]
    assert (sum(sizes), max(sizes)) == (12, 5)
    assert len(stored_items()) == 12


def _only_for_batches(fault: Any) -> Any:
    def apply_fault(send: Send, request: AWSPreparedRequest) -> AWSResponse:
        if parse_request(request).operation != "BatchWriteItem":
            return send(request)
        found: AWSResponse = fault(send, request)
        return found

    return apply_fault


@on_dynoxide
def test_an_unreachable_table_stops_the_import_and_it_is_continued_later(
    table: str, tmp_path: Path, small_rounds: None
) -> None:
    bad = {60: "{", 130: "no", 190: "[]"}
    lines = [bad.get(number) or json.dumps({"Item": sample_items.item(number)}) for number in range(200)]
    path = write_lines(tmp_path, *lines)
    errors = tmp_path / "errors"
    with bad_network() as network:
        run("import_items", path, table="no-such-table")
        network.next("BatchWriteItem", *[_send_normally] * 5, *[lose_request] * 1000)
        result = run("import_items", path, as_is=True, errors=errors)
    assert result.failure.startswith("The table does not answer: ")
    assert result.failure.endswith("run the same command again to continue.")
    done = checkpoint_state(path)["line"]
    assert done in (50, 100, 150)
    with errors.open("a") as file:
        file.write("999\twritten after the checkpoint, and then the machine stopped\n")

    result = run("import_items", path, as_is=True, errors=errors)
    assert f"Continuing after line {done}." in result.err
    assert result.summary == "Imported 197 items from 200 lines.\n", "the count includes the first run"
    assert result.failure == "3 lines could not be imported."
    assert [line.split("\t")[0] for line in errors.read_text().splitlines()] == ["61", "131", "191"]
    expected = {key: raw for number, (key, raw) in enumerate(expected_items(200).items()) if number not in bad}
    assert stored_items() == expected


def _send_normally(send: Send, request: AWSPreparedRequest) -> AWSResponse:
    return send(request)


@on_dynoxide
def test_missing_rights_stop_the_import_at_once(table: str, tmp_path: Path) -> None:
    path = sample_items.write(tmp_path / "items.json", 30)
    with bad_network() as network:
        network.next("BatchWriteItem", *[error_reply(400, "AccessDeniedException")] * 9)
        result = run("import_items", path)
        assert len(network.calls("BatchWriteItem")) <= 2
    assert result.failure.startswith("The table refuses: ")


# --- The checkpoint is valid only for the same work ----------------------------------------------
@pytest.fixture
def interrupted_file(table: str, tmp_path: Path, small_rounds: None) -> Path:
    """A file of 200 items of which about 100 are imported."""
    path = sample_items.write(tmp_path / "items.json", 200)
    with bad_network() as network:
        network.next("BatchWriteItem", *[_send_normally] * 4, *[lose_request] * 1000)
        assert not run("import_items", path, as_is=True).ok
    assert 0 < checkpoint_state(path)["line"] < 200
    return path


@on_dynoxide
def test_an_interrupted_import_is_continued(interrupted_file: Path) -> None:
    before = checkpoint_state(interrupted_file)["line"]
    with bad_network() as network:
        result = run("import_items", interrupted_file, as_is=True)
        sent_again = sum(len(each["RequestItems"][settings.DYNAMODB_TABLE]) for each in network.calls("BatchWriteItem"))
    assert "Continuing" in result.err
    assert sent_again == 200 - before
    assert stored_items() == expected_items(200)


@on_dynoxide
def test_a_changed_file_starts_over(interrupted_file: Path) -> None:
    sample_items.write(interrupted_file, 210)
    result = run("import_items", interrupted_file, as_is=True)
    assert "Continuing" not in result.err
    assert result.summary == "Imported 210 items from 210 lines.\n"
    assert stored_items() == expected_items(210)


@on_dynoxide
def test_a_recreated_table_starts_over(interrupted_file: Path) -> None:
    """It has the same name, but not the items that the checkpoint counts as done."""
    connection.client().delete_table(TableName=settings.DYNAMODB_TABLE)
    admin.create_table()
    result = run("import_items", interrupted_file, as_is=True)
    assert "Continuing" not in result.err
    assert stored_items() == expected_items(200)


@on_dynoxide
def test_restart_and_other_options_start_over(interrupted_file: Path) -> None:
    before = interrupted_file.with_name("items.json.checkpoint").read_text()
    assert "Continuing" not in run("import_items", interrupted_file, as_is=True, restart=True).err
    interrupted_file.with_name("items.json.checkpoint").write_text(before)
    assert "Continuing" not in run("import_items", interrupted_file).err, (
        "half of the items would lack their index keys"
    )
    assert all("GSI1PK" in raw or "GSI2PK" in raw or "GSITypePK" in raw for raw in stored_items().values())
    assert stored_items().keys() == expected_items(200).keys()


@on_dynoxide
@pytest.mark.parametrize("text", ["", "{", "[]", '{"work": 3}'])
def test_an_invalid_checkpoint_starts_over(interrupted_file: Path, text: str) -> None:
    interrupted_file.with_name("items.json.checkpoint").write_text(text)
    assert run("import_items", interrupted_file, as_is=True).ok
    assert stored_items() == expected_items(200)


@on_dynoxide
def test_the_checkpoint_can_be_in_another_folder(table: str, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    path = sample_items.write(tmp_path / "items.json", 30)
    with bad_network() as network:
        network.next("BatchWriteItem", *[lose_request] * 1000)
        run("import_items", path, checkpoint=tmp_path / "elsewhere" / "progress")
    result = run("import_items", path, checkpoint=tmp_path / "nowhere" / "progress")
    assert result.failure.startswith("No such file or directory: ")
