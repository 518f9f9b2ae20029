"""Progress: a bar on a terminal, no output elsewhere unless requested."""

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
from tests.transfer.helpers import run, start_process


def test_without_a_terminal_no_progress_is_printed(table: str, tmp_path: Path) -> None:
    result = run("import_items", sample_items.write(tmp_path / "items.json", 30))
    assert len(result.err.splitlines()) == 1, "only the line that names the table"


def test_without_a_terminal_progress_lines_are_printed_on_request(
    table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    monkeypatch.setattr(table_import, "ROUND_LINES", 10)
    result = run("import_items", sample_items.write(tmp_path / "items.json", 30), progress=True)
    lines = result.err.splitlines()[1:]
    assert [line.split(" ", 1)[1] for line in lines] == ["0 items", "10 items", "20 items", "30 items"]
    assert lines[-1].startswith("100% ")
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 60.0)
    assert len(run("import_items", tmp_path / "items.json", progress=True).err.splitlines()) == 1


def test_without_a_total_there_is_no_percentage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    stream = io.StringIO()
    with progress.Progress(stream, total=None, of=" items", prints_lines=True) as shown_progress:
        shown_progress.reach(7, "7 items")
    assert stream.getvalue() == "7 items"


@on_dynoxide
def test_on_a_terminal_there_is_a_bar(table: str, tmp_path: Path) -> None:
    path = sample_items.write(tmp_path / "items.json.gz", 2500)
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 100))
    process = start_process("import_items", path, stderr=theirs)
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
