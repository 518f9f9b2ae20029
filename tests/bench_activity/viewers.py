"""Viewers of the live page while events arrive: no errors, flat memory, and how late each viewer sees an event.

VIEWERS, SECONDS and RATE (events per second) choose the size. It fails if an answer is an error, memory grows by a
fifth, or the median delay is five seconds or more.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from statistics import median

from activity.events import Event
from activity.items import table_of_month
from activity.services import LogStatus, log
from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import sessions
from dashboard.table.admin import create_log_table
from tests import demo
from tests.attacks.server import Server, start_server
from tests.bench_load.__main__ import children_of, memory_of
from tests.bench_load.clients import exchange
from tests.conftest import add_person

VIEWERS, SECONDS = int(os.environ.get("VIEWERS", "500")), float(os.environ.get("SECONDS", "60"))
RATE, BATCH, PEOPLE = int(os.environ.get("RATE", "100")), 10, 500
# As static/js/activity-now.js asks.
EVERY, SPREAD = 4.0, 1.0
MAX_DELAY, MAX_MEMORY_GROWTH = 5.0, 1.2
PATH = "/activity/"
_FINGERPRINT = re.compile(rb'data-fingerprint="([^"]*)"')
_EVENTS = re.compile(rb"<dt>Events, last hour</dt>\s*<dd>(?:<a[^>]*>)?\s*([0-9][0-9.,]*)")


@dataclass
class Writer:
    """Logs events at a rate, and remembers when each was logged."""

    logged_at: list[float] = field(default_factory=list)
    failed: int = 0

    def run(self, until: float) -> None:
        chance, due = random.Random(1), time.monotonic()
        while time.monotonic() < until:
            events = [
                Event(new_id(), f"p{chance.randrange(PEOPLE)}@empresa.test", now(), "video_start", "sala1", "Chile")
                for _ in range(BATCH)
            ]
            results = [result.status for result in log(events)]
            self.failed += len(results) - results.count(LogStatus.LOGGED)
            self.logged_at += [time.monotonic()] * results.count(LogStatus.LOGGED)
            due += BATCH / RATE
            time.sleep(max(0.0, due - time.monotonic()))


@dataclass
class Viewers:
    """What all viewers were answered."""

    port: int
    until: float
    writer: Writer
    cookies: list[str]
    answers: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)

    async def watch(self, number: int) -> None:
        chance, fingerprint, seen = random.Random(number), "", 0
        address = f"127.2.{number // 250}.{number % 250 + 1}"
        await asyncio.sleep(chance.uniform(0, EVERY + SPREAD))
        while time.monotonic() < self.until:
            headers = f"Cookie: session={self.cookies[number % len(self.cookies)]}\r\nHX-Request: true\r\n"
            headers += f"X-Seen: {fingerprint}\r\n"
            started = time.monotonic()
            try:
                received = await asyncio.wait_for(exchange(self.port, address, "GET", PATH, headers), 30)
            except (OSError, TimeoutError) as error:
                self.answers[type(error).__name__] += 1
                continue
            self.seconds.append(time.monotonic() - started)
            self.answers[received[9:12].decode()] += 1
            found = _FINGERPRINT.search(received)
            if found is not None:
                fingerprint = found[1].decode()
                seen = self._note_delays(received, seen)
            await asyncio.sleep(EVERY + chance.uniform(0, SPREAD))

    def _note_delays(self, received: bytes, seen: int) -> int:
        """How late the events are that this viewer sees for the first time; returns how many it has seen."""
        match = _EVENTS.search(received)
        total = int(re.sub(rb"[.,]", b"", match[1])) if match else seen
        moment, logged = time.monotonic(), self.writer.logged_at
        self.delays += [max(0.0, moment - at) for at in logged[seen : min(total, len(logged)) : 25]]
        return max(total, seen)

    async def watch_memory(self, server: Server) -> None:
        while True:
            self.memory.append(sum(memory_of(pid) for pid in children_of(server.process.pid)))
            await asyncio.sleep(1)


async def run(server: Server, viewers: Viewers) -> None:
    watching = asyncio.create_task(viewers.watch_memory(server))
    await asyncio.gather(*(viewers.watch(number) for number in range(VIEWERS)))
    watching.cancel()


def main() -> None:
    with demo.engine() as engine:
        create_log_table(table_of_month(f"{now():%Y-%m}"))
        staff = [add_person(f"staff{number}@example.com", Role.STAFF) for number in range(6)]
        cookies = [sessions.open_session(person, address="127.0.0.3", agent="viewer") for person in staff]
        endpoint = os.environ["AWS_ENDPOINT_URL_DYNAMODB"]
        with start_server(workers=2, threads=8, endpoint=endpoint) as server:
            for _ in range(20):  # Each worker compiles its templates.
                server.get(PATH, f"Cookie: session={cookies[0]}\r\n")
            until, writer = time.monotonic() + SECONDS, Writer()
            viewers = Viewers(server.port, until, writer, cookies)
            writing = threading.Thread(target=writer.run, args=(until,))
            writing.start()
            asyncio.run(run(server, viewers))
            writing.join()
    sys.exit(report(viewers, engine))


def report(viewers: Viewers, engine: str) -> str | None:
    seconds, writer = sorted(viewers.seconds), viewers.writer
    quarter = max(1, len(viewers.memory) // 4)
    first, last = median(viewers.memory[quarter : 2 * quarter]), median(viewers.memory[-quarter:])
    delays = sorted(viewers.delays)
    print(f"{VIEWERS} viewers for {SECONDS:.0f} s on {engine}; {len(writer.logged_at) / SECONDS:.0f} events/s logged")
    print("answers: " + ", ".join(f"{answer}: {count}" for answer, count in sorted(viewers.answers.items())))
    print(f"an answer takes {median(seconds):.2f} s (median), {seconds[len(seconds) * 95 // 100]:.2f} s (95 %)")
    print(f"an event is seen after {median(delays):.1f} s (median), {delays[len(delays) * 95 // 100]:.1f} s (95 %)")
    print(f"memory of the workers: {first:.0f} MB in the second quarter, {last:.0f} MB in the last")
    failures = {
        "answers were errors": set(viewers.answers) - {"200", "204"},
        "events were not logged": writer.failed,
        "memory grew": last > MAX_MEMORY_GROWTH * first,
        "the median delay was too long": median(delays) >= MAX_DELAY,
    }
    failed = [text for text, has_failed in failures.items() if has_failed]
    return "Failed: " + ", ".join(failed) + "." if failed else None
