"""500 clients while the engine is killed, frozen and replaced by an HTML page, in turn: `make bench-load`.

Prints what the clients were told, whether it is true, and how long it took until pages worked again. It fails if an
answer was untrue, a write was lost or made twice, or a limit below was exceeded. CLIENTS, SECONDS and THINK (seconds
between the requests of a client) choose other numbers.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median

from tests import demo

from bookings.queries import customers  # isort: skip
from dashboard.dev.engines import PROJECT
from dashboard.dev.lifetime import start_child, stop_child
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import sessions
from dashboard.table import connection
from dashboard.table.admin import create_table
from tests.attacks.server import Server, start_server
from tests.bench_load.clients import BUSINESS, CSRF, PAGES, Traffic, exchange
from tests.bench_load.faulty_engine import FaultyEngine
from tests.conftest import add_business, add_person

CLIENTS = int(os.environ.get("CLIENTS", "500"))
SECONDS = float(os.environ.get("SECONDS", "60"))
THINK = float(os.environ.get("THINK", "5"))
PEOPLE = 6
MAX_LIVEZ_SECONDS, MAX_RECOVERY_SECONDS, MAX_MEMORY_GROWTH = 1.0, 5.0, 1.2
PROBE = "127.0.0.3"

assert demo


def prepare(engine: FaultyEngine) -> list[tuple[str, str]]:
    """A business with some owners; returns the e-mail and the cookie of each."""
    os.environ["AWS_ENDPOINT_URL_DYNAMODB"] = engine.endpoint
    connection.forget()
    create_table()
    owners: list[Person] = [add_person(f"owner{number}@example.com", Role.OWNER) for number in range(PEOPLE)]
    add_business(BUSINESS, "Andina", *(owner.email for owner in owners))
    return [(owner.email, sessions.open_session(owner, address=PROBE, agent="load")) for owner in owners]


class Probe:
    """Asks for a page again and again, and notes when it worked, and how much memory the workers use."""

    def __init__(self, server: Server, cookie: str) -> None:
        self.server, self.cookie = server, cookie
        self.pages: list[tuple[float, bool]] = []
        self.memory: list[int] = []

    async def watch_pages(self) -> None:
        headers = f"Cookie: session={self.cookie}; csrf={CSRF}\r\n"
        while True:
            try:
                answer = await asyncio.wait_for(exchange(self.server.port, PROBE, "GET", PAGES[0], headers), 30)
                self.pages.append((time.monotonic(), answer.startswith(b"HTTP/1.1 200")))
            except (OSError, TimeoutError):
                self.pages.append((time.monotonic(), False))
            await asyncio.sleep(0.1)

    async def watch_memory(self) -> None:
        while True:
            self.memory.append(sum(memory_of(pid) for pid in children_of(self.server.process.pid)))
            await asyncio.sleep(1)

    def recovery(self, moment: float) -> float:
        """Seconds from the end of a fault to the first page that worked."""
        return next((at - moment for at, worked in self.pages if at > moment and worked), float("inf"))


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def memory_of(pid: int) -> int:
    """Resident memory in MB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") // 2**20


async def inject_faults(engine: FaultyEngine, started: float) -> dict[str, float]:
    """Each fault in turn; returns when each ended."""
    ended: dict[str, float] = {}

    async def one(name: str, begin: float, seconds: float, start: Callable[[], None], end: Callable[[], None]) -> None:
        await asyncio.sleep(max(0.0, started + begin - time.monotonic()))
        await asyncio.wrap_future(engine.thread.submit(start))
        await asyncio.sleep(seconds)
        await asyncio.wrap_future(engine.thread.submit(end))
        ended[name] = time.monotonic()
        print(f"  {name}: over after {time.monotonic() - started:.0f} s", flush=True)

    await one("killed", SECONDS * 0.15, SECONDS / 12, engine.kill, engine.start)
    await one("frozen", SECONDS * 0.4, SECONDS / 6, engine.freeze, engine.thaw)
    await one("HTML", SECONDS * 0.7, SECONDS / 12, engine.replace_by_page, engine.end_page)
    return ended


async def run(
    engine: FaultyEngine, server: Server, people: list[tuple[str, str]]
) -> tuple[Traffic, Probe, dict[str, float]]:
    started = time.monotonic()
    traffic = Traffic(server.port, started + SECONDS, THINK)
    probe = Probe(server, people[0][1])
    watching = [asyncio.create_task(each()) for each in (probe.watch_pages, probe.watch_memory)]
    faults = asyncio.create_task(inject_faults(engine, started))
    await asyncio.gather(*(traffic.run_client(number, *people[number % PEOPLE]) for number in range(CLIENTS)))
    ended = await faults
    for task in watching:
        task.cancel()
    return traffic, probe, ended


def stored_names() -> Counter[str]:
    found: Counter[str] = Counter()
    start_key = None
    while True:
        page = customers.search(BUSINESS, "", start_key)
        found.update(str(each.name) for each in page.items)
        start_key = page.next_start_key
        if start_key is None:
            return found


def report(traffic: Traffic, probe: Probe, ended: dict[str, float], live_output: Path) -> list[str]:
    """Print the figures; returns what must not be."""
    stored, seconds = stored_names(), sorted(traffic.seconds)
    lost = sum(added.is_confirmed and not stored[added.name] for added in traffic.added)
    twice = sum(stored[added.name] > 1 for added in traffic.added)
    said_not_done = [added for added in traffic.added if added.is_said_not_done]
    untrue = sum(bool(stored[added.name]) for added in said_not_done)
    unclear = sum(not added.is_confirmed for added in traffic.added) - len(said_not_done)
    print("Answers:")
    for answer, count in sorted(traffic.answers.items()):
        print(f"  {answer}: {count}")
    others = sum(
        count for answer, count in traffic.answers.items() if not answer.endswith(("200", "303", "503", "done"))
    )
    print(f"Errors other than 503: {others}")
    print(f"Requests: {len(seconds)}, median {median(seconds):.2f} s, 95 % {seconds[len(seconds) * 95 // 100]:.2f} s")
    print(f"Forms: {len(traffic.added)}, of which {len(said_not_done)} were not done and {unclear} never confirmed")
    print(f"  confirmed but lost: {lost}; stored twice: {twice}; said to be not done but stored: {untrue}")
    live = [line.split() for line in live_output.read_text().splitlines()]
    slowest, failed = max(float(taken) for _, taken in live), sum(good == "0" for good, _ in live)
    print(f"/livez: {len(live)} times, slowest {slowest:.2f} s, failed {failed}")
    recoveries = {name: probe.recovery(moment) for name, moment in ended.items()}
    for name, seconds_needed in recoveries.items():
        print(f"After the engine was {name}: a page works again after {seconds_needed:.1f} s")
    quarter = max(1, len(probe.memory) // 4)
    first, last = median(probe.memory[quarter : 2 * quarter]), median(probe.memory[-quarter:])
    print(f"Memory of the workers: {first:.0f} MB in the second quarter, {last:.0f} MB in the last")
    failures = {
        "confirmed writes were lost": lost,
        "writes were made twice": twice,
        "answers were untrue": untrue,
        "there were errors other than 503": others,
        "/livez failed or was slow": failed or slowest > MAX_LIVEZ_SECONDS,
        "recovery was slow": max(recoveries.values()) > MAX_RECOVERY_SECONDS,
        "memory grew": last > MAX_MEMORY_GROWTH * first,
    }
    return [text for text, has_failed in failures.items() if has_failed]


def main() -> None:
    print(f"{CLIENTS} clients for {SECONDS:.0f} s, one request every {THINK:.0f} s each")
    engine = FaultyEngine()
    try:
        people = prepare(engine)
        with (
            tempfile.NamedTemporaryFile(prefix="bench-load-", suffix=".log", delete=False) as log,
            start_server(workers=2, threads=8, endpoint=engine.endpoint, output=log) as server,
        ):
            print(f"Log of the server: {log.name}")
            # Each worker compiles the templates of its first pages.
            for _ in range(20):
                server.get(PAGES[0], f"Cookie: session={people[0][1]}; csrf={CSRF}\r\n")
            live_output = Path(f"{log.name}.livez")
            with live_output.open("wb") as output:
                command = [sys.executable, "-m", "tests.bench_load.live_probe", str(server.port)]
                live_probe = start_child(command, cwd=PROJECT, output=output)
            result = asyncio.run(run(engine, server, people))
            stop_child(live_probe)
            failures = report(*result, live_output)
    finally:
        engine.close()
    if failures:
        sys.exit("Failed: " + ", ".join(failures) + ".")


if __name__ == "__main__":
    main()
