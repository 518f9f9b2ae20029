"""The health checks answer while everything else waits."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.test import Client

from dashboard.platform.accounts import tokens
from dashboard.table import oplog
from tests.attacks.server import HOST, SLOW_APPLICATION, Server, start_server


class Engine(BaseHTTPRequestHandler):
    """Answers every call like a table without items, until it is frozen. Counts the calls."""

    protocol_version = "HTTP/1.1"
    calls: list[str] = []
    is_frozen = threading.Event()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.calls.append(self.headers["X-Amz-Target"])
        while self.is_frozen.is_set():
            time.sleep(0.05)
        with contextlib.suppress(OSError):
            self.send_response(200)
            self.send_header("Content-Type", "application/x-amz-json-1.0")
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@pytest.fixture
def engine() -> Iterator[str]:
    Engine.calls.clear()
    Engine.is_frozen.clear()
    server = ThreadingHTTPServer((HOST, 0), Engine)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://{HOST}:{server.server_port}"
    Engine.is_frozen.clear()
    server.shutdown()
    thread.join()
    server.server_close()


def occupy(server: Server, count: int, path: str) -> list[socket.socket]:
    """Requests that occupy threads."""
    clients = [server.connect() for _ in range(count)]
    for client in clients:
        client.request(path, headers=f"Cookie: session={tokens.pack('a@example.com', 'a' * 43)}\r\n")
    time.sleep(0.3)
    return [client.socket for client in clients]


def test_livez_does_not_wait_behind_requests() -> None:
    with start_server(SLOW_APPLICATION, threads=1) as server:
        occupied = occupy(server, 5, "/wait/20")
        with server.connect(seconds=10) as client:
            for path in ("/livez", "/livez?again", "/livez"):
                client.request(path)
                assert client.response().body == b'{"status": "ok"}'
            client.request("/livez", method="HEAD")
            # It has the length of the body, and no body.
            client.socket.settimeout(10)
            assert client.socket.recv(65536).endswith(b"keep-alive\r\n\r\n")
        for each in occupied:
            each.close()


def test_healthz_does_not_wait_behind_requests() -> None:
    with start_server(SLOW_APPLICATION, threads=1) as server:
        occupied = occupy(server, 5, "/wait/20")
        with server.connect(seconds=10) as client:
            client.request("/healthz")
            assert client.response().status == 200
        for each in occupied:
            each.close()


def test_livez_makes_no_call_to_the_table() -> None:
    with oplog.recording() as log:
        assert Client().get("/livez", HTTP_HOST="10.0.0.7").json() == {"status": "ok"}
    assert log.calls == []


def test_healthz_makes_one_call_to_the_table(engine: str) -> None:
    with start_server(endpoint=engine) as server:
        Engine.calls.clear()
        assert server.get("/healthz").status == 200
        assert Engine.calls == ["DynamoDB_20120810.GetItem"]


def test_healthz_gives_up_while_other_requests_still_wait_for_the_table(engine: str) -> None:
    """Pages ask several times; the health check asks once, and answers before them."""
    with start_server(endpoint=engine, threads=2) as server:
        server.get("/healthz")
        Engine.is_frozen.set()
        pages = occupy(server, 6, "/people/")
        with server.connect(seconds=20) as client:
            client.request("/healthz")
            assert client.response().status == 503
        assert [call.partition(".")[2] for call in Engine.calls].count("GetItem") == 2
        for page in pages:
            page.settimeout(0.01)
            with pytest.raises(TimeoutError):
                page.recv(1)
            page.close()
        Engine.is_frozen.clear()
        assert server.get("/healthz").status == 200
