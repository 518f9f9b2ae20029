"""Runs commands, and reads and writes the table, for tests of transfers."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import CommandError, call_command

from dashboard.dev.environment import local_environment
from dashboard.platform.table_health.items import is_report
from dashboard.table import connection
from dashboard.table.guards import offline
from dashboard.table.items import Raw, key_of

HERE = Path(__file__).parent


class CommandResult(NamedTuple):
    """The output of a command, and the reason of its failure."""

    out: str
    err: str
    failure: str

    @property
    def ok(self) -> bool:
        return not self.failure

    @property
    def summary(self) -> str:
        """The output of an import without the number of items of each kind."""
        lines = self.out.splitlines(keepends=True)
        return "".join(line for line in lines if not line.startswith(("  ", "Of unknown kinds")))


def run(*command: Any, **options: Any) -> CommandResult:
    """Run a command on the test's table; moto acts as AWS, where the table must be named."""
    out, err = io.StringIO(), io.StringIO()
    options = {"table": settings.DYNAMODB_TABLE} | options
    failure = ""
    try:
        call_command(*map(str, command), stdout=out, stderr=err, **options)
    except CommandError as error:
        assert error.returncode == 1
        failure = str(error)
    return CommandResult(out.getvalue(), err.getvalue(), failure)


def start_process(
    *command: Any, stdout: IO[bytes] | int = subprocess.PIPE, stderr: int = subprocess.PIPE, **environ: str
) -> subprocess.Popen[bytes]:
    """Start a command as a process on the same table, with an engine on this machine and never AWS."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL_DYNAMODB", "")
    if urlsplit(endpoint).hostname != "127.0.0.1":
        raise AssertionError(f"{endpoint or 'AWS'} is no engine of the tests")
    environment = local_environment(endpoint) | {
        "TRASTIENDA_MODE": "local",
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "DYNAMODB_TABLE": settings.DYNAMODB_TABLE,
        **environ,
    }
    line = [sys.executable, "manage.py", *map(str, command)]
    return subprocess.Popen(line, cwd=settings.BASE_DIR, env=environment, stdout=stdout, stderr=stderr)


def stored_items(name: str | None = None, *, with_report: bool = False) -> dict[tuple[str, str], Raw]:
    """Every item of the table by its key, without the report of `reindex` unless it is wanted."""
    found: dict[tuple[str, str], Raw] = {}
    more: dict[str, Any] = {}
    with offline():
        while True:
            request = {"TableName": name or settings.DYNAMODB_TABLE, "ConsistentRead": True, **more}
            answer = connection.client().scan(**request)
            found |= {key_of(raw): raw for raw in answer["Items"] if with_report or not is_report(raw)}
            if "LastEvaluatedKey" not in answer:
                return found
            more = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}


def put(raw: Raw) -> None:
    connection.client().put_item(TableName=settings.DYNAMODB_TABLE, Item=raw)


def plain_json(**attributes: Any) -> str:
    return json.dumps(attributes, ensure_ascii=False)


def write_lines(folder: Path, *lines: str | bytes, name: str = "items.json") -> Path:
    path = folder / name
    path.write_bytes(b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines))
    return path
