"""How far it is: a bar on a terminal, nothing elsewhere unless asked for."""

from __future__ import annotations

import io
import os
import pty
import select
import termios
import threading
from pathlib import Path

import pytest

from dashboard.platform.transfer import progress, table_import
from tests.table.notes import on_dynoxide
from tests.transfer import sample_items
from tests.transfer.helpers import run, started


def test_elsewhere_it_is_quiet(table: str, tmp_path: Path) -> None:
    ran = run("import_items", sample_items.write(tmp_path / "items.json", 30))
    assert len(ran.err.splitlines()) == 1, "only which table"


def test_elsewhere_a_line_now_and_then_on_request(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    monkeypatch.setattr(table_import, "ROUND_LINES", 10)
    ran = run("import_items", sample_items.write(tmp_path / "items.json", 30), progress=True)
    lines = ran.err.splitlines()[1:]
    assert [line.split(" ", 1)[1] for line in lines] == ["0 items", "10 items", "20 items", "30 items"]
    assert lines[-1].startswith("100% ")
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 60.0)
    assert len(run("import_items", tmp_path / "items.json", progress=True).err.splitlines()) == 1


def test_without_a_total_there_is_no_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    stream = io.StringIO()
    with progress.Progress(stream, total=None, of=" items", wanted=True) as told:
        told.reach(7, "7 items")
    assert stream.getvalue() == "7 items"


@on_dynoxide
def test_on_a_terminal_there_is_a_bar(table: str, tmp_path: Path) -> None:
    path = sample_items.write(tmp_path / "items.json.gz", 2500)
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 100))
    process = started("import_items", path, stderr=theirs)
    os.close(theirs)
    printed = bytearray()

    def watch() -> None:
        while select.select([ours], [], [], 60)[0]:
            try:
                printed.extend(os.read(ours, 65536))
            except OSError:
                return

    watching = threading.Thread(target=watch)
    watching.start()
    out, _ = process.communicate()
    watching.join()
    os.close(ours)
    assert process.returncode == 0, printed.decode()
    assert "100%" in printed.decode()
    assert "2,500 items" in printed.decode()
    assert out.decode().startswith("Imported 2,500 items from 2,500 lines.")
