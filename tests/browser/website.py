"""A website on another port, with one page that embeds the widget under a strict policy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from dashboard.platform.apikeys.items import ApiKey
from tests.apikeys.factories import create_key
from tests.bookings.bookable_business import BUSINESS

HOST = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><main><h1>Our shop</h1><p>Welcome.</p></main>
<script src="{site}/widget/v1.js" data-key="{key}" data-lang="en" async></script></body></html>"""


class Website:
    def __init__(self, site: str) -> None:
        self.site, self.key = site, ""
        self.stored: ApiKey
        website = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = HOST.format(site=website.site, key=website.key).encode()
                self.send_response(200)
                policy = f"default-src 'none'; script-src {website.site}; frame-src {website.site}"
                self.send_header("Content-Security-Policy", policy)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://localhost:{self.server.server_port}"


@contextmanager
def serve_website(site: str, limit: int = 100) -> Iterator[Website]:
    """Serve the website, with a public key of the business for it. `site` is the address of our server."""
    running = Website(site)
    running.stored, running.key = create_key(BUSINESS, "Website", origins=[running.origin], limit=limit)
    thread = Thread(target=running.server.serve_forever, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        running.server.shutdown()
        running.server.server_close()
