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

import boto3  # isort: skip
from boto3.dynamodb.types import TypeDeserializer

from dashboard.table import connection
from dashboard.table.admin import create_table
from dashboard.table.items import Raw
from tests.transfer import many
from tests.transfer.helpers import in_table, started

COUNT = int(os.environ.get("ITEMS", "150000"))
SAMPLE = min(COUNT, 20_000)


def memory(process: subprocess.Popen[bytes], name: str) -> int:
    """MB of a process: `VmRSS` now, `VmHWM` at most."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) // 1024
    return 0


def done(path: Path) -> int:
    """How many lines the checkpoint says are in the table."""
    try:
        return int(json.loads(path.with_name(f"{path.name}.checkpoint").read_text())["state"]["line"])
    except (FileNotFoundError, ValueError):
        return 0


def watched(process: subprocess.Popen[bytes], path: Path) -> tuple[int, int]:
    """The most memory a command had by a tenth of the way, and at its end."""
    early = late = 0
    while process.poll() is None:
        try:
            late = memory(process, "VmHWM") or late
        except FileNotFoundError:
            break
        if done(path) <= COUNT // 10:
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
    process = started("import_items", path, *options)
    _, errors = process.communicate()
    assert process.returncode == 0, errors.decode()
    return time.perf_counter() - since


def main() -> None:
    with demo.engine() as engine, tempfile.TemporaryDirectory() as folder:
        print(f"Engine: {engine}, {COUNT:,} items")
        assert engine == "dynoxide"
        few = many.write(Path(folder, "few.json"), SAMPLE)
        starting = command(many.write(Path(folder, "one.json"), 1))
        bare = plain_loop(many.item(number) for number in range(SAMPLE))
        empty_table()
        rate = SAMPLE / (command(few, "--as-is") - starting)
        print(
            f"  {SAMPLE:,} items as they are: x{rate / bare:.2f} of boto3's batch writer in a loop, in items a second"
        )
        for threads in os.environ.get("THREADS", "1 2 4 8").split():
            empty_table()
            rate = SAMPLE / (command(few, "--threads", threads) - starting)
            if threads == "1":
                base = plain_loop(in_table().values())
            print(
                f"  with index keys computed, {threads} threads: x{rate / base:.2f} of that loop on the finished items"
            )

        path = many.write(Path(folder, "many.json.gz"), COUNT)
        empty_table()
        early, late = watched(started("import_items", path), path)
        print(f"  memory: {early} MB at most by a tenth of the way, {late} MB at most by the end")
        whole = in_table()
        assert len(whole) == COUNT

        empty_table()
        kills = 0
        for share in (0.2, 0.4, 0.6, 0.8):
            process = started("import_items", path)
            while process.poll() is None and done(path) < COUNT * share:
                time.sleep(0.01)
            kills += process.poll() is None
            process.kill()
            process.wait()
        command(path)
        assert in_table() == whole
        print(f"  after {kills} times kill -9: the same {len(whole):,} items, none lost, none twice")


if __name__ == "__main__":
    main()
