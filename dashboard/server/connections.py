"""Connections of clients, and those on which the server waits for the client."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from enum import Enum, auto
from typing import Any

from dashboard.server.request_buffer import IncomingRequest
from dashboard.server.response_buffer import OutgoingResponse


class ConnectionState(Enum):
    READING = auto()  # until the next request is complete
    QUEUED = auto()  # until a thread is free
    RUNNING = auto()  # a thread makes the response
    FLUSHING = auto()  # the response is made; the client has not taken all of it
    CLOSING = auto()  # everything is sent; until the client closes, too
    CLOSED = auto()


class Connection:
    """One client. gunicorn reads `client`, `server` and `sock`, which buffers responses; `socket` is the real one."""

    incoming: IncomingRequest
    sock: OutgoingResponse

    def __init__(self, sock: socket.socket, client: Any, server: Any) -> None:
        self.socket, self.client, self.server = sock, client, server
        self.address = network_of(client)
        self.state = ConnectionState.READING
        # Since when the server waits for the client, when it gives up, and when the request was queued.
        self.waiting_since = self.deadline = self.queued_at = 0.0
        self.request_count = 0
        self.keeps_alive = False
        self.is_health_check = False
        # The events that the event loop waits for.
        self.events = 0

    @property
    def is_idle(self) -> bool:
        """Whether it waits between two requests."""
        return self.state is ConnectionState.READING and self.request_count > 1 and not self.incoming.has_begun

    def has_left(self) -> bool:
        """Whether the client has closed the connection. What it sent ahead does not matter."""
        try:
            return self.socket.recv(1, socket.MSG_PEEK) == b""
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            return True


def network_of(client: Any) -> str:
    """The address that is counted: for IPv6 the /64, which one client can have for itself; empty for a local socket."""
    if not isinstance(client, tuple):
        return ""
    try:
        found = ipaddress.ip_address(client[0].partition("%")[0])
    except ValueError:
        return str(client[0])
    if found.version == 6 and found.ipv4_mapped is None:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(getattr(found, "ipv4_mapped", None) or found)


class WaitingConnections:
    """Connections on which the server waits for the client, by address, the longest waiting first."""

    def __init__(self) -> None:
        self._by_address: dict[str, dict[Connection, None]] = {}

    def __iter__(self) -> Iterator[Connection]:
        for connections in self._by_address.values():
            yield from connections

    def __contains__(self, connection: Connection) -> bool:
        return connection in self._by_address.get(connection.address, ())

    def add(self, connection: Connection) -> None:
        self._by_address.setdefault(connection.address, {})[connection] = None

    def discard(self, connection: Connection) -> None:
        connections = self._by_address.get(connection.address)
        if connections is not None:
            connections.pop(connection, None)
            if not connections:
                del self._by_address[connection.address]

    def longest_of_busiest(self) -> Connection | None:
        """The longest waiting connection of the address that has most of them."""
        if not self._by_address:
            return None
        busiest = max(self._by_address, key=lambda address: len(self._by_address[address]))
        return next(iter(self._by_address[busiest]))

    def too_many_slow(self, limit: int, since: float) -> list[Connection]:
        """The oldest slow connections above the limit, for each address. Slow: waiting since `since` or longer."""
        found = []
        for address, connections in self._by_address.items():
            if address and len(connections) > limit:
                slow = [each for each in connections if each.waiting_since <= since and not each.is_idle]
                found += slow[: max(0, len(slow) - limit)]
        return found
