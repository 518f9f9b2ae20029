"""Events that are logged by the service: how many per second of CPU, beside boto3's batch writer.

EVENTS and WRITERS choose the size, ENGINE another engine. boto3 writes the same items without counters and without
asking whether they exist. The benchmark fails if an event is lost, is there twice, or the counters are not exact.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import boto3

from activity.events import Event
from activity.items import new_item, table_of_month
from activity.queries import hour_counts
from activity.services import LogStatus, log
from dashboard.core.clock import now
from dashboard.table import connection, schema
from dashboard.table.admin import create_log_table
from dashboard.table.attributes import to_boto3_value
from dashboard.table.guards import offline
from tests import demo

EVENTS, WRITERS = int(os.environ.get("EVENTS", "100000")), int(os.environ.get("WRITERS", "4"))
BATCH, PEOPLE = 100, 7000
ACTIONS = ("room_enter", "video_start", "time_spent", "room_completed", "sign_in")
COUNTRIES = ("Colombia", "México", "Chile", "Perú", "Uruguay", "El Salvador")


@dataclass
class Result:
    """What writing all events took."""

    events: int
    seconds: float
    cpu: float

    @property
    def per_cpu_second(self) -> float:
        return self.events / self.cpu

    def __str__(self) -> str:
        return f"{self.events / self.seconds:8.0f} events/s {self.per_cpu_second:8.0f} events per CPU-second"


@dataclass
class _Measurement:
    seconds: float = 0.0
    cpu: float = 0.0


@contextmanager
def measured() -> Iterator[_Measurement]:
    found, began, cpu = _Measurement(), time.perf_counter(), time.process_time()
    yield found
    found.seconds, found.cpu = time.perf_counter() - began, time.process_time() - cpu


def make_events(number: int, end: datetime, *, prefix: str = "bench") -> list[Event]:
    """The events of the last half hour, in the order of their times."""
    chance = random.Random(f"ingestion {number}")
    found = []
    for index in range(number):
        person = chance.randrange(PEOPLE)
        at = end - timedelta(milliseconds=(number - index) * 1_800_000 // number)
        found.append(
            Event(
                id=f"{prefix}-{index}",
                user=f"person{person}@empresa.test",
                at=at,
                action=chance.choice(ACTIONS),
                room=f"sala{chance.randint(1, 5)}",
                country=COUNTRIES[person % len(COUNTRIES)],
                metadata={"duration": chance.randint(1, 600)},
            )
        )
    return found


def in_parallel(batches: list[list[Event]], write: Callable[[list[Event]], None]) -> None:
    with ThreadPoolExecutor(WRITERS) as threads:
        list(threads.map(write, batches))


def log_all(events: list[Event]) -> Result:
    def write(batch: list[Event]) -> None:
        refused = [each for each in log(batch) if each.status != LogStatus.LOGGED]
        if refused:
            raise SystemExit(f"{len(refused)} events were not logged: {refused[0]}")

    with measured() as found:
        in_parallel([events[start : start + BATCH] for start in range(0, len(events), BATCH)], write)
    return Result(len(events), found.seconds, found.cpu)


def write_with_boto3(events: list[Event], endpoint: str) -> Result:
    """The same items with boto3's batch writer, into a table of its own."""
    name = f"{table_of_month(f'{events[0].at:%Y-%m}')}-boto3"
    definition: Any = schema.definition(name, schema.ACTIVITY_INDEXES)
    connection.client().create_table(**definition)
    rows = [{n: to_boto3_value(value) for n, value in new_item(event).raw.items()} for event in events]
    resource = boto3.resource("dynamodb", endpoint_url=endpoint)
    with measured() as found, resource.Table(name).batch_writer() as writer:
        for row in rows:
            writer.put_item(Item=row)
    return Result(len(rows), found.seconds, found.cpu)


def stored(months: set[str]) -> int:
    total = 0
    with offline():
        for month in months:
            pages = connection.client().get_paginator("scan").paginate(TableName=table_of_month(month), Select="COUNT")
            total += sum(page["Count"] for page in pages)
    return total


def counted(events: list[Event]) -> int:
    hours = hour_counts(events[0].at - timedelta(hours=1), events[-1].at + timedelta(hours=1))
    return sum(hour.events for hour in hours)


def main() -> None:
    with demo.engine() as engine:
        events = make_events(EVENTS, now())
        months = {f"{event.at:%Y-%m}" for event in (events[0], events[-1])}
        for month in months:
            create_log_table(table_of_month(month))
        ours = log_all(events)
        in_table, in_counters = stored(months), counted(events)
        with measured() as repeated:
            statuses = [result.status for result in log(events[:BATCH])]
        theirs = write_with_boto3(events, os.environ["AWS_ENDPOINT_URL_DYNAMODB"])
    print(f"{EVENTS} events in requests of {BATCH}, {WRITERS} writers, on {engine}")
    print(f"the service, with counters:       {ours}")
    print(f"boto3's batch writer, items only: {theirs}")
    print(f"events per CPU-second, ratio:     {ours.per_cpu_second / theirs.per_cpu_second:.2f}")
    print(f"in the table {in_table}, in the counters {in_counters}; a repeated request took {repeated.seconds:.2f} s")
    if (in_table, in_counters) != (EVENTS, EVENTS) or set(statuses) != {LogStatus.DUPLICATE}:
        sys.exit("Events were lost or repeated, or the counters are not exact.")
