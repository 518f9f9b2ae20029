"""An import or export that is killed continues where it was: nothing is lost or written twice."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from django.conf import settings

from dashboard.table import admin, connection
from tests.table.notes import on_dynoxide
from tests.transfer import sample_items
from tests.transfer.helpers import run, start_process, stored_items, write_lines
from tests.transfer.test_resume import checkpoint_state, expected_items


def kill_after_line(process: subprocess.Popen[bytes], path: Path, line: int) -> bool:
    """Kill the process once it is beyond a line; False if it ended before."""
    checkpoint = path.with_name(f"{path.name}.checkpoint")
    while process.poll() is None:
        if checkpoint.exists() and checkpoint_state(path).get("line", checkpoint_state(path).get("items", 0)) >= line:
            time.sleep(0.02)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            return process.returncode == -signal.SIGKILL
        time.sleep(0.005)
    return False


@on_dynoxide
@pytest.mark.slow
def test_an_import_killed_several_times_is_continued(table: str, tmp_path: Path) -> None:
    """6000 items, every tenth key twice: the last line of each key is stored."""
    count = 6000
    lines = [json.dumps({"Item": sample_items.item(number)}) for number in range(count)]
    for number in range(0, count, 10):
        lines[number // 2] = json.dumps({"Item": sample_items.item(number) | {"early": {"BOOL": True}}})
    lines += [json.dumps({"Item": sample_items.item(number)}) for number in range(count // 2 + 1)]
    path = write_lines(tmp_path, *lines)

    kills = sum(
        kill_after_line(start_process("import_items", path, "--as-is"), path, line) for line in (1000, 3000, 5000, 7000)
    )
    assert kills >= 3, "it was killed while it was running"
    assert path.with_name("items.json.checkpoint").exists()
    process = start_process("import_items", path, "--as-is")
    out, err = process.communicate()
    assert process.returncode == 0, err.decode()
    assert b"Continuing after line" in err
    assert f"from {len(lines):,} lines." in out.decode()
    assert stored_items() == expected_items(count)


@on_dynoxide
@pytest.mark.slow
def test_a_killed_export_is_continued(table: str, tmp_path: Path) -> None:
    run("import_items", sample_items.write(tmp_path / "items.json", 5000), as_is=True)
    path = tmp_path / "out.json.gz"
    assert kill_after_line(start_process("export_items", path), path, 1)
    assert not path.exists(), "the file appears only when it is complete"
    with (tmp_path / "out.json.gz.part").open("ab") as file:
        file.write(b"half a page")
    process = start_process("export_items", path)
    out, err = process.communicate()
    assert process.returncode == 0, err.decode()
    assert out == f"Exported 5,000 items to {path}.\n".encode()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["items.json", "out.json.gz"]

    before = stored_items()
    connection.client().delete_table(TableName=settings.DYNAMODB_TABLE)
    admin.create_table()
    assert run("import_items", path, as_is=True).summary == "Imported 5,000 items from 5,000 lines.\n"
    assert stored_items() == before
