"""Texts from files and from the table are printed without control characters."""

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
from tests.transfer.helpers import CommandResult, put, run, write_lines
from tests.transfer.test_reindex import POST

# It sets the window's title, clears the screen, adds a line, reverses the text, and has half a character.
UNSAFE = "\x1b]0;mine\x07\x1b[2J\r\nLine 9: all is well\x9b31m\u202e\u2028\ud800"
PRINTED = "?]0;mine??[2J??Line 9: all is well?31m???"


def is_printable(*texts: str) -> bool:
    return all(printable(line) == line for text in texts for line in text.split("\n"))


def check_output(result: CommandResult) -> str:
    assert is_printable(result.out, result.err, result.failure), result
    return result.err


def test_control_characters_are_replaced_and_long_values_are_cut() -> None:
    assert printable(UNSAFE) == printable_value(UNSAFE) == PRINTED
    assert printable("Panadería São João ñ 🍞 #1") == "Panadería São João ñ 🍞 #1"
    assert printable_value("x" * 201) == "x" * 200
    assert printable_value("") == printable_value(None) == printable_value({"S": "x"}) == "?"


@pytest.mark.parametrize(
    "line",
    [
        {"PK": {"S": "A#1"}, "SK": {"S": "X"}, UNSAFE: {"S": 3}},
        {"PK": {"S": "A#1"}, "SK": {"S": "X"}, "deep": {"M": {UNSAFE: {"N": "x"}}}},
        {"PK": {"S": "A#1"}, "SK": {"S": "X"}, "number": {"N": UNSAFE}},
        {"PK": {"S": "A#1"}, "SK": {"S": "X"}, "type": {UNSAFE: 1}},
        {"PK": {"S": "A#1"}, "SK": {"S": "X"}, UNSAFE: {"SS": []}},
        {"PK": {"S": "A#1"}, "SK": {"S": "X"}, UNSAFE: {"B": "?"}},
    ],
)
def test_import_items_prints_safe_text(table: str, tmp_path: Path, line: dict[str, Any]) -> None:
    path = write_lines(tmp_path, json.dumps({"Item": line}))
    result = run("import_items", path, errors=tmp_path / "errors")
    assert result.failure == "1 lines could not be imported."
    assert check_output(result).splitlines()[1].startswith("Line 1: ")
    assert len(result.err.splitlines()) == 2, "the text adds no line"
    assert "mine" in result.err
    errors = (tmp_path / "errors").read_text()
    assert is_printable(errors.replace("\t", " "))
    assert errors.count("\n") == 1


def test_a_very_long_name_is_cut_before_the_reason(table: str, tmp_path: Path) -> None:
    line = json.dumps({"PK": {"S": "A#1"}, "SK": {"S": "X"}, "n" * 100_000: {"N": "x"}})
    result = run("import_items", write_lines(tmp_path, line), errors=tmp_path / "errors")
    assert f"Line 1: {'n' * 200} is not a number: x\n" in result.err
    assert (tmp_path / "errors").read_text() == f"1\t{'n' * 200} is not a number: x\n"


@on_dynoxide
def test_a_refusal_of_an_item_is_printed_as_safe_text(table: str, tmp_path: Path) -> None:
    refusal = error_reply(400, "ValidationException", message=UNSAFE)
    with bad_network() as network:
        network.next("BatchWriteItem", refusal)
        network.next("PutItem", refusal)
        result = run("import_items", write_lines(tmp_path, '{"PK": "A#1", "SK": "X"}'), errors=tmp_path / "errors")
    assert f"Line 1: the table refuses it: {PRINTED}\n" in check_output(result)
    assert is_printable((tmp_path / "errors").read_text().replace("\t", " "))


@on_dynoxide
@pytest.mark.parametrize("command", ["export_items", "reindex"])
def test_a_refusal_of_a_command_is_printed_as_safe_text(table: str, tmp_path: Path, command: str) -> None:
    """Missing rights give one sentence and no traceback."""
    refusal = error_reply(400, "AccessDeniedException", message=UNSAFE)
    words = [command, tmp_path / "out.json"] if command == "export_items" else [command]
    with bad_network() as network:
        network.next("Scan", refusal)
        result = run(*words, checkpoint=tmp_path / "checkpoint")
    check_output(result)
    assert result.failure.startswith("The table refuses: ")
    assert PRINTED in result.failure


def test_problems_in_a_checkpoint_are_printed_as_safe_text(
    table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anyone who can write to the folder can change the checkpoint."""
    path = write_lines(tmp_path, *["{"] * 20)
    save = Checkpoint.save

    def stop(self: Checkpoint, state: dict[str, Any]) -> None:
        save(self, state | {"problems": [[1, UNSAFE]]})
        raise Stopped(UNSAFE)

    with monkeypatch.context() as patch:
        patch.setattr(table_import, "ROUND_LINES", 10)
        patch.setattr(Checkpoint, "save", stop)
        stopped = run("import_items", path)
    assert stopped.failure.startswith(f"{PRINTED}\n")
    assert f"Line 1: {PRINTED}\n" in check_output(run("import_items", path))


def test_file_names_are_printed_as_safe_text(table: str, tmp_path: Path) -> None:
    name = UNSAFE.removesuffix("\ud800")
    assert run("export_items", tmp_path / name).out == f"Exported 0 items to {tmp_path}/{PRINTED[:-1]}.\n"
    check_output(run("export_items", tmp_path / name))
    check_output(run("import_items", tmp_path / f"{name} that is not there"))


def test_reindex_prints_safe_text(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind of an unknown item, the key of a failed item, and the reason."""
    unsafe = UNSAFE.removesuffix("\ud800")
    put({"PK": {"S": f"{unsafe}#1"}, "SK": {"S": "X"}})
    put(POST | {"PK": {"S": f"POST#{unsafe}"}, "SK": {"S": f"POST#{unsafe}"}})

    def fail(self: Post) -> None:
        raise ValueError(unsafe)

    with monkeypatch.context() as patch:
        patch.setattr(Post, "index_keys", fail)
        result = run("reindex", checkpoint=tmp_path / "checkpoint")
    check_output(result)
    assert result.failure == "The index keys of 1 items could not be computed."
    assert f"  {PRINTED[:-1]}: 1\n" in result.out
    key = f"POST#{PRINTED[:-1]}"
    assert f"{key} / {key}: ValueError: {PRINTED[:-1]}\n" in result.err
    monkeypatch.setattr(reindex.writer, "apply", lambda *_: False)
    assert f"{key} / {key}: it keeps changing\n" in check_output(run("reindex", checkpoint=tmp_path / "checkpoint"))
