"""A simple and fast HTTP session for engines on this machine.

Every test makes dozens of calls to the table, and half of a call's CPU time in this process went into urllib3 and
http.client. This session sends a request in one piece over a connection that stays open, one per thread, and raises
the same errors as botocore's own session.
"""

from __future__ import annotations

import io
import select
import socket
import threading
from typing import Any
from urllib.parse import urlsplit

from botocore.awsrequest import AWSPreparedRequest, AWSResponse, HeadersDict
from botocore.exceptions import (
    ConnectionClosedError,
    ConnectTimeoutError,
    EndpointConnectionError,
    ReadTimeoutError,
)

HOST = "127.0.0.1"


def install(client: Any) -> None:
    """Give a client this session if its engine is on this machine; a client for AWS is not changed."""
    address = urlsplit(client.meta.endpoint_url)
    if (address.scheme, address.hostname) == ("http", HOST) and address.port:
        config = client.meta.config
        client._endpoint.http_session = LoopbackSession(address.port, config.connect_timeout, config.read_timeout)


class LoopbackSession:
    """Replaces the HTTP session of botocore."""

    def __init__(self, port: int, connect_timeout: float, read_timeout: float) -> None:
        self._port = port
        self._connect_timeout, self._read_timeout = connect_timeout, read_timeout
        self._local = threading.local()

    def close(self) -> None:
        self._drop()

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        connection = self._connection(str(request.url))
        try:
            connection.sendall(_as_bytes(request))
            status, headers, body = _read_response(connection)
        except TimeoutError as error:
            self._drop()
            raise ReadTimeoutError(endpoint_url=request.url, error=error) from error
        except (OSError, EOFError) as error:
            self._drop()
            raise ConnectionClosedError(endpoint_url=request.url, error=error) from error
        if headers.get("connection", "").lower() == "close":
            self._drop()
        response = AWSResponse(str(request.url), status, headers, io.BytesIO())  # type: ignore[arg-type]
        response._content = body  # type: ignore[attr-defined]
        return response

    def _connection(self, url: str) -> socket.socket:
        existing: socket.socket | None = getattr(self._local, "connection", None)
        if existing is not None:
            if _is_open(existing):
                return existing
            self._drop()
        try:
            connection = socket.create_connection((HOST, self._port), self._connect_timeout)
        except TimeoutError as error:
            raise ConnectTimeoutError(endpoint_url=url, error=error) from error
        except OSError as error:
            raise EndpointConnectionError(endpoint_url=url, error=error) from error
        connection.settimeout(self._read_timeout)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._local.connection = connection
        return connection

    def _drop(self) -> None:
        connection = self._local.__dict__.pop("connection", None)
        if connection is not None:
            connection.close()


def _is_open(connection: socket.socket) -> bool:
    """Whether the engine has not closed the connection: a closed connection is readable."""
    readable, _, _ = select.select([connection], [], [], 0)
    return not readable


def _as_bytes(request: AWSPreparedRequest) -> bytes:
    body = request.body or b""
    content = body.encode() if isinstance(body, str) else bytes(body)  # type: ignore[arg-type]
    headers = {"Host": HOST, **{name: _text(value) for name, value in request.headers.items()}}
    headers["Content-Length"] = str(len(content))
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{request.method} / HTTP/1.1\r\n{lines}\r\n".encode() + content


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _read_response(connection: socket.socket) -> tuple[int, HeadersDict, bytes]:
    received = b""
    while (end := received.find(b"\r\n\r\n")) < 0:
        received += _receive(connection)
    first, *lines = received[:end].decode("latin-1").split("\r\n")
    headers = HeadersDict({name: value.strip() for name, _, value in (line.partition(":") for line in lines)})
    body = bytearray(received[end + 4 :])
    if "content-length" in headers:
        length = int(headers["content-length"])
        while len(body) < length:
            body += _receive(connection)
    else:
        body = _read_chunks(connection, body)
    return int(first.split(" ", 2)[1]), headers, bytes(body)


def _read_chunks(connection: socket.socket, received: bytearray) -> bytearray:
    """Read a body with chunked transfer encoding."""
    body = bytearray()
    while True:
        while (end := received.find(b"\r\n")) < 0:
            received += _receive(connection)
        size = int(received[:end].partition(b";")[0], 16)
        while len(received) < end + 2 + size + 2:
            received += _receive(connection)
        body += received[end + 2 : end + 2 + size]
        del received[: end + 2 + size + 2]
        if size == 0:
            return body


def _receive(connection: socket.socket) -> bytes:
    data = connection.recv(65536)
    if not data:
        raise EOFError("the engine closed the connection")
    return data
