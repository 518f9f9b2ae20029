"""HTTP requests to other hosts, whose URLs were written by somebody else.

The host is resolved once for each request, all its addresses are checked, and the connection is made to one of these
addresses. Redirects are never followed here. One deadline covers everything: the lookup, the connection, sending and
reading. The request says nothing about the person: no cookie, no referrer, no address, and always the same agent.
"""

from __future__ import annotations

import functools
import http.client
import io
import re
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.utils.encoding import iri_to_uri

from dashboard.web import outside_addresses

AGENT = "Trastienda"
_CONNECT_SECONDS = 3.0
_PORTS = {"http": 80, "https": 443}
_PART = 64 * 1024
# Names and addresses. Others could not be sent in a header.
_HOST = re.compile(r"[a-z0-9._:-]+")


class BadUrl(Exception):
    """A URL that may not be requested: another scheme or port, a password, or no host."""


@dataclass(frozen=True)
class Location:
    """The parts of a URL that a request needs."""

    scheme: str
    host: str
    path: str

    @classmethod
    def of(cls, url: str) -> Location:
        """Raises `BadUrl`."""
        try:
            parts = urlsplit(url)
            host = (parts.hostname or "").encode("idna").decode().lower()
            port = parts.port
        except ValueError:
            raise BadUrl from None
        expected = _PORTS.get(parts.scheme)
        has_password = parts.username is not None or parts.password is not None
        if expected is None or port not in (None, expected) or has_password or not _HOST.fullmatch(host):
            raise BadUrl
        path = iri_to_uri((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        return cls(parts.scheme, host, path if path.startswith("/") else f"/{path}")

    @property
    def port(self) -> int:
        return _PORTS[self.scheme]

    @property
    def host_header(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host


class Deadline:
    """The end of the time for everything: lookups, connections, redirects and reading."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def remaining(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


@contextmanager
def request(
    method: str,
    location: Location,
    deadline: Deadline,
    headers: Mapping[str, str],
    body: bytes | None = None,
) -> Iterator[http.client.HTTPResponse]:
    """Send a request; the response can be read inside the block.

    Raises `NotPublic`, `UnknownHost`, `TimeoutError`, `OSError`, `http.client.HTTPException` or `ValueError`.
    """
    raw = _connect(location, deadline)
    try:
        connection = http.client.HTTPConnection(location.host, location.port)
        connection.sock = _TimedSocket(raw, deadline)
        connection.putrequest(method, location.path, skip_host=True, skip_accept_encoding=True)
        connection.putheader("Host", location.host_header)
        connection.putheader("User-Agent", AGENT)
        # Nothing is decompressed, so a small compressed body cannot become a large one.
        connection.putheader("Accept-Encoding", "identity")
        connection.putheader("Connection", "close")
        for name, value in headers.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        yield connection.getresponse()
    finally:
        raw.close()


def _connect(location: Location, deadline: Deadline) -> socket.socket:
    """Connect to an address that was checked: a second lookup could give another one."""
    addresses = outside_addresses.find_public_addresses(location.host, location.port, deadline.remaining())
    sock = _open_any(addresses, location.port, deadline)
    if location.scheme != "https":
        return sock
    try:
        sock.settimeout(deadline.remaining())
        return _tls().wrap_socket(sock, server_hostname=location.host)
    except BaseException:
        sock.close()
        raise


def _open_any(addresses: list[str], port: int, deadline: Deadline) -> socket.socket:
    """The first address that answers: a network may have no IPv6."""
    for address in addresses[:-1]:
        try:
            return open_socket(address, port, min(_CONNECT_SECONDS, deadline.remaining() / 2))
        except OSError:
            continue
    return open_socket(addresses[-1], port, min(_CONNECT_SECONDS, deadline.remaining()))


def open_socket(address: str, port: int, seconds: float) -> socket.socket:
    return socket.create_connection((address, port), timeout=seconds)


@functools.cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


class _TimedSocket:
    """A socket for `http.client` that applies the deadline to every read.

    A timeout of the socket would begin again with each byte, so a host could send one byte every few seconds.
    """

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock, self._deadline = sock, deadline

    def sendall(self, data: Any) -> None:
        self._sock.settimeout(self._deadline.remaining())
        self._sock.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self._sock, self._deadline), _PART)

    def close(self) -> None:
        """`http.client` closes it before the body is read. `request` closes the socket."""


class _TimedReader(io.RawIOBase):
    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock, self._deadline = sock, deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._sock.settimeout(self._deadline.remaining())
        return self._sock.recv_into(buffer)
