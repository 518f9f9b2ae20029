"""Seed patterns 18 (a person, a range of dates) and 19 (a country, a date) in small and large log tables.

SMALL and LARGE are the numbers of events. The same result must cost the same calls and units in both.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from activity.demo.batches import put_all
from activity.events import Event
from activity.items import new_item, table_of_month
from activity.queries import events_between, person_events
from dashboard.core.clock import now
from dashboard.table import oplog
from dashboard.table.admin import create_log_table
from dashboard.table.read import Page
from tests import demo

SMALL, LARGE = int(os.environ.get("SMALL", "1000")), int(os.environ.get("LARGE", "1000000"))
CHUNK, OWN, ROUNDS = 5000, 60, 15
PERSON, COUNTRY = "ana@empresa.test", "Chile"


@dataclass(frozen=True)
class Cost:
    """What a query reads and takes."""

    calls: int
    trips: int
    units: float
    events: int
    milliseconds: float

    @property
    def fixed(self) -> tuple[int, int, float, int]:
        return self.calls, self.trips, self.units, self.events


def cost_of(query: Callable[[], Page[Event]]) -> Cost:
    query()
    cpu = time.process_time()
    for _ in range(ROUNDS):
        with oplog.recording() as recorded:
            page = query()
    milliseconds = (time.process_time() - cpu) * 1000 / ROUNDS
    return Cost(len(recorded.calls), recorded.trips, recorded.units, len(page.items), milliseconds)


def fill(number: int, middle: datetime) -> None:
    """The events of one person and one country, the same in every table, among those of others."""
    own = [Event(f"own-{n}", PERSON, middle - timedelta(minutes=n), "room_enter", "sala1", COUNTRY) for n in range(OWN)]
    put_all([new_item(event) for event in own], [])
    for start in range(0, number - OWN, CHUNK):
        others = [
            Event(
                f"other-{n}",
                f"person{n % 7000}@empresa.test",
                middle - timedelta(milliseconds=n * 7 % 86_000_000),
                "video_start",
                f"sala{n % 5}",
                ("Colombia", "México", "Perú")[n % 3],
                {"duration": n % 600},
            )
            for n in range(start, min(start + CHUNK, number - OWN))
        ]
        put_all([new_item(event) for event in others], [])


def measure(number: int, middle: datetime) -> dict[str, Cost]:
    for moment in (middle - timedelta(days=31), middle):
        create_log_table(table_of_month(f"{moment:%Y-%m}"))
    fill(number, middle)
    start, end, midnight = middle - timedelta(days=30), middle + timedelta(days=1), middle.replace(hour=0)
    return {
        "18: a person, 31 days": cost_of(lambda: person_events(PERSON, start, end)),
        "19: a country, a day": cost_of(
            lambda: events_between(midnight, midnight + timedelta(days=1), country=COUNTRY)
        ),
    }


def main() -> None:
    middle = now().astimezone(UTC).replace(hour=12, minute=0, second=0)
    found: dict[int, dict[str, Cost]] = {}
    for number in (SMALL, LARGE):
        with demo.engine() as engine:
            found[number] = measure(number, middle)
    print(f"on {engine}; calls, round trips, units, events, CPU in milliseconds")
    differs = False
    for name in found[SMALL]:
        small, large = found[SMALL][name], found[LARGE][name]
        differs = differs or small.fixed != large.fixed
        print(f"{name}: {SMALL} events {_text(small)}; {LARGE} events {_text(large)}")
    if differs:
        sys.exit("The cost depends on the size of the table.")


def _text(cost: Cost) -> str:
    return f"{cost.calls}, {cost.trips}, {cost.units:g}, {cost.events}, {cost.milliseconds:.1f}"
