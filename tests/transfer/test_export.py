"""`export_items`: the whole table in a file that AWS could have written, and back again exactly."""

from __future__ import annotations

import fcntl
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from dashboard.platform.transfer import table_export, target
from dashboard.platform.transfer.checkpoint import Checkpoint
from dashboard.table import admin, connection, guards
from dashboard.table.items import Raw
from tests.conftest import every_engine
from tests.faults import bad_network, lose_reply, throttle
from tests.table.notes import on_dynoxide
from tests.transfer import sample_items
from tests.transfer.helpers import in_table, put, run
from tests.transfer.test_formats import WIDE


def empty_table() -> None:
    connection.client().delete_table(TableName=settings.DYNAMODB_TABLE)
    admin.create_table()


def in_order(value: Any) -> Any:
    """A value with its sets sorted: they have no order, and engines give them in any."""
    if isinstance(value, dict):
        return {name: sorted(each) if name in ("SS", "NS", "BS") else in_order(each) for name, each in value.items()}
    return [in_order(each) for each in value] if isinstance(value, list) else value


def _key(line: dict[str, Any]) -> str:
    return f"{line['Item']['PK']} {line['Item']['SK']}"


@every_engine
@pytest.mark.parametrize("name", ["out.json", "out.json.gz"])
def test_out_and_in_again_is_the_same_to_the_attribute(table: str, tmp_path: Path, name: str) -> None:
    """Every type there is, index keys as they are, right or wrong, and none that was not there."""
    wide: Raw = dict(WIDE)
    if table == "dynamodb_local":  # It takes no empty text anywhere.
        del wide["nothing"]
        wide["map"] = {"M": {"a": {"M": {"b": {"BS": [b"\x00"]}}}}}
    put(wide)
    put(sample_items.item(1) | {"GSI1PK": {"S": "wrong"}, "GSI1SK": {"S": "place"}, "ttl": {"N": "1"}})
    put(sample_items.item(2))
    before = in_order(list(in_table().values()))
    path = tmp_path / name
    ran = run("export_items", path)
    assert ran.out == f"Exported 3 items to {path}.\n"
    assert path.read_bytes().startswith(b"\x1f\x8b") is name.endswith("gz")

    empty_table()
    assert run("import_items", path, as_is=True).out == "Imported 3 items from 3 lines.\n"
    assert in_order(list(in_table().values())) == before
    run("export_items", tmp_path / "again.json")
    text = gzip.decompress(path.read_bytes()) if name.endswith("gz") else path.read_bytes()
    lines = [in_order(json.loads(line)) for line in text.splitlines()]
    again = [in_order(json.loads(line)) for line in (tmp_path / "again.json").read_bytes().splitlines()]
    assert sorted(lines, key=_key) == sorted(again, key=_key)
    assert all(line.keys() == {"Item"} for line in lines)


@every_engine
def test_page_by_page(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("import_items", sample_items.write(tmp_path / "in.json", 230), as_is=True)
    monkeypatch.setattr(table_export, "PAGE", 40)
    ran = run("export_items", tmp_path / "out.json.gz")
    assert ran.ok, ran
    lines = gzip.decompress((tmp_path / "out.json.gz").read_bytes()).splitlines()
    assert sorted(lines) == sorted(set(lines))
    raws = [json.loads(line)["Item"] for line in lines]
    assert {(raw["PK"]["S"], raw["SK"]["S"]): raw for raw in raws} == in_table()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["in.json", "out.json.gz"]


@pytest.mark.parametrize("name", ["out.json", "out.json.gz"])
def test_an_empty_table_is_an_empty_file(table: str, tmp_path: Path, name: str) -> None:
    assert run("export_items", tmp_path / name).out == f"Exported 0 items to {tmp_path / name}.\n"
    data = (tmp_path / name).read_bytes()
    assert (gzip.decompress(data) if name.endswith("gz") else data) == b""
    assert run("import_items", tmp_path / name).ok


def test_a_file_that_is_there_is_not_replaced_unasked(table: str, tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("precious")
    assert run("export_items", path).failure == f"{path} is there already: name another file, or say --force."
    assert path.read_text() == "precious"
    assert run("export_items", path, force=True).ok
    assert path.read_text() == ""


def test_two_exports_do_not_write_one_file(table: str, tmp_path: Path) -> None:
    with (tmp_path / "out.json.part").open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert run("export_items", tmp_path / "out.json").failure == f"Another export writes {tmp_path / 'out.json'}."


@on_dynoxide
def test_cut_off_it_goes_on(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After any page, with or without half a page written after it."""
    run("import_items", sample_items.write(tmp_path / "in.json", 230), as_is=True)
    monkeypatch.setattr(table_export, "PAGE", 40)
    path, part = tmp_path / "out.json.gz", tmp_path / "out.json.gz.part"
    for pages in (0, 1, 0):
        left = iter(range(pages))
        save = Checkpoint.save

        def stop(self: Checkpoint, state: dict[str, Any], left: Any = left, save: Any = save) -> None:
            save(self, state)
            if next(left, None) is None:
                raise target.Stopped("The table does not answer.")

        with monkeypatch.context() as patch:
            patch.setattr(Checkpoint, "save", stop)
            assert not run("export_items", path).ok
        with part.open("ab") as file:
            file.write(b"\x1f\x8b half a member")
    with bad_network() as network:
        ran = run("export_items", path)
        assert ran.ok
        assert "starting over" not in ran.err
        assert len(network.calls("Scan")) <= 3, "not from the beginning"
    raws = [json.loads(line)["Item"] for line in gzip.decompress(path.read_bytes()).splitlines()]
    assert len(raws) == 230
    assert {(raw["PK"]["S"], raw["SK"]["S"]): raw for raw in raws} == in_table()


def _cut_off(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An export of 90 items that stopped after its first page; gives what it has written."""
    monkeypatch.setattr(table_export, "PAGE", 40)
    save = Checkpoint.save

    def stop(self: Checkpoint, state: dict[str, Any]) -> None:
        save(self, state)
        raise target.Stopped("The table does not answer.")

    with monkeypatch.context() as patch:
        patch.setattr(Checkpoint, "save", stop)
        assert not run("export_items", path).ok
    return path.with_name(f"{path.name}.part")


def _spoilt(part: Path) -> None:
    """As long as it was, and its first line is nothing: far from the end, where a look at the tail would miss it."""
    with part.open("r+b") as file:
        file.write(b"\0" * 100)


@pytest.mark.parametrize("name", ["out.json", "out.json.gz"])
@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda part: part.unlink(), "is missing, or shorter than it was when it was left: starting over."),
        (lambda part: part.write_bytes(b""), "is missing, or shorter than it was when it was left: starting over."),
        (
            lambda part: part.write_bytes(part.read_bytes()[:-1]),
            "is missing, or shorter than it was when it was left: starting over.",
        ),
        (_spoilt, "is not what it was when it was left: starting over."),
    ],
)
def test_what_was_written_and_is_there_no_more_is_written_again(
    table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, harm: Any, said: str
) -> None:
    """A backup that is whole by its word and begins with nothing would be worse than none."""
    run("import_items", sample_items.write(tmp_path / "in.json", 90), as_is=True)
    path = tmp_path / name
    part = _cut_off(path, monkeypatch)
    harm(part)
    ran = run("export_items", path)
    assert ran.err.splitlines()[1:] == [f"{part} {said}"]
    assert ran.out == f"Exported 90 items to {path}.\n"
    data = gzip.decompress(path.read_bytes()) if name.endswith("gz") else path.read_bytes()
    raws = [json.loads(line)["Item"] for line in data.splitlines()]
    assert len(raws) == 90
    assert {(raw["PK"]["S"], raw["SK"]["S"]): raw for raw in raws} == in_table()


@pytest.mark.parametrize("state", [None, {"end": 3, "items": 1, "start": None}, []])
def test_a_checkpoint_that_cannot_vouch_is_none(
    table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: Any
) -> None:
    """One without a digest, as they were before, or with nothing in it."""
    run("import_items", sample_items.write(tmp_path / "in.json", 90), as_is=True)
    path = tmp_path / "out.json"
    _cut_off(path, monkeypatch)
    kept = tmp_path / "out.json.checkpoint"
    kept.write_text(json.dumps(json.loads(kept.read_text()) | {"state": state}))
    assert run("export_items", path).out == f"Exported 90 items to {path}.\n"
    assert len({line for line in path.read_bytes().splitlines() if json.loads(line)}) == 90


@on_dynoxide
def test_a_checkpoint_of_another_table_is_none(table: str, tmp_path: Path) -> None:
    run("import_items", sample_items.write(tmp_path / "in.json", 30), as_is=True)
    path = tmp_path / "out.json"
    Checkpoint(tmp_path / "out.json.checkpoint", {"table": "another"}).save({"end": 3, "items": 1, "start": None})
    path.with_name("out.json.part").write_text("of another table")
    assert run("export_items", path).ok
    assert len(path.read_bytes().splitlines()) == 30


@on_dynoxide
def test_a_busy_table_is_asked_again(table: str, tmp_path: Path) -> None:
    run("import_items", sample_items.write(tmp_path / "in.json", 30), as_is=True)
    with bad_network() as network:
        network.next("Scan", throttle, throttle, lose_reply, throttle, throttle)
        assert run("export_items", tmp_path / "out.json").ok
    assert len((tmp_path / "out.json").read_bytes().splitlines()) == 30


def test_only_offline(table: str, tmp_path: Path) -> None:
    with guards.serving_request(), pytest.raises(guards.ScanRefused):
        run("export_items", tmp_path / "out.json")
