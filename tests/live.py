"""The product served from this process, for a real browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.wsgi import get_wsgi_application
from werkzeug.serving import WSGIRequestHandler, make_server


class Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: object) -> None:
        """A browser asks for much; a test's output says what failed."""


@contextmanager
def serving() -> Iterator[str]:
    """Serve on a free port; gives the address."""
    server = make_server("127.0.0.1", 0, get_wsgi_application(), threaded=True, request_handler=Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
