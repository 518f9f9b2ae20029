"""`import_items` writes the items of a file once, in the file's order, and reports bad lines."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from dashboard.platform.transfer import table_import
from dashboard.platform.transfer.source import MAX_LINE, Source
from tests.conftest import as_on_aws, every_engine
from tests.table.notes import on_dynoxide
from tests.transfer import sample_items
from tests.transfer.helpers import plain_json, run, stored_items, write_lines
from tests.transfer.test_formats import AT, WIDE

POST = {"PK": "POST#p1", "SK": "POST#p1", "userId": "ana", "status": "active", "createdAt": "2025-08-18T10:30:00Z"}


def note_line(number: int, **more: Any) -> str:
    return plain_json(PK=f"NOTHING#{number}", SK="X", number=number, **more)


@every_engine
@pytest.mark.parametrize("name", ["items.json", "items.json.gz", "a-gzip-by-another-name"])
def test_all_items_of_a_file_are_imported(table: str, tmp_path: Path, name: str) -> None:
    path = sample_items.write(tmp_path / "file.gz" if "gz" in name else tmp_path / "file", 130).rename(tmp_path / name)
    result = run("import_items", path)
    assert result.ok, result
    assert result.summary == "Imported 130 items from 130 lines.\nComputed index keys on 130 items.\n"
    stored = stored_items()
    assert len(stored) == 130
    for number in range(130):
        expected = sample_items.item(number)
        raw = stored[expected["PK"]["S"], expected["SK"]["S"]]
        assert raw.items() >= expected.items()
        assert len(raw) > len(expected)
    assert [each.name for each in tmp_path.iterdir()] == [name], "the checkpoint is removed"


def test_compression_is_detected_from_the_content(table: str, tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    path.write_bytes(gzip.compress(b"".join(sample_items.lines(3))))
    assert run("import_items", path).ok
    (tmp_path / "plain.gz").write_bytes(b"".join(sample_items.lines(5)))
    assert run("import_items", tmp_path / "plain.gz").ok
    assert len(stored_items()) == 5


@every_engine
def test_as_is_adds_no_index_keys(table: str, tmp_path: Path) -> None:
    path = sample_items.write(tmp_path / "items.json", 40)
    result = run("import_items", path, as_is=True)
    assert result.summary == "Imported 40 items from 40 lines.\n"
    expected = [sample_items.item(number) for number in range(40)]
    assert stored_items() == {(raw["PK"]["S"], raw["SK"]["S"]): raw for raw in expected}


def test_existing_index_keys_are_kept(table: str, tmp_path: Path) -> None:
    """An unpadded key, as in the document, is kept and counted; missing keys are added."""
    post = POST | {"likes": 9, "GSI3PK": "POSTS#SORTED", "GSI3SK": "9#2025-08-18T10:30:00Z", "GSI4PK": "POSTS#COMMENTS"}
    result = run("import_items", write_lines(tmp_path, plain_json(**post)))
    assert "Computed index keys on 1 items." in result.out
    assert "Left as they are: index keys of 1 items that differ (see reindex)." in result.out
    (raw,) = stored_items().values()
    assert raw["GSI3SK"] == {"S": "9#2025-08-18T10:30:00Z"}
    assert raw["GSI4SK"] == {"S": "0000000000#2025-08-18T10:30:00Z"}
    assert raw["GSI1PK"] == {"S": "POSTS#ACTIVE"}


def test_a_partition_key_that_differs_gets_no_sort_key(table: str, tmp_path: Path) -> None:
    """Our sort key with another partition key would be a wrong index entry."""
    run("import_items", write_lines(tmp_path, plain_json(**POST, GSI2PK="POSTS#banned")))
    (raw,) = stored_items().values()
    assert raw["GSI2PK"] == {"S": "POSTS#banned"}
    assert "GSI2SK" not in raw


def test_an_item_without_the_attributes_of_a_key_is_imported_without_that_key(table: str, tmp_path: Path) -> None:
    odd: list[dict[str, Any]] = [
        {"PK": "POST#1", "SK": "POST#1"},
        POST | {"PK": "POST#2", "SK": "POST#2", "createdAt": "yesterday"},
        POST
        | {"PK": "POST#3", "SK": "POST#3", "likes": -1, "commentsCount": 1.5, "userId": "a#b", "profanityScore": 7},
        POST | {"PK": "POST#4", "SK": "POST#4", "likes": 10**10, "status": "x" * 2100},
        POST | {"PK": "POST#5", "SK": "POST#5", "status": ["active"], "createdAt": 3, "likes": "many"},
        {"PK": "TENANT#a", "SK": "AUDIT#2025-01-01T00:00:00Z#1"},
        {"PK": "TENANT#a", "SK": "MEMBER#ana@example.com"},
        {"PK": "andina", "SK": "product-1", "stock": 1.5},
        {"PK": "MODLOG#2025-01-01", "SK": "2025-01-01T00:00:00Z#ana#1", "metadata": {"userId": 3}},
        {"PK": "USER#ana#shard1", "SK": "noon#1", "country": "Colombia"},
    ]
    result = run("import_items", write_lines(tmp_path, *(plain_json(**each) for each in odd)))
    assert result.ok, result
    stored = stored_items()
    assert len(stored) == len(odd)
    keys = {key: {n: v["S"] for n, v in raw.items() if n.startswith("GSI")} for key, raw in stored.items()}
    assert keys["POST#1", "POST#1"] == keys["POST#2", "POST#2"] == keys["POST#5", "POST#5"] == {}
    at = "2025-08-18T10:30:00Z"
    active = {"GSI1PK": "POSTS#ACTIVE", "GSI1SK": at, "GSI2PK": "POSTS#active", "GSI2SK": at}
    # A negative number counts as 0, so that the post stays in the feed.
    by_likes = {"GSI3PK": "POSTS#SORTED", "GSI3SK": f"0000000000#{at}"}
    assert keys["POST#3", "POST#3"] == active | by_likes
    assert keys["POST#4", "POST#4"] == {"GSITypePK": "AUTHOR#ana", "GSITypeSK": f"POST#{at}"}
    assert keys["andina", "product-1"] == {"GSI2PK": "PRODUCT#product-1", "GSI2SK": "andina"}


# --- Bad lines -----------------------------------------------------------------------------------
@every_engine
def test_bad_lines_do_not_stop_the_import(table: str, tmp_path: Path) -> None:
    lines = [
        note_line(1),
        "{",
        note_line(3),
        "",
        plain_json(PK="", SK="X"),
        "   ",
        note_line(7),
        json.dumps({"Item": WIDE | {"n": {"N": "x"}}}, default=str),
    ]
    result = run("import_items", write_lines(tmp_path, *lines))
    assert result.failure == "3 lines could not be imported."
    assert result.summary == "Imported 3 items from 8 lines.\n"
    assert [line.partition(":")[0] for line in result.err.splitlines()[1:]] == ["Line 2", "Line 5", "Line 8"]
    assert "Line 5: PK is a key and cannot be empty" in result.err
    assert {pk for pk, _ in stored_items()} == {"NOTHING#1", "NOTHING#3", "NOTHING#7"}


@every_engine
def test_items_that_only_the_table_refuses_are_reported_by_line(table: str, tmp_path: Path) -> None:
    """DynamoDB Local refuses empty text; the other items of the batch are written."""
    lines = [note_line(number, text="" if number == 17 else "x") for number in range(1, 61)]
    result = run("import_items", write_lines(tmp_path, *lines))
    refused = table == "dynamodb_local"
    assert result.ok is not refused
    assert len(stored_items()) == (59 if refused else 60)
    if refused:
        assert "Line 17: the table refuses it: " in result.err
        assert result.summary == "Imported 59 items from 60 lines.\n"


def test_many_bad_lines_are_counted_and_written_to_a_file(table: str, tmp_path: Path) -> None:
    path = write_lines(tmp_path, *["{" if number % 2 else note_line(number) for number in range(100)])
    result = run("import_items", path, errors=tmp_path / "errors")
    assert result.failure == "50 lines could not be imported."
    assert len([line for line in result.err.splitlines() if line.startswith("Line ")]) == 20
    assert "… and 30 more" in result.err
    errors = (tmp_path / "errors").read_text().splitlines()
    assert [int(line.split("\t")[0]) for line in errors] == list(range(2, 101, 2))
    assert all("not JSON" in line for line in errors)


def test_a_line_longer_than_any_item_is_refused(table: str, tmp_path: Path) -> None:
    path = write_lines(tmp_path, note_line(1), b'{"x": "' + b"x" * (2 * MAX_LINE) + b'"}', note_line(3))
    result = run("import_items", path)
    assert "Line 2: the line is longer than any item" in result.err
    assert {pk for pk, _ in stored_items()} == {"NOTHING#1", "NOTHING#3"}


def test_a_utf8_mark_and_windows_line_ends_are_accepted(table: str, tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    path.write_bytes(b"\xef\xbb\xbf" + note_line(1).encode() + b"\r\n\r\n" + note_line(2).encode())
    assert run("import_items", path).summary == "Imported 2 items from 3 lines.\n"


def test_an_empty_file_imports_nothing(table: str, tmp_path: Path) -> None:
    assert run("import_items", write_lines(tmp_path)).summary == "Imported 0 items from 0 lines.\n"


def test_a_missing_file_is_an_error(table: str, tmp_path: Path) -> None:
    assert run("import_items", tmp_path / "nowhere").failure == f"No such file or directory: {tmp_path / 'nowhere'}"
    assert run("import_items", tmp_path).failure == f"Is a directory: {tmp_path}"


@pytest.mark.parametrize("damage", [lambda data: data[:-300], lambda data: data[:400] + b"damaged" + data[407:]])
def test_a_damaged_file_is_imported_up_to_the_damage(table: str, tmp_path: Path, damage: Any) -> None:
    path = tmp_path / "items.gz"
    path.write_bytes(damage(gzip.compress(b"".join(sample_items.lines(200)))))
    result = run("import_items", path)
    assert result.failure.startswith("The file cannot be read beyond line ")
    assert len(stored_items()) == int(
        result.failure.removeprefix("The file cannot be read beyond line ").partition(":")[0]
    )


# --- The same key twice --------------------------------------------------------------------------
@every_engine
def test_of_several_lines_with_one_key_the_last_is_imported(
    table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within a batch, across batches and threads, and across rounds."""
    monkeypatch.setattr(table_import, "ROUND_LINES", 100)
    lines = [plain_json(PK=f"NOTHING#{number % 30}", SK="X", number=number) for number in range(250)]
    result = run("import_items", write_lines(tmp_path, *lines), threads=8)
    assert result.summary == "Imported 90 items from 250 lines.\nLeft out 160 lines: a later line had the same key.\n"
    expected = {f"NOTHING#{number % 30}": str(number) for number in range(220, 250)}
    assert {pk: raw["number"]["N"] for (pk, _), raw in stored_items().items()} == expected


def test_a_round_is_limited_by_its_bytes_too(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_import, "ROUND_BYTES", 10_000)
    rounds: list[int] = []
    monkeypatch.setattr(table_import.Import, "_confirm", _count_rounds(table_import.Import._confirm, rounds))
    assert run("import_items", write_lines(tmp_path, *(note_line(number, text="x" * 900) for number in range(50)))).ok
    assert len(rounds) == 5
    assert len(stored_items()) == 50


def _count_rounds(confirm: Any, rounds: list[int]) -> Any:
    def counted(self: table_import.Import, tally: Any, done: Any, refused: Any) -> None:
        rounds.append(len(done.entries))
        confirm(self, tally, done, refused)

    return counted


# --- The table -----------------------------------------------------------------------------------
@as_on_aws
def test_on_aws_the_table_must_be_named(table: str, tmp_path: Path) -> None:
    path = sample_items.write(tmp_path / "items.json", 3)
    for command in (["import_items", path], ["reindex"]):
        result = run(*command, table=None)
        assert (
            result.failure
            == "https://dynamodb.us-east-1.amazonaws.com is AWS: name the table that you mean, with --table."
        )
    assert stored_items() == {}
    assert (
        run("import_items", path).err
        == f"Table {settings.DYNAMODB_TABLE} at https://dynamodb.us-east-1.amazonaws.com\n"
    )


@on_dynoxide
def test_on_a_local_engine_the_table_of_the_settings_is_used(table: str, tmp_path: Path) -> None:
    result = run("import_items", sample_items.write(tmp_path / "items.json", 3), table=None)
    assert result.ok
    assert result.err.startswith(f"Table {settings.DYNAMODB_TABLE} at http://127.0.0.1:")
    assert len(stored_items()) == 3


def test_a_missing_table_is_an_error(table: str, tmp_path: Path) -> None:
    result = run("import_items", sample_items.write(tmp_path / "items.json", 3), table="no-such-table")
    assert "The table no-such-table at http" in result.failure
    assert "cannot be read" in result.failure


def test_two_imports_of_one_file_at_once_are_refused(table: str, tmp_path: Path) -> None:
    path = sample_items.write(tmp_path / "items.json", 3)
    with Source(path):
        assert run("import_items", path).failure == f"{path} is being imported already."
    assert run("import_items", path).ok


def test_the_input_file_cannot_be_an_output_file(table: str, tmp_path: Path) -> None:
    path = sample_items.write(tmp_path / "items.json", 3)
    before = path.read_bytes()
    for option in ("errors", "checkpoint"):
        result = run("import_items", path, **{option: tmp_path / ".." / tmp_path.name / "items.json"})
        assert result.failure == f"{path} is named twice: it would be overwritten."
    assert not run("export_items", tmp_path / "out.json", checkpoint=tmp_path / "out.json").ok
    assert path.read_bytes() == before


def test_an_item_of_an_unknown_kind_is_imported_unchanged(table: str, tmp_path: Path) -> None:
    result = run("import_items", write_lines(tmp_path, json.dumps({"Item": AT | {"a": {"SS": ["x"]}}})))
    assert result.summary == "Imported 1 items from 1 lines.\n"
    assert list(stored_items().values()) == [AT | {"a": {"SS": ["x"]}}]
