"""The product served from this process, for a real browser."""

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


class Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: object) -> None:
        """A browser asks for much; a test's output says what failed."""


CONDITIONS = {"HTTP_RANGE", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_NONE_MATCH"}
# What the product answered to one who asked for a file for the first time, by address and encoding.
_answered: dict[tuple[str, str], tuple[str, list[tuple[str, str]], bytes]] = {}


def remembering_files(app: App) -> App:
    """The product, asked once for each file of ours: every browser begins with none, and a page has sixty."""

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        whole = environ["REQUEST_METHOD"] == "GET" and not CONDITIONS & environ.keys()
        if not (whole and path.startswith(f"/{settings.STATIC_URL.strip('/')}/")):
            return app(environ, start)
        key = path, environ.get("HTTP_ACCEPT_ENCODING", "")
        if key not in _answered:
            parts, status, headers = run_wsgi_app(app, environ, buffered=True)
            found = status, list(headers), b"".join(parts)
            if not status.startswith("200"):
                start(status, found[1])
                return [found[2]]
            _answered[key] = found
        status, kept, body = _answered[key]
        start(status, list(kept))
        return [body]

    return answer


class InFlight:
    """Counts the requests that are being answered, so that a test can end after the last of them."""

    def __init__(self) -> None:
        self._count = 0
        self._changed = threading.Condition()

    def counting(self, app: App) -> App:
        def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
            self._add(1)
            try:
                parts = app(environ, start)
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
def serving() -> Iterator[str]:
    """Serve on a free port; gives the address."""
    app = remembering_files(in_flight.counting(get_wsgi_application()))
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
