"""A host on the internet that serves pictures, for the tests: a socket of this machine behind a public address."""

from __future__ import annotations

import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field

import pytest

from dashboard.web import outside_addresses, outside_connections

PUBLIC = "93.184.216.34"
NAME = "pics.example.com"
Answer = bytes | Callable[[socket.socket], None]


def http(body: bytes, *headers: str, status: str = "200 OK", length: bool = True) -> bytes:
    lines = [f"HTTP/1.1 {status}", *headers, *([f"Content-Length: {len(body)}"] if length else [])]
    return "\r\n".join([*lines, "", ""]).encode() + body


def redirect(to: str) -> bytes:
    return http(b"", f"Location: {to}", status="302 Found")


@dataclass
class OutsideHost:
    """Its answers by path, and everything that it was asked."""

    port: int
    answers: dict[str, Answer] = field(default_factory=dict)
    # The addresses of each name: one list for each lookup, the last for all others.
    names: dict[str, list[list[str]]] = field(default_factory=dict)
    lookups: list[str] = field(default_factory=list)
    connections: list[tuple[str, int]] = field(default_factory=list)
    # The first bytes of each connection.
    requests: list[bytes] = field(default_factory=list)
    # The names that clients asked for over TLS.
    server_names: list[str | None] = field(default_factory=list)
    _tls: ssl.SSLContext | None = None

    def use_tls(self, context: ssl.SSLContext) -> None:
        """Answer over TLS only."""
        context.sni_callback = lambda _sock, name, _context: self.server_names.append(name)
        self._tls = context

    def headers(self) -> dict[str, str]:
        """The headers of the latest request, by their names in lower case."""
        lines = self.requests[-1].decode("latin-1").split("\r\n")[1:]
        pairs = (line.partition(": ") for line in lines if line)
        return {name.lower(): value for name, _colon, value in pairs}

    def look_up(self, host: str, port: int) -> list[str]:
        self.lookups.append(host)
        found = self.names.get(host)
        if found is None:
            return _look_up(host, port)
        return found.pop(0) if len(found) > 1 else found[0]

    def open_socket(self, address: str, port: int, seconds: float) -> socket.socket:
        """Every public address is this host. Connections to others are only recorded."""
        self.connections.append((address, port))
        if not outside_addresses.is_public(address):
            raise ConnectionRefusedError
        return socket.create_connection(("127.0.0.1", self.port), timeout=seconds)

    def serve(self, connection: socket.socket) -> None:
        with ExitStack() as stack, suppress(OSError):
            stack.enter_context(connection).settimeout(20)
            if self._tls is not None:
                connection = stack.enter_context(self._tls.wrap_socket(connection, server_side=True))
            head = _read_request(connection)
            self.requests.append(head)
            path = head.split(b" ")[1].decode() if head.startswith((b"GET ", b"POST ")) else ""
            answer = self.answers.get(path, http(b"", status="404 Not Found"))
            if callable(answer):
                answer(connection)
            else:
                connection.sendall(answer)


def _read_request(connection: socket.socket) -> bytes:
    """The head of a request, and its body if it names its length."""
    read = connection.recv(65_536)
    head, _end, _body = read.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\nContent-Length: (\d+)", head)
    wanted = len(head) + 4 + int(length[1]) if length else 0
    while len(read) < wanted and (part := connection.recv(65_536)):
        read += part
    return read


_look_up = outside_addresses.look_up


@contextmanager
def outside_host(monkeypatch: pytest.MonkeyPatch) -> Iterator[OutsideHost]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        host = OutsideHost(server.getsockname()[1], names={NAME: [[PUBLIC]]})
        monkeypatch.setattr(outside_addresses, "look_up", host.look_up)
        monkeypatch.setattr(outside_connections, "open_socket", host.open_socket)

        def accept() -> None:
            with suppress(OSError):  # The server was closed.
                while True:
                    connection, _address = server.accept()
                    threading.Thread(target=host.serve, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield host
