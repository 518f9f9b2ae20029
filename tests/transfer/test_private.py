"""Files that the commands write are private, because they may contain password hashes."""

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
from tests.transfer.helpers import run, start_process, write_lines


@pytest.fixture(autouse=True)
def permissive_umask() -> Iterator[None]:
    """The most permissive umask."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def stop_after_first_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command stops after it has saved its first checkpoint."""
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


def test_an_export_is_private(table: str, tmp_path: Path) -> None:
    put_many(3)
    assert run("export_items", tmp_path / "out.json").ok
    assert mode(tmp_path / "out.json") == 0o600


def test_the_files_of_an_unfinished_export_are_private(
    table: str, tmp_path: Path, stop_after_first_checkpoint: None
) -> None:
    put_many(30)
    assert not run("export_items", tmp_path / "out.json").ok
    assert {each.name: mode(each) for each in tmp_path.iterdir()} == {
        "out.json.part": 0o600,
        "out.json.checkpoint": 0o600,
    }


def test_an_export_makes_existing_files_private(table: str, tmp_path: Path, stop_after_first_checkpoint: None) -> None:
    put_many(30)
    for name in ("out.json", "out.json.part", "out.json.checkpoint", "out.json.checkpoint.new"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o666)
    assert not run("export_items", tmp_path / "out.json", force=True).ok
    assert mode(tmp_path / "out.json.part") == mode(tmp_path / "out.json.checkpoint") == 0o600


def test_the_files_of_an_unfinished_import_are_private(
    table: str, tmp_path: Path, stop_after_first_checkpoint: None
) -> None:
    path = write_lines(tmp_path, *["{"] * 30)
    assert not run("import_items", path, errors=tmp_path / "errors").ok
    assert mode(tmp_path / "items.json.checkpoint") == mode(tmp_path / "errors") == 0o600
    (tmp_path / "errors").chmod(0o644)
    assert not run("import_items", path, errors=tmp_path / "errors").ok
    assert mode(tmp_path / "errors") == 0o600, "an existing file too"
    assert len((tmp_path / "errors").read_text().splitlines()) == 20, "the file is continued"


def test_the_checkpoint_of_an_unfinished_reindex_is_private(
    table: str, tmp_path: Path, stop_after_first_checkpoint: None
) -> None:
    put_many(30)
    assert not run("reindex", checkpoint=tmp_path / "checkpoint").ok
    assert mode(tmp_path / "checkpoint") == 0o600


def test_the_mode_of_a_device_is_unchanged() -> None:
    before = mode(Path("/dev/null"))
    open_private(Path("/dev/null"), "wb").close()
    assert mode(Path("/dev/null")) == before


def test_nothing_is_written_to_a_file_that_cannot_be_made_private(
    table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file belongs to another user."""

    def refuse(descriptor: int, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted", descriptor)

    put_many(3)
    part = tmp_path / "out.json.part"
    part.touch(0o666)
    monkeypatch.setattr(os, "fchmod", refuse)
    assert run("export_items", tmp_path / "out.json").failure == f"Operation not permitted: {part}"
    assert part.read_bytes() == b""


# --- A started process reaches only the engine of the test ---------------------------------------
@on_dynoxide
def test_a_started_command_cannot_reach_aws(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the environment and the home directory contain."""
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
    process = start_process("export_items", tmp_path / "out.json")
    out, err = process.communicate()
    assert process.returncode == 0, err.decode()
    assert b" at http://127.0.0.1:" in err
    assert b"amazonaws" not in out + err


@pytest.mark.parametrize("endpoint", ["", "https://dynamodb.us-east-1.amazonaws.com", "http://127.0.0.1.example.com"])
def test_no_command_is_started_without_an_engine(monkeypatch: pytest.MonkeyPatch, endpoint: str) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
    with pytest.raises(AssertionError, match="is no engine of the tests"):
        start_process("export_items", "nowhere")
