"""A gunicorn worker whose threads never wait for a client.

gunicorn's own thread worker reads requests in its threads, so as many slow clients as there are threads stop the site.
"""

from __future__ import annotations

import errno
import resource
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from dashboard.server import replies
from dashboard.server.connections import Connection, ConnectionState
from dashboard.server.loop import EventLoop

HEALTH_THREADS = 4
HEALTH_QUEUE = 16
# Needed besides the connections of clients: listeners, logs, temporary files, connections to the table.
OTHER_FILES = 500


class Worker(EventLoop):
    """Gives complete requests to threads. A thread handles a request as in gunicorn's worker."""

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        super().check_config(cfg, log)
        if cfg.is_ssl:
            raise RuntimeError("This worker does not speak TLS. Put a proxy in front (docs/operating.md).")

    def init_process(self) -> None:
        self.queued: deque[Connection] = deque()
        self.health_checks: deque[Connection] = deque()
        self.running = self.running_health_checks = 0
        self.health_pool = ThreadPoolExecutor(HEALTH_THREADS, thread_name_prefix="health")
        allow_open_files(self.worker_connections + OTHER_FILES)
        super().init_process()

    def run(self) -> None:
        super().run()
        self.health_pool.shutdown(wait=False)

    def on_request(self, connection: Connection) -> None:
        """Answer a complete request here, put it in the queue, or refuse it."""
        request = connection.incoming.request
        if request.path == replies.LIVE_PATH and request.method in {"GET", "HEAD"}:
            self._reply_live(connection)
            return
        connection.is_health_check = request.path == replies.HEALTH_PATH
        queue, max_length = self.queued, self.limits.queue_length
        if connection.is_health_check:
            queue, max_length = self.health_checks, HEALTH_QUEUE
        if self._is_full(queue, max_length):
            self._drop_departed(queue)
            if self._is_full(queue, max_length):
                self.refuse(connection)
                return
        connection.state = ConnectionState.QUEUED
        connection.queued_at = time.monotonic()
        queue.append(connection)

    def _is_full(self, queue: deque[Connection], max_length: int) -> bool:
        """Whether a queue has no place, or a new request would probably wait too long: so it is refused immediately."""
        if len(queue) >= max_length:
            return True
        is_long = len(queue) >= self.cfg.threads
        return is_long and time.monotonic() - queue[0].queued_at > self.limits.queue_seconds / 2

    def _drop_departed(self, queue: deque[Connection]) -> None:
        """Requests whose clients have left take no place from others."""
        departed = [each for each in queue if each.has_left()]
        for connection in departed:
            queue.remove(connection)
            self.close(connection)

    def _reply_live(self, connection: Connection) -> None:
        request = connection.incoming.request
        # Thousands of these can be in one packet. Nobody who checks our health sends more than one.
        is_last = request.should_close() or connection.incoming.rest
        connection.keeps_alive = self.alive and not is_last
        connection.state = ConnectionState.FLUSHING
        connection.sock.sendall(
            replies.live_reply(close=not connection.keeps_alive, head=request.method == "HEAD"),
        )
        self.after_response(connection)

    def start_requests(self) -> None:
        for queue in (self.queued, self.health_checks):
            while queue and queue[0].queued_at + self.limits.queue_seconds <= time.monotonic():
                self.attempt(self.refuse, queue.popleft())
        while self.health_checks and self.running_health_checks < HEALTH_THREADS:
            self.running_health_checks += self._start(self.health_checks.popleft(), self.health_pool)
        while self.queued and self.running < self.cfg.threads:
            self.running += self._start(self.queued.popleft(), self.tpool)

    def _start(self, connection: Connection, pool: ThreadPoolExecutor) -> bool:
        """Give a request to a thread. Nobody waits for the response if the client has closed the connection."""
        if connection.has_left():
            self.close(connection)
            return False
        connection.state = ConnectionState.RUNNING
        handled = pool.submit(self.handle, connection)
        handled.add_done_callback(lambda _: self.method_queue.defer(self._on_handled, connection, handled))
        return True

    def handle(self, connection: Connection) -> bool:
        """Make the response, in a thread. Returns whether the connection can be used again."""
        request = connection.incoming.request
        try:
            return bool(self.handle_request(request, connection))
        except StopIteration:
            # A response that broke off: closing the connection tells the client.
            return False
        except OSError as error:
            if error.errno not in {None, errno.EPIPE, errno.ECONNRESET, errno.ENOTCONN}:
                self.log.exception("Socket error processing request.")
        except Exception as error:
            self.handle_error(request, connection.sock, connection.client, error)
        return False

    def _on_handled(self, connection: Connection, handled: Future[bool]) -> None:
        if connection.is_health_check:
            self.running_health_checks -= 1
        else:
            self.running -= 1
        if connection.state is ConnectionState.RUNNING:
            connection.keeps_alive = self.alive and handled.exception() is None and handled.result()
            connection.state = ConnectionState.FLUSHING
            self.attempt(self.after_response, connection)

    def refuse(self, connection: Connection) -> None:
        """Say at once that there is too much to do, instead of letting the client wait."""
        request = connection.incoming.request
        make_page = getattr(self.wsgi, "busy_page", None)
        headers: list[tuple[str, str]] = [("Retry-After", "5")]
        body = b""
        if make_page is not None:
            headers, body = make_page(request.path, dict(request.headers))
        self.reply_and_close(connection, replies.busy_reply(headers, body, head=request.method == "HEAD"))


def allow_open_files(count: int) -> None:
    """Each connection is an open file. Many systems allow 1,024 at first, and more to whoever asks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
