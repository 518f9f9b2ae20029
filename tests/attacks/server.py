"""Starts the server as `make serve` does, in a process of its own, and talks to it over plain sockets."""

from __future__ import annotations

import contextlib
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Self

from dashboard.dev.engines import PROJECT, free_port
from dashboard.dev.environment import local_environment
from dashboard.dev.lifetime import start_child, stop_child

HOST = "127.0.0.1"
# Slow clients come from another address than the others.
SLOW_HOST = "127.0.0.2"
# Nothing listens there: what these tests ask for needs no table.
NO_ENGINE = "http://127.0.0.1:9"
PRODUCT = "dashboard.wsgi:application"
# Requests that take as long as the test wants (tests/attacks/slow_application.py).
SLOW_APPLICATION = "tests.attacks.slow_application:application"
START_SECONDS = 60


@dataclass(frozen=True)
class Response:
    status: int
    headers: dict[str, str]
    body: bytes


class Client:
    """One connection."""

    def __init__(self, port: int, host: str = HOST, *, receive_buffer: int = 0, seconds: float = 30) -> None:
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.bind((host, 0))
        self.socket.settimeout(seconds)
        self.socket.connect((HOST, port))
        if self.socket.getsockname() == self.socket.getpeername():
            # Nothing listens yet, and the system chose the same port for this side: it would read its own request.
            self.socket.close()
            raise ConnectionRefusedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def request(self, path: str, *, method: str = "GET", headers: str = "", body: bytes = b"") -> None:
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        self.send(f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\n{length}{headers}\r\n".encode() + body)

    def response(self) -> Response:
        received = b""
        while b"\r\n\r\n" not in received:
            data = self.socket.recv(65536)
            if not data:
                raise ConnectionError(f"closed after {received!r}")
            received += data
        head, _, body = received.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length = int(headers.get("content-length", "0"))
        while len(body) < length:
            body += self.socket.recv(65536)
        return Response(int(first.split()[1]), headers, body)

    def is_closed_within(self, seconds: float) -> bool:
        """Whether the server closes the connection. What it sends before is ignored."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                if not self.socket.recv(65536):
                    return True
            except TimeoutError:
                return False
            except OSError:
                return True
        return False


@dataclass
class Server:
    port: int
    process: subprocess.Popen[bytes]

    def connect(self, host: str = HOST, *, receive_buffer: int = 0, seconds: float = 30) -> Client:
        return Client(self.port, host, receive_buffer=receive_buffer, seconds=seconds)

    def get(self, path: str, headers: str = "") -> Response:
        with self.connect() as client:
            client.request(path, headers=headers)
            return client.response()

    def median_seconds(self, path: str, times: int = 15) -> float:
        """The time of a request with a connection of its own."""
        taken = []
        for _ in range(times):
            started = time.perf_counter()
            assert self.get(path).status == 200
            taken.append(time.perf_counter() - started)
        return statistics.median(taken)


@contextlib.contextmanager
def start_server(
    application: str = PRODUCT,
    *,
    workers: int = 1,
    threads: int = 2,
    endpoint: str = NO_ENGINE,
    output: IO[bytes] | None = None,
    **environment: object,
) -> Iterator[Server]:
    """The server for the length of a `with` block. `environment` sets its limits (dashboard/server/limits.py)."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", application, "--config=python:dashboard.server.config"]
    command += [f"--bind={HOST}:{port}", f"--workers={workers}", f"--threads={threads}", "--graceful-timeout=1"]
    variables = local_environment(endpoint) | {
        "TRASTIENDA_MODE": "test",
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
    }
    variables |= {name: str(value) for name, value in environment.items()}
    process = start_child([*command, "--log-level=error"], env=variables, cwd=PROJECT, output=output)
    try:
        _wait_until_it_listens(port, process)
        yield Server(port, process)
    finally:
        stop_child(process)


def _wait_until_it_listens(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, "the server ended"
        with contextlib.suppress(OSError, ConnectionError), Client(port, seconds=START_SECONDS) as client:
            client.request("/livez")
            client.response()
            return
        time.sleep(0.05)
    raise AssertionError("the server did not start")


@contextlib.contextmanager
def sending_slowly(clients: list[Client]) -> Iterator[None]:
    """Each of these clients sends one more byte every tenth of a second, for the length of the block."""
    ended = threading.Event()

    def send() -> None:
        while not ended.wait(0.1):
            for client in clients:
                # The server may have closed it.
                with contextlib.suppress(OSError):
                    client.send(b"a")

    sending = threading.Thread(target=send)
    sending.start()
    try:
        yield
    finally:
        ended.set()
        sending.join()


def slow_sockets(server: Server, count: int, begin: bytes) -> list[Client]:
    """Connections that send the beginning of a request and then nothing."""
    clients = [server.connect(SLOW_HOST) for _ in range(count)]
    for client in clients:
        client.send(begin)
    return clients
