"""A WSGI application whose requests take as long as a test wants."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

_lock = threading.Lock()
_started: list[str] = []


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """`/wait/0.5`, `/large/5000000`, `/stream`, `/length`; `/started` lists the paths that were started.

    `/headers` tells which forwarded headers arrived, and `/place` what the server made of them.
    """
    path = environ["PATH_INFO"]
    with _lock:
        _started.append(path)
    _, action, *rest = path.split("/")
    body = b"ok"
    if action == "wait":
        time.sleep(float(rest[0]))
    elif action == "large":
        body = b"x" * int(rest[0])
    elif action == "length":
        body = str(len(environ["wsgi.input"].read())).encode()
    elif action == "headers":
        names = ("HTTP_HOST", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO")
        body = " ".join(environ.get(name, "-") for name in names).encode()
    elif action == "place":
        body = " ".join((environ["wsgi.url_scheme"], environ["SCRIPT_NAME"], environ["PATH_INFO"])).encode()
    elif action == "started":
        body = "\n".join(_started).encode()
    elif action == "stream":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return _endless()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]


def _endless() -> Iterator[bytes]:
    try:
        while True:
            yield b"x" * 100_000
    finally:
        with _lock:
            _started.append("stream ended")
