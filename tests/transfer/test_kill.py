"""Killed at any moment, an import or an export goes on where it was: nothing lost, nothing twice."""

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
from tests.transfer.helpers import file_of, in_table, run, started
from tests.transfer.test_resume import as_they_are, state


def kill_while(process: subprocess.Popen[bytes], path: Path, line: int) -> bool:
    """Kill it once it is beyond a line; false where it ended before."""
    checkpoint = path.with_name(f"{path.name}.checkpoint")
    while process.poll() is None:
        if checkpoint.exists() and state(path).get("line", state(path).get("items", 0)) >= line:
            time.sleep(0.02)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            return process.returncode == -signal.SIGKILL
        time.sleep(0.005)
    return False


@on_dynoxide
@pytest.mark.slow
def test_killed_again_and_again(table: str, tmp_path: Path) -> None:
    """Six thousand items, every tenth key twice: the file's last word stands, and nothing else."""
    count = 6000
    lines = [json.dumps({"Item": sample_items.item(number)}) for number in range(count)]
    for number in range(0, count, 10):
        lines[number // 2] = json.dumps({"Item": sample_items.item(number) | {"early": {"BOOL": True}}})
    lines += [json.dumps({"Item": sample_items.item(number)}) for number in range(count // 2 + 1)]
    path = file_of(tmp_path, *lines)

    kills = sum(kill_while(started("import_items", path, "--as-is"), path, line) for line in (1000, 3000, 5000, 7000))
    assert kills >= 3, "it was still at work when it was killed"
    assert path.with_name("items.json.checkpoint").exists()
    process = started("import_items", path, "--as-is")
    out, err = process.communicate()
    assert process.returncode == 0, err.decode()
    assert b"Continuing after line" in err
    assert f"from {len(lines):,} lines." in out.decode()
    assert in_table() == as_they_are(count)


@on_dynoxide
@pytest.mark.slow
def test_an_export_killed_on_the_way(table: str, tmp_path: Path) -> None:
    run("import_items", sample_items.write(tmp_path / "items.json", 5000), as_is=True)
    path = tmp_path / "out.json.gz"
    assert kill_while(started("export_items", path), path, 1)
    assert not path.exists(), "a file that is there is whole"
    with (tmp_path / "out.json.gz.part").open("ab") as file:
        file.write(b"half a page")
    process = started("export_items", path)
    out, err = process.communicate()
    assert process.returncode == 0, err.decode()
    assert out == f"Exported 5,000 items to {path}.\n".encode()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["items.json", "out.json.gz"]

    before = in_table()
    connection.client().delete_table(TableName=settings.DYNAMODB_TABLE)
    admin.create_table()
    assert run("import_items", path, as_is=True).out == "Imported 5,000 items from 5,000 lines.\n"
    assert in_table() == before
