"""Fetch a file from another host, whose URL was written by somebody else.

The time, the size and the redirects are limited. The host is resolved once for each request, its address is checked,
and the connection is made to that address. The request says nothing about the person: no cookie, no referrer, no
address, and always the same agent.
"""

from __future__ import annotations

import functools
import http.client
import io
import re
import socket
import ssl
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.utils.encoding import iri_to_uri

from dashboard.web import outside_addresses
from dashboard.web.outside_addresses import NotPublic, UnknownHost

MAX_SECONDS = 5.0
MAX_BYTES = 5 * 1024 * 1024
MAX_REDIRECTS = 3
_CONNECT_SECONDS = 3.0
_PORTS = {"http": 80, "https": 443}
_REDIRECTS = {301, 302, 303, 307, 308}
_PART = 64 * 1024
# Names and addresses. Others could not be sent in a header.
_HOST = re.compile(r"[a-z0-9._:-]+")


class FetchFailureReason(StrEnum):
    BAD_URL = "bad URL"
    NOT_PUBLIC = "not public"
    UNREACHABLE = "unreachable"
    TOO_SLOW = "too slow"
    TOO_LARGE = "too large"
    TOO_MANY_REDIRECTS = "too many redirects"
    NO_FILE = "no file"


class FetchFailed(Exception):
    def __init__(self, reason: FetchFailureReason) -> None:
        self.reason = reason
        super().__init__(reason.value)


@dataclass(frozen=True)
class Location:
    """The parts of a URL that a request needs."""

    scheme: str
    host: str
    path: str

    @classmethod
    def of(cls, url: str) -> Location:
        """Raises `FetchFailed` for a URL with another scheme or port, or with a password."""
        try:
            parts = urlsplit(url)
            host = (parts.hostname or "").encode("idna").decode().lower()
            port = parts.port
        except ValueError:
            raise FetchFailed(FetchFailureReason.BAD_URL) from None
        expected = _PORTS.get(parts.scheme)
        has_password = parts.username is not None or parts.password is not None
        if expected is None or port not in (None, expected) or has_password or not _HOST.fullmatch(host):
            raise FetchFailed(FetchFailureReason.BAD_URL)
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


def fetch(url: str, accept: str = "*/*") -> bytes:
    """The content of a file. Raises `FetchFailed`, and nothing else."""
    deadline = Deadline(MAX_SECONDS)
    try:
        for _attempt in range(MAX_REDIRECTS + 1):
            found = _request(Location.of(url), accept, deadline)
            if isinstance(found, bytes):
                return found
            url = _join(url, found.location)
    except FetchFailed:
        raise
    except NotPublic:
        raise FetchFailed(FetchFailureReason.NOT_PUBLIC) from None
    except TimeoutError:
        raise FetchFailed(FetchFailureReason.TOO_SLOW) from None
    except (UnknownHost, OSError, http.client.HTTPException, ValueError):
        raise FetchFailed(FetchFailureReason.UNREACHABLE) from None
    raise FetchFailed(FetchFailureReason.TOO_MANY_REDIRECTS)


@dataclass(frozen=True)
class _Redirect:
    location: str


def _join(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError:
        raise FetchFailed(FetchFailureReason.BAD_URL) from None


def _request(location: Location, accept: str, deadline: Deadline) -> bytes | _Redirect:
    raw = _connect(location, deadline)
    try:
        connection = http.client.HTTPConnection(location.host, location.port)
        connection.sock = _TimedSocket(raw, deadline)
        connection.putrequest("GET", location.path, skip_host=True, skip_accept_encoding=True)
        connection.putheader("Host", location.host_header)
        connection.putheader("User-Agent", "Trastienda")
        connection.putheader("Accept", accept)
        # Nothing is decompressed, so a small compressed body cannot become a large one.
        connection.putheader("Accept-Encoding", "identity")
        connection.putheader("Connection", "close")
        connection.endheaders()
        return _read(connection.getresponse())
    finally:
        raw.close()


def _read(response: http.client.HTTPResponse) -> bytes | _Redirect:
    if response.status in _REDIRECTS:
        # A header arrives as Latin-1, but addresses are sent as UTF-8.
        header = (response.headers.get("Location") or "").encode("latin-1", "replace").decode("utf-8", "replace")
        if not header:
            raise FetchFailed(FetchFailureReason.NO_FILE)
        return _Redirect(header)
    if response.status != 200:
        raise FetchFailed(FetchFailureReason.NO_FILE)
    if (response.length or 0) > MAX_BYTES:
        raise FetchFailed(FetchFailureReason.TOO_LARGE)
    content = bytearray()
    while part := response.read(_PART):
        content += part
        # The length may be absent or wrong.
        if len(content) > MAX_BYTES:
            raise FetchFailed(FetchFailureReason.TOO_LARGE)
    return bytes(content)


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
        """`http.client` closes it before the body is read. `_request` closes the socket."""


class _TimedReader(io.RawIOBase):
    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock, self._deadline = sock, deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._sock.settimeout(self._deadline.remaining())
        return self._sock.recv_into(buffer)
