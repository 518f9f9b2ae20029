"""An engine that can be killed, frozen, and replaced by a server that answers everything with an HTML page."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from dashboard.dev.engines import HOST, PROJECT, free_port, start_engine
from dashboard.dev.lifetime import start_child, stop_child

PAGE = b"<html><body><h1>Maintenance</h1></body></html>"


class Maintenance(BaseHTTPRequestHandler):
    """A proxy whose site is down, and which says so with the status of a success."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        with suppress(OSError):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(PAGE)))
            self.end_headers()
            self.wfile.write(PAGE)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


class FaultyEngine:
    """Dynoxide with a file, always at the same port."""

    def __init__(self) -> None:
        self.port = free_port()
        self.endpoint = f"http://{HOST}:{self.port}"
        self._data = Path(tempfile.mkdtemp(prefix="bench-load-")) / "table.db"
        self._running: Any = None
        self._engine: Any = None
        self._page: Any = None
        # A child process ends with the thread that started it, so one thread starts them all.
        self.thread = ThreadPoolExecutor(1)
        self.thread.submit(self.start).result()

    def start(self) -> None:
        self._running = start_engine("dynoxide", self.port, self._data)
        self._engine = self._running.__enter__()

    def kill(self) -> None:
        self._engine.process.kill()
        self._engine.process.wait()
        self._running.__exit__(None, None, None)

    def freeze(self) -> None:
        os.kill(self._engine.process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self._engine.process.pid, signal.SIGCONT)

    def replace_by_page(self) -> None:
        self.kill()
        self._page = start_child([sys.executable, "-m", __name__, str(self.port)], cwd=PROJECT)

    def end_page(self) -> None:
        stop_child(self._page)
        self.start()

    def close(self) -> None:
        self.thread.submit(self.kill).result()
        self.thread.shutdown()


if __name__ == "__main__":
    ThreadingHTTPServer.allow_reuse_address = True
    ThreadingHTTPServer((HOST, int(sys.argv[1])), Maintenance).serve_forever()
