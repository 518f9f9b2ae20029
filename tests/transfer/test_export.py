"""`export_items` writes the whole table in the format of AWS, and an import restores it exactly."""

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
from tests.transfer.helpers import put, run, stored_items
from tests.transfer.test_formats import WIDE


def recreate_table() -> None:
    connection.client().delete_table(TableName=settings.DYNAMODB_TABLE)
    admin.create_table()


def sort_sets(value: Any) -> Any:
    """A value with its sets sorted, because sets have no order."""
    if isinstance(value, dict):
        return {name: sorted(each) if name in ("SS", "NS", "BS") else sort_sets(each) for name, each in value.items()}
    return [sort_sets(each) for each in value] if isinstance(value, list) else value


def _key(line: dict[str, Any]) -> str:
    return f"{line['Item']['PK']} {line['Item']['SK']}"


@every_engine
@pytest.mark.parametrize("name", ["out.json", "out.json.gz"])
def test_an_export_and_an_import_restore_every_attribute(table: str, tmp_path: Path, name: str) -> None:
    """Every type of value; index keys are exported as they are, right or wrong, and none is added."""
    wide: Raw = dict(WIDE)
    if table == "dynamodb_local":  # It refuses empty text.
        del wide["nothing"]
        wide["map"] = {"M": {"a": {"M": {"b": {"BS": [b"\x00"]}}}}}
    put(wide)
    put(sample_items.item(1) | {"GSI1PK": {"S": "wrong"}, "GSI1SK": {"S": "place"}, "ttl": {"N": "1"}})
    put(sample_items.item(2))
    before = sort_sets(list(stored_items().values()))
    path = tmp_path / name
    result = run("export_items", path)
    assert result.out == f"Exported 3 items to {path}.\n"
    assert path.read_bytes().startswith(b"\x1f\x8b") is name.endswith("gz")

    recreate_table()
    assert run("import_items", path, as_is=True).summary == "Imported 3 items from 3 lines.\n"
    assert sort_sets(list(stored_items().values())) == before
    run("export_items", tmp_path / "again.json")
    text = gzip.decompress(path.read_bytes()) if name.endswith("gz") else path.read_bytes()
    lines = [sort_sets(json.loads(line)) for line in text.splitlines()]
    again = [sort_sets(json.loads(line)) for line in (tmp_path / "again.json").read_bytes().splitlines()]
    assert sorted(lines, key=_key) == sorted(again, key=_key)
    assert all(line.keys() == {"Item"} for line in lines)


@every_engine
def test_an_export_reads_page_by_page(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("import_items", sample_items.write(tmp_path / "in.json", 230), as_is=True)
    monkeypatch.setattr(table_export, "PAGE", 40)
    result = run("export_items", tmp_path / "out.json.gz")
    assert result.ok, result
    lines = gzip.decompress((tmp_path / "out.json.gz").read_bytes()).splitlines()
    assert sorted(lines) == sorted(set(lines))
    raws = [json.loads(line)["Item"] for line in lines]
    assert {(raw["PK"]["S"], raw["SK"]["S"]): raw for raw in raws} == stored_items()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["in.json", "out.json.gz"]


@pytest.mark.parametrize("name", ["out.json", "out.json.gz"])
def test_an_empty_table_gives_an_empty_file(table: str, tmp_path: Path, name: str) -> None:
    assert run("export_items", tmp_path / name).out == f"Exported 0 items to {tmp_path / name}.\n"
    data = (tmp_path / name).read_bytes()
    assert (gzip.decompress(data) if name.endswith("gz") else data) == b""
    assert run("import_items", tmp_path / name).ok


def test_an_existing_file_is_replaced_only_with_force(table: str, tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("precious")
    assert run("export_items", path).failure == f"{path} is there already: name another file, or say --force."
    assert path.read_text() == "precious"
    assert run("export_items", path, force=True).ok
    assert path.read_text() == ""


def test_a_second_export_to_the_same_file_is_refused(table: str, tmp_path: Path) -> None:
    with (tmp_path / "out.json.part").open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert run("export_items", tmp_path / "out.json").failure == f"Another export writes {tmp_path / 'out.json'}."


@on_dynoxide
def test_an_interrupted_export_is_continued(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        result = run("export_items", path)
        assert result.ok
        assert "starting over" not in result.err
        assert len(network.calls("Scan")) <= 3, "it does not start over"
    raws = [json.loads(line)["Item"] for line in gzip.decompress(path.read_bytes()).splitlines()]
    assert len(raws) == 230
    assert {(raw["PK"]["S"], raw["SK"]["S"]): raw for raw in raws} == stored_items()


def _interrupt_export(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run an export that stops after its first page; return the path of the partial file."""
    monkeypatch.setattr(table_export, "PAGE", 40)
    save = Checkpoint.save

    def stop(self: Checkpoint, state: dict[str, Any]) -> None:
        save(self, state)
        raise target.Stopped("The table does not answer.")

    with monkeypatch.context() as patch:
        patch.setattr(Checkpoint, "save", stop)
        assert not run("export_items", path).ok
    return path.with_name(f"{path.name}.part")


def _damage_start(part: Path) -> None:
    """Overwrite the start: the length is unchanged, and a check of the end would not notice it."""
    with part.open("r+b") as file:
        file.write(b"\0" * 100)


@pytest.mark.parametrize("name", ["out.json", "out.json.gz"])
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda part: part.unlink(), "is missing, or shorter than it was when it was left: starting over."),
        (lambda part: part.write_bytes(b""), "is missing, or shorter than it was when it was left: starting over."),
        (
            lambda part: part.write_bytes(part.read_bytes()[:-1]),
            "is missing, or shorter than it was when it was left: starting over.",
        ),
        (_damage_start, "is not what it was when it was left: starting over."),
    ],
)
def test_a_damaged_partial_file_starts_the_export_over(
    table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, damage: Any, message: str
) -> None:
    """A damaged backup that seems complete would be worse than none."""
    run("import_items", sample_items.write(tmp_path / "in.json", 90), as_is=True)
    path = tmp_path / name
    part = _interrupt_export(path, monkeypatch)
    damage(part)
    result = run("export_items", path)
    assert result.err.splitlines()[1:] == [f"{part} {message}"]
    assert result.out == f"Exported 90 items to {path}.\n"
    data = gzip.decompress(path.read_bytes()) if name.endswith("gz") else path.read_bytes()
    raws = [json.loads(line)["Item"] for line in data.splitlines()]
    assert len(raws) == 90
    assert {(raw["PK"]["S"], raw["SK"]["S"]): raw for raw in raws} == stored_items()


@pytest.mark.parametrize("state", [None, {"end": 3, "items": 1, "start": None}, []])
def test_a_checkpoint_without_a_digest_is_ignored(
    table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: Any
) -> None:
    """Without a digest, as in older versions, or without a state."""
    run("import_items", sample_items.write(tmp_path / "in.json", 90), as_is=True)
    path = tmp_path / "out.json"
    _interrupt_export(path, monkeypatch)
    checkpoint = tmp_path / "out.json.checkpoint"
    checkpoint.write_text(json.dumps(json.loads(checkpoint.read_text()) | {"state": state}))
    assert run("export_items", path).out == f"Exported 90 items to {path}.\n"
    assert len({line for line in path.read_bytes().splitlines() if json.loads(line)}) == 90


@on_dynoxide
def test_a_checkpoint_of_another_table_is_ignored(table: str, tmp_path: Path) -> None:
    run("import_items", sample_items.write(tmp_path / "in.json", 30), as_is=True)
    path = tmp_path / "out.json"
    Checkpoint(tmp_path / "out.json.checkpoint", {"table": "another"}).save({"end": 3, "items": 1, "start": None})
    path.with_name("out.json.part").write_text("of another table")
    assert run("export_items", path).ok
    assert len(path.read_bytes().splitlines()) == 30


@on_dynoxide
def test_a_throttled_scan_is_retried(table: str, tmp_path: Path) -> None:
    run("import_items", sample_items.write(tmp_path / "in.json", 30), as_is=True)
    with bad_network() as network:
        network.next("Scan", throttle, throttle, lose_reply, throttle, throttle)
        assert run("export_items", tmp_path / "out.json").ok
    assert len((tmp_path / "out.json").read_bytes().splitlines()) == 30


def test_an_export_is_refused_in_a_request(table: str, tmp_path: Path) -> None:
    with guards.serving_request(), pytest.raises(guards.ScanRefused):
        run("export_items", tmp_path / "out.json")
