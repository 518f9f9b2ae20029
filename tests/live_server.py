"""Serves the product from this process, for browser tests."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.test import run_wsgi_app
from werkzeug.wsgi import ClosingIterator

App = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class QuietHandler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: object) -> None:
        """Print nothing, so that the output of a test shows only failures."""


CONDITIONAL_HEADERS = {"HTTP_RANGE", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_NONE_MATCH"}
# The first response for each static file, by path and accepted encoding.
_cached_replies: dict[tuple[str, str], tuple[str, list[tuple[str, str]], bytes]] = {}


def cache_static_files(app: App) -> App:
    """Cache static files in this process. Each new browser loads about sixty of them."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        is_full_request = environ["REQUEST_METHOD"] == "GET" and not CONDITIONAL_HEADERS & environ.keys()
        if not (is_full_request and path.startswith(f"/{settings.STATIC_URL.strip('/')}/")):
            return app(environ, start_response)
        key = path, environ.get("HTTP_ACCEPT_ENCODING", "")
        if key not in _cached_replies:
            parts, status, headers = run_wsgi_app(app, environ, buffered=True)
            reply = status, list(headers), b"".join(parts)
            if not status.startswith("200"):
                start_response(status, reply[1])
                return [reply[2]]
            _cached_replies[key] = reply
        status, cached_headers, body = _cached_replies[key]
        start_response(status, list(cached_headers))
        return [body]

    return answer


class InFlight:
    """Counts open requests, so that a test can wait for the last one."""

    def __init__(self) -> None:
        self._count = 0
        self._changed = threading.Condition()

    def count_requests(self, app: App) -> App:
        def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
            self._add(1)
            try:
                parts = app(environ, start_response)
            except BaseException:
                self._add(-1)
                raise
            return ClosingIterator(parts, [functools.partial(self._add, -1)])

        return answer

    def wait_for_none(self, seconds: float = 5) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._count == 0, seconds)

    def _add(self, number: int) -> None:
        with self._changed:
            self._count += number
            self._changed.notify_all()


in_flight = InFlight()


@contextmanager
def serve() -> Iterator[str]:
    """Serve on a free port. Yields the address."""
    app = cache_static_files(in_flight.count_requests(get_wsgi_application()))
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=QuietHandler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
