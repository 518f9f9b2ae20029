"""`import_items` of many items into Dynoxide: memory, speed, and kill -9 on the way. `make bench ARGS=import`."""

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


def peak(process: subprocess.Popen[bytes]) -> int:
    """The most memory a process ever had, in MB."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) // 1024
    return 0


def done(path: Path) -> int:
    """How many lines the checkpoint says are in the table."""
    try:
        return int(json.loads(path.with_name(f"{path.name}.checkpoint").read_text())["state"]["line"])
    except (FileNotFoundError, ValueError):
        return 0


def watched(process: subprocess.Popen[bytes], path: Path) -> tuple[int, int]:
    """The most memory a command had by a fifth of the way, and at its end."""
    early = late = furthest = 0
    while process.poll() is None:
        try:
            late = peak(process) or late
        except FileNotFoundError:
            break
        furthest = max(furthest, done(path))  # At the end there is no checkpoint any more.
        if furthest <= COUNT // 5:
            early = late
        time.sleep(0.1)
    return early, late


def empty_table() -> None:
    connection.client().delete_table(TableName=connection.table().table_name)
    create_table()


def plain_loop(raws: Iterable[Raw]) -> float:
    """Items a second of boto3's own batch writer, one batch after the other."""
    resource = boto3.resource("dynamodb")
    read = TypeDeserializer().deserialize
    items = [{name: read(value) for name, value in raw.items()} for raw in raws]
    empty_table()
    since = time.perf_counter()
    with resource.Table(connection.table().table_name).batch_writer() as batch:
        for item in items:
            batch.put_item(Item=item)
    return len(items) / (time.perf_counter() - since)


def command(path: Path, *options: str) -> float:
    """Seconds the command takes from start to end."""
    since = time.perf_counter()
    process = start_process("import_items", path, *options)
    _, errors = process.communicate()
    assert process.returncode == 0, errors.decode()
    return time.perf_counter() - since


def killed_and_whole(path: Path) -> None:
    """Kill -9 on the first tenth of the way, then the rest in one go: memory on it, and what is in the table."""
    kills = 0
    for share in (0.02, 0.04, 0.06, 0.08):
        process = start_process("import_items", path)
        while process.poll() is None and done(path) < COUNT * share:
            time.sleep(0.02)
        kills += process.poll() is None
        process.kill()
        process.communicate()
    process = start_process("import_items", path)
    early, late = watched(process, path)
    assert process.wait() == 0
    print(f"  memory: {early} MB at most by a fifth of the way, {late} MB at most by the end")
    found = stored_items()
    for number in range(COUNT):
        wanted = sample_items.item(number)
        raw = found.pop((wanted["PK"]["S"], wanted["SK"]["S"]))
        assert {name: value for name, value in raw.items() if not name.startswith("GSI")} == wanted
        assert len(raw) > len(wanted)
    assert found == {}
    print(f"  after {kills} times kill -9: the {COUNT:,} items of the file, none lost, none twice, none changed")


def speed(folder: Path) -> None:
    """Items a second, as a ratio to boto3's batch writer in a loop on the same items in the same run."""
    few = sample_items.write(folder / "few.json", SAMPLE)
    starting = command(sample_items.write(folder / "one.json", 1))
    bare = plain_loop(sample_items.item(number) for number in range(SAMPLE))
    empty_table()
    rate = SAMPLE / (command(few, "--as-is") - starting)
    print(f"  {SAMPLE:,} items as they are: x{rate / bare:.2f} of boto3's batch writer in a loop, in items a second")
    finished: list[Raw] = []
    for threads in ("4", "1", "2", "8"):
        empty_table()
        rate = SAMPLE / (command(few, "--threads", threads) - starting)
        finished = finished or list(stored_items().values())
        base = plain_loop(finished)
        print(f"  with index keys computed, {threads} threads: x{rate / base:.2f} of that loop on the finished items")


def main() -> None:
    with demo.engine() as engine, tempfile.TemporaryDirectory() as folder:
        print(f"Engine: {engine}, {COUNT:,} items", flush=True)
        assert engine == "dynoxide", "This is about Dynoxide, and npm cannot fetch it here."
        killed_and_whole(sample_items.write(Path(folder, "many.json.gz"), COUNT))
        speed(Path(folder))


if __name__ == "__main__":
    main()
