"""Sends a response without letting a thread wait for a client that reads slowly."""

from __future__ import annotations

import socket
import threading
from collections import deque
from collections.abc import Callable


class OutgoingResponse:
    """Has the methods of a socket that gunicorn uses to write a response.

    What the client does not take at once is kept, and the event loop sends it later. A thread waits only if it has
    more to add while more than `max_bytes` are kept.
    """

    def __init__(self, client_socket: socket.socket, on_waiting: Callable[[], None], max_bytes: int) -> None:
        self._socket, self._on_waiting, self._max_bytes = client_socket, on_waiting, max_bytes
        self._parts: deque[memoryview] = deque()
        self._changed = threading.Condition()
        self.is_broken = False
        self.size = 0

    # --- The thread that makes the response ------------------------------------------------------
    def sendall(self, data: bytes) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self.size <= self._max_bytes or self.is_broken)
            if self.is_broken:
                raise BrokenPipeError("the client does not read its response")
            rest = memoryview(data)
            if not self._parts:
                rest = rest[self._send(rest) :]
            if not rest:
                return
            self._parts.append(rest)
            self.size += len(rest)
            if len(self._parts) == 1:
                self._on_waiting()

    def send(self, data: bytes) -> int:
        self.sendall(data)
        return len(data)

    def gettimeout(self) -> float:
        """As a socket that does not block: gunicorn then changes nothing before it writes an error."""
        return 0.0

    def shutdown(self, how: int) -> None:
        """gunicorn closes a response that broke off. The event loop closes it after sending the rest."""
        raise OSError("the event loop closes the connection")

    def close(self) -> None:
        """The event loop closes the connection."""

    # --- The event loop ----------------------------------------------------------------------------
    def flush(self) -> int:
        """Send what the client takes now; returns the number of bytes."""
        total = 0
        with self._changed:
            while self._parts:
                part = self._parts[0]
                sent = self._send(part)
                total += sent
                if sent < len(part):
                    self._parts[0] = part[sent:]
                    break
                self._parts.popleft()
            self.size -= total
            self._changed.notify_all()
        return total

    def break_off(self) -> None:
        """The client is gone or too slow: a thread that writes gets an error."""
        with self._changed:
            self.is_broken = True
            self._parts.clear()
            self.size = 0
            self._changed.notify_all()

    def _send(self, data: memoryview) -> int:
        try:
            return self._socket.send(data)
        except (BlockingIOError, InterruptedError):
            return 0
