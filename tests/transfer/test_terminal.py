"""What a file or the table holds reaches a terminal as text that can only be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dashboard.core.names import printable, printable_value
from dashboard.platform.transfer import reindex, table_import
from dashboard.platform.transfer.checkpoint import Checkpoint
from dashboard.platform.transfer.target import Stopped
from forum.items import Post
from tests.faults import bad_network, error_reply
from tests.table.notes import on_dynoxide
from tests.transfer.helpers import Ran, file_of, put, run
from tests.transfer.test_reindex import POST

# A new title for the window, a cleared screen, a line of its own, writing turned round, half a character.
EVIL = "\x1b]0;mine\x07\x1b[2J\r\nLine 9: all is well\x9b31m\u202e\u2028\ud800"
SHOWN = "?]0;mine??[2J??Line 9: all is well?31m???"


def read_only(*texts: str) -> bool:
    return all(printable(line) == line for text in texts for line in text.split("\n"))


def shown(ran: Ran) -> str:
    assert read_only(ran.out, ran.err, ran.failure), ran
    return ran.err


def test_the_helpers() -> None:
    assert printable(EVIL) == printable_value(EVIL) == SHOWN
    assert printable("Panadería São João ñ 🍞 #1") == "Panadería São João ñ 🍞 #1"
    assert printable_value("x" * 201) == "x" * 200
    assert printable_value("") == printable_value(None) == printable_value({"S": "x"}) == "?"


@pytest.mark.parametrize(
    "line",
    [
        {"PK": {"S": "A#1"}, "SK": {"S": "X"}, EVIL: {"S": 3}},
        {"PK": {"S": "A#1"}, "SK": {"S": "X"}, "deep": {"M": {EVIL: {"N": "x"}}}},
        {"PK": {"S": "A#1"}, "SK": {"S": "X"}, "number": {"N": EVIL}},
        {"PK": {"S": "A#1"}, "SK": {"S": "X"}, "type": {EVIL: 1}},
        {"PK": {"S": "A#1"}, "SK": {"S": "X"}, EVIL: {"SS": []}},
        {"PK": {"S": "A#1"}, "SK": {"S": "X"}, EVIL: {"B": "?"}},
    ],
)
def test_import_items(table: str, tmp_path: Path, line: dict[str, Any]) -> None:
    path = file_of(tmp_path, json.dumps({"Item": line}))
    ran = run("import_items", path, errors=tmp_path / "errors")
    assert ran.failure == "1 lines could not be imported."
    assert shown(ran).splitlines()[1].startswith("Line 1: ")
    assert len(ran.err.splitlines()) == 2, "no line that is not ours"
    assert "mine" in ran.err
    errors = (tmp_path / "errors").read_text()
    assert read_only(errors.replace("\t", " "))
    assert errors.count("\n") == 1


def test_a_name_without_end_leaves_room_for_the_reason(table: str, tmp_path: Path) -> None:
    line = json.dumps({"PK": {"S": "A#1"}, "SK": {"S": "X"}, "n" * 100_000: {"N": "x"}})
    ran = run("import_items", file_of(tmp_path, line), errors=tmp_path / "errors")
    assert f"Line 1: {'n' * 200} is not a number: x\n" in ran.err
    assert (tmp_path / "errors").read_text() == f"1\t{'n' * 200} is not a number: x\n"


@on_dynoxide
def test_what_the_table_says_of_an_item(table: str, tmp_path: Path) -> None:
    refusal = error_reply(400, "ValidationException", message=EVIL)
    with bad_network() as network:
        network.next("BatchWriteItem", refusal)
        network.next("PutItem", refusal)
        ran = run("import_items", file_of(tmp_path, '{"PK": "A#1", "SK": "X"}'), errors=tmp_path / "errors")
    assert f"Line 1: the table refuses it: {SHOWN}\n" in shown(ran)
    assert read_only((tmp_path / "errors").read_text().replace("\t", " "))


@on_dynoxide
@pytest.mark.parametrize("command", ["export_items", "reindex"])
def test_what_the_table_says_of_us(table: str, tmp_path: Path, command: str) -> None:
    """Not allowed, or not any more: a sentence, and not how the program got there."""
    refusal = error_reply(400, "AccessDeniedException", message=EVIL)
    words = [command, tmp_path / "out.json"] if command == "export_items" else [command]
    with bad_network() as network:
        network.next("Scan", refusal)
        ran = run(*words, checkpoint=tmp_path / "checkpoint")
    shown(ran)
    assert ran.failure.startswith("The table refuses: ")
    assert SHOWN in ran.failure


def test_problems_of_a_checkpoint(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever can write beside the file writes there what they like."""
    path = file_of(tmp_path, *["{"] * 20)
    save = Checkpoint.save

    def stop(self: Checkpoint, state: dict[str, Any]) -> None:
        save(self, state | {"problems": [[1, EVIL]]})
        raise Stopped(EVIL)

    with monkeypatch.context() as patch:
        patch.setattr(table_import, "ROUND_LINES", 10)
        patch.setattr(Checkpoint, "save", stop)
        stopped = run("import_items", path)
    assert stopped.failure.startswith(f"{SHOWN}\n")
    assert f"Line 1: {SHOWN}\n" in shown(run("import_items", path))


def test_file_names(table: str, tmp_path: Path) -> None:
    name = EVIL.removesuffix("\ud800")
    assert run("export_items", tmp_path / name).out == f"Exported 0 items to {tmp_path}/{SHOWN[:-1]}.\n"
    shown(run("export_items", tmp_path / name))
    shown(run("import_items", tmp_path / f"{name} that is not there"))


def test_reindex(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind of an item without a class, the key of one that fails, and why."""
    evil = EVIL.removesuffix("\ud800")
    put({"PK": {"S": f"{evil}#1"}, "SK": {"S": "X"}})
    put(POST | {"PK": {"S": f"POST#{evil}"}, "SK": {"S": f"POST#{evil}"}})

    def fail(self: Post) -> None:
        raise ValueError(evil)

    with monkeypatch.context() as patch:
        patch.setattr(Post, "index_keys", fail)
        ran = run("reindex", checkpoint=tmp_path / "checkpoint")
    shown(ran)
    assert ran.failure == "The index keys of 1 items could not be computed."
    assert f"  {SHOWN[:-1]}: 1\n" in ran.out
    key = f"POST#{SHOWN[:-1]}"
    assert f"{key} / {key}: ValueError: {SHOWN[:-1]}\n" in ran.err
    monkeypatch.setattr(reindex, "_write", lambda *_: False)
    assert f"{key} / {key}: it keeps changing\n" in shown(run("reindex", checkpoint=tmp_path / "checkpoint"))
