"""The event loop of the worker: it reads requests and writes responses, and waits for no client.

Its connections wait side by side, each with a deadline. The slow ones of one network are limited in number.
"""

from __future__ import annotations

import errno
import selectors
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

from dashboard.server import replies
from dashboard.server.connections import Connection, ConnectionState, WaitingConnections
from dashboard.server.limits import Limits, read_limits
from dashboard.server.request_buffer import IncomingRequest, Unacceptable
from dashboard.server.response_buffer import OutgoingResponse

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
# How often deadlines are checked, in seconds.
TICK = 0.25
# How long the client may take to close after us, so that it receives all we sent.
CLOSING_SECONDS = 2.0
RECEIVE_BYTES = 64 * 1024
REQUEST_TIMEOUT = replies.refusal_reply("408 Request Timeout")
UNFINISHED = {ConnectionState.QUEUED, ConnectionState.RUNNING, ConnectionState.FLUSHING}


class EventLoop(ThreadWorker):  # type: ignore[misc]
    """Everything that does not depend on what a request asks for."""

    limits: Limits

    def init_process(self) -> None:
        self.limits = read_limits()
        self.waiting = WaitingConnections()
        self.connections: set[Connection] = set()
        self.incoming_bytes = 0
        self.next_check = 0.0
        super().init_process()

    # --- What the worker adds ------------------------------------------------------------------------
    def on_request(self, connection: Connection) -> None:
        """A request is complete."""
        raise NotImplementedError

    def start_requests(self) -> None:
        """Give queued requests to free threads, and refuse those that have waited too long."""
        raise NotImplementedError

    def refuse(self, connection: Connection) -> None:
        """There is too much to do: answer 503."""
        raise NotImplementedError

    # --- The event loop ----------------------------------------------------------------------------
    def run(self) -> None:
        self.poller.register(self.method_queue.fileno(), READ, self.method_queue.run_callbacks)
        self.set_accept_enabled(True)
        while self.alive and self.is_parent_alive():
            self._run_once()
        self.set_accept_enabled(False)
        until = time.monotonic() + self.cfg.graceful_timeout
        while time.monotonic() < until and any(each.state in UNFINISHED for each in self.connections):
            self._run_once()
        for connection in list(self.connections):
            self.close(connection)
        self.tpool.shutdown(wait=False)
        self.poller.close()
        self.method_queue.close()
        for listener in self.sockets:
            listener.close()

    def _run_once(self) -> None:
        self.notify()
        self.wait_for_and_dispatch_events(TICK)
        self.start_requests()
        if time.monotonic() >= self.next_check:
            self.next_check = time.monotonic() + TICK
            self._check_deadlines()

    def accept(self, listener: Any) -> None:
        try:
            client_socket, client = listener.accept()
        except OSError as error:
            if error.errno in {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}:
                self._evict(self.waiting.longest_of_busiest())
            elif error.errno not in {errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK}:
                raise
            return
        client_socket.setblocking(False)
        if len(self.connections) >= self.worker_connections:
            self._evict(self.waiting.longest_of_busiest())
        connection = Connection(client_socket, client, listener.getsockname())
        self.connections.add(connection)
        self._await_request(connection, self.limits.head_seconds)
        # Usually the request is there already.
        self.attempt(self._on_event, connection)

    def attempt(self, action: Callable[[Connection], None], connection: Connection, _: Any = None) -> None:
        """Do something with a connection. Whatever goes wrong ends this connection only."""
        try:
            action(connection)
        except OSError:
            self._drop(connection)
        except Exception:
            self.log.exception("Error in the event loop")
            self._drop(connection)

    def _on_event(self, connection: Connection) -> None:
        # Another event of the same turn may have closed it.
        if connection.state is ConnectionState.READING:
            self._read(connection)
        elif connection.state in {ConnectionState.RUNNING, ConnectionState.FLUSHING}:
            self._write(connection)
        elif connection.state is ConnectionState.CLOSING:
            self._read_until_closed(connection)

    def _listen(self, connection: Connection, events: int) -> None:
        if connection.events == events:
            return
        if not events:
            self.poller.unregister(connection.client_socket)
        elif connection.events:
            self.poller.modify(connection.client_socket, events, partial(self.attempt, self._on_event, connection))
        else:
            self.poller.register(connection.client_socket, events, partial(self.attempt, self._on_event, connection))
        connection.events = events

    # --- Reading -----------------------------------------------------------------------------------
    def _await_request(self, connection: Connection, seconds: float) -> None:
        connection.state = ConnectionState.READING
        connection.request_count += 1
        connection.incoming = IncomingRequest(
            self.cfg,
            connection.client,
            connection.request_count,
            max_head=self.limits.head_bytes,
            body_limit=getattr(self.wsgi, "body_limit", lambda path: None),
        )
        on_waiting = partial(self.method_queue.defer, self.attempt, self._await_client, connection)
        connection.sock = OutgoingResponse(connection.client_socket, on_waiting, self.limits.response_bytes)
        connection.is_health_check = False
        connection.deadline = time.monotonic() + seconds
        self._listen(connection, READ)
        self._mark_waiting(connection)

    def _mark_waiting(self, connection: Connection) -> None:
        connection.waiting_since = time.monotonic()
        self.waiting.add(connection)

    def _read(self, connection: Connection) -> None:
        try:
            data = connection.client_socket.recv(RECEIVE_BYTES)
        except (BlockingIOError, InterruptedError):
            return
        if data:
            self._receive(connection, data)
        else:
            self.close(connection)

    def _receive(self, connection: Connection, data: bytes) -> None:
        incoming, now = connection.incoming, time.monotonic()
        if not incoming.has_begun:
            connection.deadline = now + self.limits.head_seconds
        had_head, size = incoming.request is not None, incoming.size
        try:
            incoming.add(data)
        except Unacceptable as refusal:
            self.reply_and_close(connection, replies.refusal_reply(refusal.status))
            return
        except Exception as error:
            # gunicorn's parser refuses the request, and gunicorn knows the status of each of its errors.
            self.handle_error(incoming.request, connection.sock, connection.client, error)
            self.reply_and_close(connection, b"")
            return
        self.incoming_bytes += incoming.size - size
        if self.incoming_bytes > self.limits.incoming_bytes and incoming.request is not None:
            self.refuse(connection)
        elif incoming.is_complete:
            self._listen(connection, 0)
            self.waiting.discard(connection)
            incoming.take_100_continue()
            self.on_request(connection)
        elif incoming.request is not None:
            if not had_head:
                connection.deadline = now + self.limits.stall_seconds
                if incoming.take_100_continue():
                    connection.sock.sendall(replies.CONTINUE)
            self._extend(connection, incoming.size - size)

    def _extend(self, connection: Connection, count: int) -> None:
        """Progress moves the deadline, but never further away than the time that a client may stall."""
        later = connection.deadline + count / self.limits.bytes_per_second
        connection.deadline = min(later, time.monotonic() + self.limits.stall_seconds)

    # --- Writing -----------------------------------------------------------------------------------
    def _await_client(self, connection: Connection) -> None:
        """The client has not taken all of the response: send the rest as soon as it does."""
        if (
            connection.state in {ConnectionState.RUNNING, ConnectionState.FLUSHING}
            and connection.sock.size
            and not connection.events
        ):
            connection.deadline = time.monotonic() + self.limits.stall_seconds
            self._listen(connection, WRITE)

    def _write(self, connection: Connection) -> None:
        sent = connection.sock.flush()
        if connection.sock.size:
            self._extend(connection, sent)
        elif connection.state is ConnectionState.FLUSHING:
            self.after_response(connection)
        else:
            self._listen(connection, 0)

    def after_response(self, connection: Connection) -> None:
        """The response is made: send the rest of it, then wait for the next request or close."""
        if connection.sock.is_broken:
            self.close(connection)
            return
        if connection.sock.size:
            self._await_client(connection)
            self._mark_waiting(connection)
            if sum(each.sock.size for each in self.waiting) > self.limits.outgoing_bytes:
                self._evict(max(self.waiting, key=lambda each: each.sock.size))
            return
        self._listen(connection, 0)
        self.waiting.discard(connection)
        rest = connection.incoming.rest
        self._forget_request(connection)
        if not connection.keeps_alive:
            self._finish(connection)
            return
        self._await_request(connection, self.cfg.keepalive)
        if rest:
            self._receive(connection, rest)

    def reply_and_close(self, connection: Connection, data: bytes) -> None:
        self._listen(connection, 0)
        self.waiting.discard(connection)
        connection.keeps_alive = False
        connection.state = ConnectionState.FLUSHING
        try:
            connection.sock.sendall(data)
            self.after_response(connection)
        except OSError:
            self.close(connection)

    # --- The end of a connection ---------------------------------------------------------------------
    def _finish(self, connection: Connection) -> None:
        """Close our side, then wait a little for the client: closing at once could destroy what is on its way."""
        connection.state = ConnectionState.CLOSING
        connection.deadline = time.monotonic() + CLOSING_SECONDS
        try:
            connection.client_socket.shutdown(socket.SHUT_WR)
        except OSError:
            self.close(connection)
            return
        self._listen(connection, READ)
        self._mark_waiting(connection)

    def _read_until_closed(self, connection: Connection) -> None:
        try:
            if not connection.client_socket.recv(RECEIVE_BYTES):
                self.close(connection)
        except (BlockingIOError, InterruptedError):
            pass

    def _evict(self, connection: Connection | None) -> None:
        """Close a connection that waits, to make room for another one."""
        if connection is None:
            return
        # What it waits for may have arrived meanwhile.
        self.attempt(self._on_event, connection)
        if connection not in self.waiting:
            return
        if connection.state is ConnectionState.READING and connection.incoming.has_begun:
            with suppress(OSError):
                connection.sock.sendall(REQUEST_TIMEOUT)
        self.close(connection)

    def _check_deadlines(self) -> None:
        now = time.monotonic()
        for connection in [each for each in self.connections if each.events and each.deadline <= now]:
            self.attempt(self._give_up, connection)
        if self.limits.slow_per_network:
            for connection in self.waiting.too_many_slow(self.limits.slow_per_network, now - self.limits.slow_seconds):
                self._evict(connection)

    def _give_up(self, connection: Connection) -> None:
        if connection.state is ConnectionState.READING and connection.incoming.has_begun:
            self.reply_and_close(connection, REQUEST_TIMEOUT)
        else:
            self._drop(connection)

    def _drop(self, connection: Connection) -> None:
        """End a connection that is broken. A thread that still makes its response gets an error."""
        if connection.state is ConnectionState.RUNNING:
            self._listen(connection, 0)
            connection.sock.break_off()
        else:
            self.close(connection)

    def close(self, connection: Connection) -> None:
        if connection.state is ConnectionState.CLOSED:
            return
        self._listen(connection, 0)
        self.waiting.discard(connection)
        if connection.state is ConnectionState.RUNNING:
            connection.sock.break_off()
        else:
            self._forget_request(connection)
        connection.state = ConnectionState.CLOSED
        self.connections.discard(connection)
        connection.client_socket.close()

    def _forget_request(self, connection: Connection) -> None:
        self.incoming_bytes -= connection.incoming.size
        connection.incoming.size = 0
        connection.incoming.close()
