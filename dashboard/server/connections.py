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
    """One client. gunicorn reads `client`, `server` and `sock`, which buffers responses before `client_socket`."""

    incoming: IncomingRequest
    sock: OutgoingResponse

    def __init__(self, client_socket: socket.socket, client: Any, server: Any) -> None:
        self.client_socket, self.client, self.server = client_socket, client, server
        self.network = network_of(client)
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
            return self.client_socket.recv(1, socket.MSG_PEEK) == b""
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            return True


def network_of(client: Any) -> str:
    """The IPv4 address, or the /64 of IPv6, which one client can have for itself; empty for a local socket."""
    if not isinstance(client, tuple):
        return ""
    try:
        address = ipaddress.ip_address(client[0].partition("%")[0])
    except ValueError:
        return str(client[0])
    if address.version == 6 and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(getattr(address, "ipv4_mapped", None) or address)


class WaitingConnections:
    """Connections on which the server waits for the client, by network, the longest waiting first."""

    def __init__(self) -> None:
        self._by_network: dict[str, dict[Connection, None]] = {}

    def __iter__(self) -> Iterator[Connection]:
        for connections in self._by_network.values():
            yield from connections

    def __contains__(self, connection: Connection) -> bool:
        return connection in self._by_network.get(connection.network, ())

    def add(self, connection: Connection) -> None:
        self._by_network.setdefault(connection.network, {})[connection] = None

    def discard(self, connection: Connection) -> None:
        connections = self._by_network.get(connection.network)
        if connections is not None:
            connections.pop(connection, None)
            if not connections:
                del self._by_network[connection.network]

    def longest_of_busiest(self) -> Connection | None:
        """The longest waiting connection of the network that has most of them."""
        if not self._by_network:
            return None
        busiest = max(self._by_network, key=lambda network: len(self._by_network[network]))
        return next(iter(self._by_network[busiest]))

    def too_many_slow(self, limit: int, since: float) -> list[Connection]:
        """The oldest slow connections above the limit, for each network. Slow: waiting since `since` or longer."""
        found = []
        for network, connections in self._by_network.items():
            if network and len(connections) > limit:
                slow = [each for each in connections if each.waiting_since <= since and not each.is_idle]
                found += slow[: max(0, len(slow) - limit)]
        return found
