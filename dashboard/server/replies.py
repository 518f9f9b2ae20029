"""Responses that the event loop sends itself, without a thread."""

from __future__ import annotations

from collections.abc import Iterable

LIVE_PATH = "/livez"
HEALTH_PATH = "/healthz"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


def reply(
    status: str, headers: Iterable[tuple[str, str]] = (), body: bytes = b"", *, close: bool = True, head: bool = False
) -> bytes:
    lines = [f"HTTP/1.1 {status}"]
    lines += [f"{name}: {value}" for name, value in headers]
    lines += [f"Content-Length: {len(body)}", f"Connection: {'close' if close else 'keep-alive'}"]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (b"" if head else body)


def live_reply(*, close: bool, head: bool) -> bytes:
    """The process is alive. Needs no thread and no table."""
    headers = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
    return reply("200 OK", headers, b'{"status": "ok"}', close=close, head=head)


def refusal_reply(status: str) -> bytes:
    return reply(status, [("Content-Type", "text/plain; charset=utf-8")], status.encode() + b"\n")


def busy_reply(headers: Iterable[tuple[str, str]], body: bytes, *, head: bool) -> bytes:
    return reply("503 Service Unavailable", headers, body, head=head)
