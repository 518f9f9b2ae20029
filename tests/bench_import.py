"""`import_items` of many items into Dynoxide: memory, speed, and kill -9 on the way. `make bench ARGS=import`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests import demo

import boto3  # isort: skip
import botocore.config
from boto3.dynamodb.types import TypeDeserializer

from dashboard.local.environment import local_environment
from dashboard.table import connection
from dashboard.table.admin import create_table
from dashboard.table.guards import offline
from tests.transfer import many

COUNT = int(os.environ.get("ITEMS", "150000"))
SAMPLE = min(COUNT, 20_000)


def start(path: Path, *options: str) -> subprocess.Popen[bytes]:
    """The command, as a person would run it."""
    environment = local_environment(os.environ["AWS_ENDPOINT_URL_DYNAMODB"])
    environment |= {"TRASTIENDA_MODE": "local", "DJANGO_SETTINGS_MODULE": "dashboard.settings"}
    command = [sys.executable, "manage.py", "import_items", str(path), *options]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def memory(process: subprocess.Popen[bytes], name: str) -> int:
    """MB of a process: `VmRSS` now, `VmHWM` at most."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) // 1024
    return 0


def done(path: Path) -> int:
    """How many lines the checkpoint says are in the table."""
    import json

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


def in_table() -> dict[tuple[str, str], Any]:
    """Every item, by its key."""
    found: dict[tuple[str, str], Any] = {}
    start: Any = None
    with offline():
        while True:
            more = {"ExclusiveStartKey": start} if start else {}
            answer = connection.client().scan(TableName=connection.table().table_name, **more)
            found |= {(raw["PK"]["S"], raw["SK"]["S"]): raw for raw in answer["Items"]}
            start = answer.get("LastEvaluatedKey")
            if start is None:
                return found


def plain_loop(count: int) -> float:
    """Items a second of boto3's own batch writer on the same items, one after the other."""
    resource = boto3.resource("dynamodb", config=botocore.config.Config(max_pool_connections=50))
    read = TypeDeserializer().deserialize
    items = [{name: read(value) for name, value in many.item(number).items()} for number in range(count)]
    started = time.perf_counter()
    with resource.Table(connection.table().table_name).batch_writer() as batch:
        for item in items:
            batch.put_item(Item=item)
    return count / (time.perf_counter() - started)


def command(path: Path, *options: str) -> float:
    """Seconds the command takes from start to end."""
    started = time.perf_counter()
    process = start(path, *options)
    _, errors = process.communicate()
    assert process.returncode == 0, errors.decode()
    return time.perf_counter() - started


def main() -> None:
    with demo.engine() as engine, tempfile.TemporaryDirectory() as folder:
        print(f"Engine: {engine}, {COUNT:,} items")
        assert engine == "dynoxide"
        few = many.write(Path(folder, "few.json"), SAMPLE)
        base = plain_loop(SAMPLE)
        starting = command(many.write(Path(folder, "one.json"), 1))
        for threads in os.environ.get("THREADS", "1 2 4 8").split():
            empty_table()
            rate = SAMPLE / (command(few, "--threads", threads) - starting)
            print(f"  {SAMPLE:,} items, {threads} threads: x{rate / base:.2f} of boto3's batch writer in a loop")
        empty_table()
        rate = SAMPLE / (command(few, "--as-is") - starting)
        print(f"  {SAMPLE:,} items as they are: x{rate / base:.2f}")

        path = many.write(Path(folder, "many.json.gz"), COUNT)
        empty_table()
        early, late = watched(start(path), path)
        print(f"  memory: {early} MB at most by a tenth of the way, {late} MB at most by the end")
        whole = in_table()
        assert len(whole) == COUNT

        empty_table()
        kills = 0
        for share in (0.2, 0.4, 0.6, 0.8):
            process = start(path)
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
