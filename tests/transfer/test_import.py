"""`import_items`: what a file holds is in the table, once, in the file's order, and what cannot be is told by line."""

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
from tests.transfer.helpers import file_of, in_table, plain, run
from tests.transfer.test_formats import AT, WIDE

POST = {"PK": "POST#p1", "SK": "POST#p1", "userId": "ana", "status": "active", "createdAt": "2025-08-18T10:30:00Z"}


def note(number: int, **more: Any) -> str:
    return plain(PK=f"NOTHING#{number}", SK="X", number=number, **more)


@every_engine
@pytest.mark.parametrize("name", ["items.json", "items.json.gz", "a-gzip-by-another-name"])
def test_a_file_is_in_the_table(table: str, tmp_path: Path, name: str) -> None:
    path = sample_items.write(tmp_path / "file.gz" if "gz" in name else tmp_path / "file", 130).rename(tmp_path / name)
    ran = run("import_items", path)
    assert ran.ok, ran
    assert ran.out == "Imported 130 items from 130 lines.\nComputed index keys on 130 items.\n"
    stored = in_table()
    assert len(stored) == 130
    for number in range(130):
        wanted = sample_items.item(number)
        raw = stored[wanted["PK"]["S"], wanted["SK"]["S"]]
        assert raw.items() >= wanted.items()
        assert len(raw) > len(wanted)
    assert [each.name for each in tmp_path.iterdir()] == [name], "the checkpoint is gone"


def test_what_is_compressed_the_bytes_tell(table: str, tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    path.write_bytes(gzip.compress(b"".join(sample_items.lines(3))))
    assert run("import_items", path).ok
    (tmp_path / "plain.gz").write_bytes(b"".join(sample_items.lines(5)))
    assert run("import_items", tmp_path / "plain.gz").ok
    assert len(in_table()) == 5


@every_engine
def test_as_it_is(table: str, tmp_path: Path) -> None:
    path = sample_items.write(tmp_path / "items.json", 40)
    ran = run("import_items", path, as_is=True)
    assert ran.out == "Imported 40 items from 40 lines.\n"
    wanted = [sample_items.item(number) for number in range(40)]
    assert in_table() == {(raw["PK"]["S"], raw["SK"]["S"]): raw for raw in wanted}


def test_index_keys_that_are_there_are_left_alone(table: str, tmp_path: Path) -> None:
    """The document's own unpadded key stays, and is counted; what is missing is added."""
    mine = POST | {"likes": 9, "GSI3PK": "POSTS#SORTED", "GSI3SK": "9#2025-08-18T10:30:00Z", "GSI4PK": "POSTS#COMMENTS"}
    ran = run("import_items", file_of(tmp_path, plain(**mine)))
    assert "Computed index keys on 1 items." in ran.out
    assert "Left as they are: index keys of 1 items that differ (see reindex)." in ran.out
    (raw,) = in_table().values()
    assert raw["GSI3SK"] == {"S": "9#2025-08-18T10:30:00Z"}
    assert raw["GSI4SK"] == {"S": "0000000000#2025-08-18T10:30:00Z"}
    assert raw["GSI1PK"] == {"S": "POSTS#ACTIVE"}


def test_half_a_place_that_differs_is_not_completed(table: str, tmp_path: Path) -> None:
    """A sort key of ours beside another's partition would be a place that nobody meant."""
    run("import_items", file_of(tmp_path, plain(**POST, GSI2PK="POSTS#banned")))
    (raw,) = in_table().values()
    assert raw["GSI2PK"] == {"S": "POSTS#banned"}
    assert "GSI2SK" not in raw


def test_an_item_that_lacks_what_a_key_needs_is_imported_without_it(table: str, tmp_path: Path) -> None:
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
    ran = run("import_items", file_of(tmp_path, *(plain(**each) for each in odd)))
    assert ran.ok, ran
    stored = in_table()
    assert len(stored) == len(odd)
    keys = {key: {n: v["S"] for n, v in raw.items() if n.startswith("GSI")} for key, raw in stored.items()}
    assert keys["POST#1", "POST#1"] == keys["POST#2", "POST#2"] == keys["POST#5", "POST#5"] == {}
    at = "2025-08-18T10:30:00Z"
    active = {"GSI1PK": "POSTS#ACTIVE", "GSI1SK": at, "GSI2PK": "POSTS#active", "GSI2SK": at}
    # Less than nothing counts as nothing: it must not vanish from a feed.
    by_likes = {"GSI3PK": "POSTS#SORTED", "GSI3SK": f"0000000000#{at}"}
    assert keys["POST#3", "POST#3"] == active | by_likes
    assert keys["POST#4", "POST#4"] == {"GSITypePK": "AUTHOR#ana", "GSITypeSK": f"POST#{at}"}
    assert keys["andina", "product-1"] == {"GSI2PK": "PRODUCT#product-1", "GSI2SK": "andina"}


# --- Lines that are no items ---------------------------------------------------------------------
@every_engine
def test_a_bad_line_stops_nothing_else(table: str, tmp_path: Path) -> None:
    lines = [
        note(1),
        "{",
        note(3),
        "",
        plain(PK="", SK="X"),
        "   ",
        note(7),
        json.dumps({"Item": WIDE | {"n": {"N": "x"}}}, default=str),
    ]
    ran = run("import_items", file_of(tmp_path, *lines))
    assert ran.failure == "3 lines could not be imported."
    assert ran.out == "Imported 3 items from 8 lines.\n"
    assert [line.partition(":")[0] for line in ran.err.splitlines()[1:]] == ["Line 2", "Line 5", "Line 8"]
    assert "Line 5: PK is a key and cannot be empty" in ran.err
    assert {pk for pk, _ in in_table()} == {"NOTHING#1", "NOTHING#3", "NOTHING#7"}


@every_engine
def test_what_only_the_table_refuses_is_told_by_line_too(table: str, tmp_path: Path) -> None:
    """DynamoDB Local takes no empty text: the other items of the batch are written all the same."""
    lines = [note(number, text="" if number == 17 else "x") for number in range(1, 61)]
    ran = run("import_items", file_of(tmp_path, *lines))
    refused = table == "dynamodb_local"
    assert ran.ok is not refused
    assert len(in_table()) == (59 if refused else 60)
    if refused:
        assert "Line 17: the table refuses it: " in ran.err
        assert ran.out == "Imported 59 items from 60 lines.\n"


def test_many_bad_lines_are_counted_and_kept_in_a_file(table: str, tmp_path: Path) -> None:
    path = file_of(tmp_path, *["{" if number % 2 else note(number) for number in range(100)])
    ran = run("import_items", path, errors=tmp_path / "errors")
    assert ran.failure == "50 lines could not be imported."
    assert len([line for line in ran.err.splitlines() if line.startswith("Line ")]) == 20
    assert "… and 30 more" in ran.err
    errors = (tmp_path / "errors").read_text().splitlines()
    assert [int(line.split("\t")[0]) for line in errors] == list(range(2, 101, 2))
    assert all("not JSON" in line for line in errors)


def test_a_line_longer_than_any_item_does_not_fill_the_memory(table: str, tmp_path: Path) -> None:
    path = file_of(tmp_path, note(1), b'{"x": "' + b"x" * (2 * MAX_LINE) + b'"}', note(3))
    ran = run("import_items", path)
    assert "Line 2: the line is longer than any item" in ran.err
    assert {pk for pk, _ in in_table()} == {"NOTHING#1", "NOTHING#3"}


def test_a_mark_of_utf8_and_the_line_ends_of_windows(table: str, tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    path.write_bytes(b"\xef\xbb\xbf" + note(1).encode() + b"\r\n\r\n" + note(2).encode())
    assert run("import_items", path).out == "Imported 2 items from 3 lines.\n"


def test_an_empty_file_is_fine(table: str, tmp_path: Path) -> None:
    assert run("import_items", file_of(tmp_path)).out == "Imported 0 items from 0 lines.\n"


def test_a_file_that_is_not_there(table: str, tmp_path: Path) -> None:
    assert run("import_items", tmp_path / "nowhere").failure == f"No such file or directory: {tmp_path / 'nowhere'}"
    assert run("import_items", tmp_path).failure == f"Is a directory: {tmp_path}"


@pytest.mark.parametrize("damage", [lambda data: data[:-300], lambda data: data[:400] + b"damaged" + data[407:]])
def test_a_file_cut_off_is_imported_as_far_as_it_goes(table: str, tmp_path: Path, damage: Any) -> None:
    path = tmp_path / "items.gz"
    path.write_bytes(damage(gzip.compress(b"".join(sample_items.lines(200)))))
    ran = run("import_items", path)
    assert ran.failure.startswith("The file cannot be read beyond line ")
    assert len(in_table()) == int(ran.failure.removeprefix("The file cannot be read beyond line ").partition(":")[0])


# --- The same key twice --------------------------------------------------------------------------
@every_engine
def test_of_two_lines_with_one_key_the_last_counts(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a batch, across batches and threads, and across rounds."""
    monkeypatch.setattr(table_import, "ROUND_LINES", 100)
    lines = [plain(PK=f"NOTHING#{number % 30}", SK="X", number=number) for number in range(250)]
    ran = run("import_items", file_of(tmp_path, *lines), threads=8)
    assert ran.out == "Imported 90 items from 250 lines.\nLeft out 160 lines: a later line had the same key.\n"
    wanted = {f"NOTHING#{number % 30}": str(number) for number in range(220, 250)}
    assert {pk: raw["number"]["N"] for (pk, _), raw in in_table().items()} == wanted


def test_a_round_ends_by_its_bytes_too(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_import, "ROUND_BYTES", 10_000)
    rounds: list[int] = []
    monkeypatch.setattr(table_import.Import, "_confirm", _counting(table_import.Import._confirm, rounds))
    assert run("import_items", file_of(tmp_path, *(note(number, text="x" * 900) for number in range(50)))).ok
    assert len(rounds) == 5
    assert len(in_table()) == 50


def _counting(confirm: Any, rounds: list[int]) -> Any:
    def counted(self: table_import.Import, tally: Any, done: Any, refused: Any) -> None:
        rounds.append(len(done.entries))
        confirm(self, tally, done, refused)

    return counted


# --- Where to ------------------------------------------------------------------------------------
@as_on_aws
def test_on_aws_the_table_must_be_named(table: str, tmp_path: Path) -> None:
    path = sample_items.write(tmp_path / "items.json", 3)
    for command in (["import_items", path], ["reindex"]):
        ran = run(*command, table=None)
        assert (
            ran.failure
            == "https://dynamodb.us-east-1.amazonaws.com is AWS: name the table that you mean, with --table."
        )
    assert in_table() == {}
    assert (
        run("import_items", path).err
        == f"Table {settings.DYNAMODB_TABLE} at https://dynamodb.us-east-1.amazonaws.com\n"
    )


@on_dynoxide
def test_elsewhere_it_is_the_one_of_the_settings(table: str, tmp_path: Path) -> None:
    ran = run("import_items", sample_items.write(tmp_path / "items.json", 3), table=None)
    assert ran.ok
    assert ran.err.startswith(f"Table {settings.DYNAMODB_TABLE} at http://127.0.0.1:")
    assert len(in_table()) == 3


def test_a_table_that_is_not_there(table: str, tmp_path: Path) -> None:
    ran = run("import_items", sample_items.write(tmp_path / "items.json", 3), table="no-such-table")
    assert "The table no-such-table at http" in ran.failure
    assert "cannot be read" in ran.failure


def test_a_file_is_not_imported_twice_at_once(table: str, tmp_path: Path) -> None:
    path = sample_items.write(tmp_path / "items.json", 3)
    with Source(path):
        assert run("import_items", path).failure == f"{path} is being imported already."
    assert run("import_items", path).ok


def test_what_is_written_beside_a_file_is_not_that_file(table: str, tmp_path: Path) -> None:
    path = sample_items.write(tmp_path / "items.json", 3)
    before = path.read_bytes()
    for option in ("errors", "checkpoint"):
        ran = run("import_items", path, **{option: tmp_path / ".." / tmp_path.name / "items.json"})
        assert ran.failure == f"{path} is named twice: it would be overwritten."
    assert not run("export_items", tmp_path / "out.json", checkpoint=tmp_path / "out.json").ok
    assert path.read_bytes() == before


def test_an_item_of_an_unknown_kind_is_imported_as_it_is(table: str, tmp_path: Path) -> None:
    ran = run("import_items", file_of(tmp_path, json.dumps({"Item": AT | {"a": {"SS": ["x"]}}})))
    assert ran.out == "Imported 1 items from 1 lines.\n"
    assert list(in_table().values()) == [AT | {"a": {"SS": ["x"]}}]
