"""What the commands write is for whoever runs them: it may hold password hashes, or lines of them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dashboard.platform.transfer import reindex, table_export, table_import
from dashboard.platform.transfer.checkpoint import Checkpoint
from dashboard.platform.transfer.private_files import open_private
from dashboard.platform.transfer.target import Stopped
from dashboard.table import connection
from tests.table.notes import on_dynoxide
from tests.transfer import sample_items
from tests.transfer.helpers import file_of, run, started


@pytest.fixture(autouse=True)
def open_to_all() -> Iterator[None]:
    """The most careless umask there is."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def stopping(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command stops once it has saved how far it is."""
    save = Checkpoint.save

    def stop(self: Checkpoint, state: dict[str, Any]) -> None:
        save(self, state)
        raise Stopped("The table does not answer.")

    for module, name in ((table_export, "PAGE"), (table_import, "ROUND_LINES"), (reindex, "PAGE")):
        monkeypatch.setattr(module, name, 10)
    monkeypatch.setattr(Checkpoint, "save", stop)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def put_many(count: int) -> None:
    for number in range(count):
        connection.table().put_item(*_keys(number))


def _keys(number: int) -> tuple[str, str]:
    return f"NOTHING#{number}", "X"


def test_an_export(table: str, tmp_path: Path) -> None:
    put_many(3)
    assert run("export_items", tmp_path / "out.json").ok
    assert mode(tmp_path / "out.json") == 0o600


def test_an_export_on_its_way(table: str, tmp_path: Path, stopping: None) -> None:
    put_many(30)
    assert not run("export_items", tmp_path / "out.json").ok
    assert {each.name: mode(each) for each in tmp_path.iterdir()} == {
        "out.json.part": 0o600,
        "out.json.checkpoint": 0o600,
    }


def test_an_export_over_files_that_others_could_read(table: str, tmp_path: Path, stopping: None) -> None:
    put_many(30)
    for name in ("out.json", "out.json.part", "out.json.checkpoint", "out.json.checkpoint.new"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o666)
    assert not run("export_items", tmp_path / "out.json", force=True).ok
    assert mode(tmp_path / "out.json.part") == mode(tmp_path / "out.json.checkpoint") == 0o600


def test_an_import_on_its_way(table: str, tmp_path: Path, stopping: None) -> None:
    path = file_of(tmp_path, *["{"] * 30)
    assert not run("import_items", path, errors=tmp_path / "errors").ok
    assert mode(tmp_path / "items.json.checkpoint") == mode(tmp_path / "errors") == 0o600
    (tmp_path / "errors").chmod(0o644)
    assert not run("import_items", path, errors=tmp_path / "errors").ok
    assert mode(tmp_path / "errors") == 0o600, "one that is there already too"
    assert len((tmp_path / "errors").read_text().splitlines()) == 20, "and it is continued"


def test_a_reindex_on_its_way(table: str, tmp_path: Path, stopping: None) -> None:
    put_many(30)
    assert not run("reindex", checkpoint=tmp_path / "checkpoint").ok
    assert mode(tmp_path / "checkpoint") == 0o600


def test_a_device_stays_everybodys() -> None:
    before = mode(Path("/dev/null"))
    open_private(Path("/dev/null"), "wb").close()
    assert mode(Path("/dev/null")) == before


def test_a_file_that_cannot_be_closed_to_others(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It belongs to someone else: nothing is written to it."""

    def refuse(descriptor: int, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted", descriptor)

    put_many(3)
    part = tmp_path / "out.json.part"
    part.touch(0o666)
    monkeypatch.setattr(os, "fchmod", refuse)
    assert run("export_items", tmp_path / "out.json").failure == f"Operation not permitted: {part}"
    assert part.read_bytes() == b""


# --- A process of its own reaches the engine of the test and nothing else ------------------------
@on_dynoxide
def test_a_started_command_cannot_reach_aws(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is in the environment and in the home directory of whoever runs the tests."""
    (tmp_path / ".aws").mkdir()
    real = "https://dynamodb.eu-west-1.amazonaws.com"
    (tmp_path / ".aws" / "config").write_text(
        f"[default]\nregion = eu-west-1\nendpoint_url = {real}\nignore_configured_endpoint_urls = true\n"
    )
    (tmp_path / ".aws" / "credentials").write_text("[default]\naws_access_key_id = A\naws_secret_access_key = B\n")
    for name, value in {
        "HOME": str(tmp_path),
        "AWS_PROFILE": "default",
        "AWS_REGION": "eu-west-1",
        "AWS_ENDPOINT_URL": real,
        "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true",
        "AWS_CONFIG_FILE": str(tmp_path / ".aws" / "config"),
        "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / ".aws" / "credentials"),
        "HTTP_PROXY": "http://127.0.0.1:9",
        "http_proxy": "http://127.0.0.1:9",
    }.items():
        monkeypatch.setenv(name, value)
    run("import_items", sample_items.write(tmp_path / "in.json", 3), as_is=True)
    process = started("export_items", tmp_path / "out.json")
    out, err = process.communicate()
    assert process.returncode == 0, err.decode()
    assert b" at http://127.0.0.1:" in err
    assert b"amazonaws" not in out + err


@pytest.mark.parametrize("endpoint", ["", "https://dynamodb.us-east-1.amazonaws.com", "http://127.0.0.1.example.com"])
def test_no_command_is_started_without_an_engine(monkeypatch: pytest.MonkeyPatch, endpoint: str) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
    with pytest.raises(AssertionError, match="is no engine of the tests"):
        started("export_items", "nowhere")
