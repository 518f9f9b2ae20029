"""`import_items` of many items into Dynoxide: memory, speed, and kill -9 during it. `make bench ARGS=import`."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from tests import demo
from tests.transfer import sample_items

import boto3  # isort: skip
from boto3.dynamodb.types import TypeDeserializer

from dashboard.table import connection
from dashboard.table.admin import create_table
from dashboard.table.items import Raw
from tests.transfer.helpers import start_process, stored_items

COUNT = int(os.environ.get("ITEMS", "150000"))
SAMPLE = min(COUNT, 10_000)


def peak_memory(process: subprocess.Popen[bytes]) -> int:
    """The peak memory of a process, in MB."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) // 1024
    return 0


def imported_lines(path: Path) -> int:
    """The number of imported lines, from the checkpoint."""
    try:
        return int(json.loads(path.with_name(f"{path.name}.checkpoint").read_text())["state"]["line"])
    except (FileNotFoundError, ValueError):
        return 0


def watch_memory(process: subprocess.Popen[bytes], path: Path) -> tuple[int, int]:
    """The peak memory of a command after a fifth of the lines, and at its end."""
    early = late = furthest = 0
    while process.poll() is None:
        try:
            late = peak_memory(process) or late
        except FileNotFoundError:
            break
        furthest = max(furthest, imported_lines(path))  # The command deletes its checkpoint at the end.
        if furthest <= COUNT // 5:
            early = late
        time.sleep(0.1)
    return early, late


def empty_table() -> None:
    connection.client().delete_table(TableName=connection.table().table_name)
    create_table()


def boto3_rate(raws: Iterable[Raw]) -> float:
    """Items per second of boto3's batch writer, one batch after the other."""
    resource = boto3.resource("dynamodb")
    read = TypeDeserializer().deserialize
    items = [{name: read(value) for name, value in raw.items()} for raw in raws]
    empty_table()
    since = time.perf_counter()
    with resource.Table(connection.table().table_name).batch_writer() as batch:
        for item in items:
            batch.put_item(Item=item)
    return len(items) / (time.perf_counter() - since)


def time_import(path: Path, *options: str) -> float:
    """Runs `import_items`. Returns the seconds it takes."""
    since = time.perf_counter()
    process = start_process("import_items", path, *options)
    _, errors = process.communicate()
    assert process.returncode == 0, errors.decode()
    return time.perf_counter() - since


def check_import_after_kills(path: Path) -> None:
    """Kills the import four times, then lets it finish: prints its memory, and checks every item."""
    kills = 0
    for share in (0.02, 0.04, 0.06, 0.08):
        process = start_process("import_items", path)
        while process.poll() is None and imported_lines(path) < COUNT * share:
            time.sleep(0.02)
        kills += process.poll() is None
        process.kill()
        process.communicate()
    process = start_process("import_items", path)
    early, late = watch_memory(process, path)
    assert process.wait() == 0
    print(f"  memory: {early} MB at most after a fifth of the lines, {late} MB at most at the end")
    found = stored_items()
    for number in range(COUNT):
        expected = sample_items.item(number)
        raw = found.pop((expected["PK"]["S"], expected["SK"]["S"]))
        assert {name: value for name, value in raw.items() if not name.startswith("GSI")} == expected
        assert len(raw) > len(expected)
    assert found == {}
    print(f"  after {kills} times kill -9: all {COUNT:,} items of the file, none lost, duplicated or changed")


def measure_speed(folder: Path) -> None:
    """Items per second, as a ratio to boto3's batch writer with the same items in the same run."""
    few = sample_items.write(folder / "few.json", SAMPLE)
    start_up = time_import(sample_items.write(folder / "one.json", 1))
    base = boto3_rate(sample_items.item(number) for number in range(SAMPLE))
    empty_table()
    rate = SAMPLE / (time_import(few, "--as-is") - start_up)
    print(f"  {SAMPLE:,} items imported as they are: x{rate / base:.2f} of boto3's batch writer, in items per second")
    finished: list[Raw] = []
    for threads in ("4", "1", "2", "8"):
        empty_table()
        rate = SAMPLE / (time_import(few, "--threads", threads) - start_up)
        finished = finished or list(stored_items().values())
        base = boto3_rate(finished)
        print(f"  with index keys computed, {threads} threads: x{rate / base:.2f} of boto3's batch writer")


def main() -> None:
    with demo.engine() as engine, tempfile.TemporaryDirectory() as folder:
        print(f"Engine: {engine}, {COUNT:,} items", flush=True)
        assert engine == "dynoxide", "This benchmark needs Dynoxide, and npm cannot fetch it here."
        check_import_after_kills(sample_items.write(Path(folder, "many.json.gz"), COUNT))
        measure_speed(Path(folder))


if __name__ == "__main__":
    main()
