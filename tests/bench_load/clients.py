"""Clients that read pages and add customers, and remember what they were told about each."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.core import signing

from dashboard.core.ids import new_id
from dashboard.web.commands import FIELD

HOST = "127.0.0.1"
CSRF = "a" * 32
BUSINESS = "andina"
PAGES = (f"/b/{BUSINESS}/bookings/customers/", f"/b/{BUSINESS}/", "/account/")
# Texts of a 503 that says that the request was not carried out: the queue was full, or the table did not answer.
NOT_DONE = (b"Too many people are using the site right now.", b"and nothing was saved this time.")
# The share of people who give up after such an answer, so that it can be checked.
GIVES_UP = 0.5
REQUEST_SECONDS = 60.0


@dataclass
class Added:
    """One customer that a client wanted to add: the answer to each attempt."""

    name: str
    answers: list[str] = field(default_factory=list)

    @property
    def is_confirmed(self) -> bool:
        return "303" in self.answers

    @property
    def is_said_not_done(self) -> bool:
        """Whether every answer said that nothing was changed."""
        return all(answer == "not done" for answer in self.answers)


@dataclass
class Traffic:
    """What all clients saw."""

    port: int
    until: float
    think: float
    answers: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    added: list[Added] = field(default_factory=list)

    async def run_client(self, number: int, email: str, cookie: str) -> None:
        chance = random.Random(number)
        address = f"127.1.{number // 250}.{number % 250 + 1}"
        headers = f"Cookie: session={cookie}; csrf={CSRF}\r\n"
        await asyncio.sleep(chance.uniform(0, self.think))
        while time.monotonic() < self.until:
            if chance.random() < 0.4:
                await self._add_customer(chance, address, headers, email)
            else:
                self._count("page", await self._send(address, "GET", chance.choice(PAGES), headers))
            await asyncio.sleep(chance.uniform(0.5, 1.5) * self.think)

    async def _add_customer(self, chance: random.Random, address: str, headers: str, email: str) -> None:
        """Send the same form again until it is clear what became of it, or give up if it certainly was not done."""
        added = Added(f"Load {new_id()}")
        self.added.append(added)
        token = signing.dumps(new_id(), salt=f"{FIELD}:{email}")
        form = urlencode({"name": added.name, FIELD: token, "csrfmiddlewaretoken": CSRF})
        while True:
            answer = await self._send(address, "POST", f"/b/{BUSINESS}/bookings/customers/new/", headers, form)
            self._count("form", answer)
            added.answers.append(answer)
            if answer not in {"503", "not done"} and not answer.startswith("lost"):
                return
            if added.is_said_not_done and chance.random() < GIVES_UP:
                return
            if time.monotonic() > self.until + 15:
                return
            # As the answer asks for.
            await asyncio.sleep(chance.uniform(4, 6))

    def _count(self, kind: str, answer: str) -> None:
        self.answers[f"{kind} {answer}"] += 1

    async def _send(self, address: str, method: str, path: str, headers: str, body: str = "") -> str:
        started = time.monotonic()
        try:
            received = await asyncio.wait_for(
                exchange(self.port, address, method, path, headers, body), REQUEST_SECONDS
            )
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            return f"lost ({type(error).__name__})"
        self.seconds.append(time.monotonic() - started)
        status = received[9:12].decode() or "lost (empty)"
        is_not_done = status == "503" and any(text in received for text in NOT_DONE)
        return "not done" if is_not_done else status


async def exchange(port: int, address: str, method: str, path: str, headers: str = "", body: str = "") -> bytes:
    """One request on a connection of its own."""
    reader, writer = await asyncio.open_connection(HOST, port, local_addr=(address, 0))
    try:
        content = body.encode()
        kind = "Content-Type: application/x-www-form-urlencoded\r\n" if body else ""
        head = f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n{headers}{kind}"
        writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        await writer.drain()
        return await reader.read(-1)
    finally:
        writer.close()
