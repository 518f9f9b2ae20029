"""The questions over 30 days × 100,000 events, beside plain DuckDB on the same files and beside reading the log tables.

`make bench ARGS=activity` with `SECTIONS=warehouse`. DAYS, EVENTS (of a day) and LOGGED (events of today) set other
sizes. Everything is measured in CPU of this process.
"""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any
from zoneinfo import ZoneInfo

from tests import demo

from django.test import Client  # isort: skip

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from django.conf import settings

from activity.archive import manifest
from activity.archive.manifest import FileRef
from activity.archive.schema import COLUMNS, path_of
from activity.archive.storage import ArchiveFolder
from activity.events import Event
from activity.params import DayRange, Filters
from activity.services import log
from activity.warehouse import answers
from activity.warehouse.answers import Reading, load
from activity.warehouse.reports import (
    Report,
    countries_report,
    day_report,
    events_report,
    people_report,
    returning_report,
    rooms_report,
)
from activity.warehouse.results import AnswerState, ReportAnswer
from dashboard.core.clock import now
from dashboard.platform.accounts.permissions import Role
from dashboard.table import write
from dashboard.table.admin import create_log_table
from dashboard.table.read import gather_all
from dashboard.table.schema import log_table_names
from rooms.items import Room
from tests.conftest import add_person, sign_in

DAYS, EVENTS = int(os.environ.get("DAYS", "30")), int(os.environ.get("EVENTS", "100000"))
LOGGED = int(os.environ.get("LOGGED", "5000"))
PEOPLE, TIMES, TIMES_OF_MONTH = 7_000, 9, 3
MOST_OVER_DUCKDB, MOST_OVER_ONE_DAY, MOST_TRIPS = 1.3, 1.25, 2
ZONE = ZoneInfo("America/Bogota")
COUNTRIES = ["chile", "colombia", "el salvador", "mexico", "peru", "uruguay"]
ROOMS = ["", "sala1", "sala2", "sala3", "sala4", "sala5"]
ACTIONS = ["room_enter", "time_spent", "video_start", "room_completed", "post_created", "sign_in"]
METADATA = ['{"open":false}', '{"duration":120}', "", "", "", ""]
_EVENTS_OF_DAY = """
SELECT $day || '-' || number AS event_id,
  'person' || person || '@empresa' || person % 40 || '.example.com' AS "user",
  CAST($day AS TIMESTAMP) + to_milliseconds(CAST(random() * 86399999 AS BIGINT)) AS "at",
  $actions[1 + kind] AS action,
  NULLIF($rooms[1 + CAST(floor(random() * 6) AS INTEGER)], '') AS room,
  'empresa' || person % 40 || '.example.com' AS domain,
  NULLIF($metadata[1 + kind], '') AS metadata,
  $countries[1 + person % 6] AS country
FROM (
  SELECT range AS number, CAST(floor(random() * $people) AS INTEGER) AS person,
    CAST(floor(random() * 6) AS INTEGER) AS kind
  FROM range($events)
)
ORDER BY "at"
"""
# The day that every page shows is the last one: the others only make the archive larger.
LAST = now().date() - timedelta(days=3)
DAY = DayRange.of_day(LAST - timedelta(days=1), ZONE)
MONTH = DayRange(LAST - timedelta(days=DAYS - 1), LAST - timedelta(days=1), ZONE)
PAGES = ("day/", "rooms/", "countries/", "events/", "people/")
QUERIES = ("", "&country=peru")


def rows_of_day(day: date) -> pa.Table:
    """Random events of a date (UTC), the same in every run."""
    values: dict[str, Any] = {"countries": COUNTRIES, "rooms": ROOMS, "actions": ACTIONS, "metadata": METADATA}
    with duckdb.connect() as engine:
        engine.execute("SELECT setseed(0.25)").fetchall()
        values |= {"day": day.isoformat(), "events": EVENTS, "people": PEOPLE}
        rows: pa.Table = engine.sql(_EVENTS_OF_DAY, params=values).to_arrow_table()
    return rows.cast(COLUMNS)


def seal_day(storage: ArchiveFolder, day: date) -> None:
    """A sealed day, as the archive writes it."""
    found, rows = [], rows_of_day(day)
    with tempfile.TemporaryDirectory() as folder:
        for country in COUNTRIES:
            file, chosen = Path(folder) / "rows.parquet", rows.filter(pc.equal(rows["country"], country))
            pq.write_table(chosen, file, compression="zstd", row_group_size=100_000)
            storage.write(path_of(day, country), file)
            digest = hashlib.sha256(file.read_bytes()).hexdigest()
            found.append(FileRef(day, country, path_of(day, country), len(chosen), file.stat().st_size, digest))
    manifest.seal(day, None, found)


def reports(days: DayRange) -> dict[str, Report[Any]]:
    return {
        "day": day_report(days),
        "rooms": rooms_report(days),
        "countries": countries_report(days),
        "one country": day_report(days, Filters(country="peru")),
        "people": people_report(days),
        "events": events_report(days),
        "a person": events_report(days, user="person42@empresa2.example.com"),
        "returning": returning_report(days, DayRange.of_day(MONTH.first, ZONE)),
    }


def plain(report: Report[Any], files: list[str], engine: duckdb.DuckDBPyConnection) -> Any:
    """The same SQL with nothing around it."""
    columns = ", ".join(f'"{name}"' for name in [*COLUMNS.names, "date"])
    sql = report.statement.sql.removeprefix("WITH ")
    return engine.execute(
        f"WITH archive AS (SELECT {columns} FROM read_parquet($files, hive_partitioning = true,"
        f" hive_types = {{'date': VARCHAR}})),\n{sql}",
        dict(report.statement.values) | {"files": files},
    ).fetchall()


def cpu_seconds(work: Callable[[], Any]) -> float:
    """The CPU of this process, which includes DuckDB's threads: other processes of the machine do not change it."""
    since = time.process_time()
    work()
    return time.process_time() - since


def compare_with_duckdb(storage: ArchiveFolder) -> float:
    """Every question about a day and about all days. Returns the worst ratio to plain DuckDB."""
    engine = duckdb.connect(config={"threads": settings.ACTIVITY_QUERY_THREADS})
    # A job answers what is too much for a request in the same way.
    answers.MAX_ROWS_AT_ONCE = DAYS * EVENTS
    worst = 0.0
    for days in (DAY, MONTH):
        for name in reports(days):
            ours, theirs = [], []
            for _ in range(TIMES if days is DAY else TIMES_OF_MONTH):
                # A new report each time: writing its SQL is part of the work.
                report = reports(days)[name]
                reading = Reading(report)
                found = gather_all(reading.reads)
                found_answers: list[ReportAnswer[Any]] = []
                ours.append(cpu_seconds(lambda: found_answers.append(reading.answer(found))))  # noqa: B023 - called at once
                assert found_answers[0].state == AnswerState.READY, found_answers[0].problem
                theirs.append(cpu_seconds(partial(plain, report, files_of(report, storage), engine)))
            ratio = median(ours) / median(theirs)
            worst = max(worst, ratio)
            label = f"{name}, {len(days.days)} day{'s' if len(days.days) > 1 else ''}"
            times = f"DuckDB {1000 * median(theirs):7.1f} ms  here {1000 * median(ours):7.1f} ms"
            print(f"  {label:<24} {times}  ×{ratio:.2f}", flush=True)
    return worst


def files_of(report: Report[Any], storage: ArchiveFolder) -> list[str]:
    """The files that contain the events of a report."""
    found = [file for dates in report.dates for file in manifest.files(*dates)]
    country = report.filters.country
    return sorted({storage.address(file.path) for file in found if not country or file.country == country})


def compare_with_log() -> None:
    """The same question about today, from the log tables, per event."""
    for name in log_table_names(now()):
        create_log_table(name)
    start = now() - timedelta(minutes=30)
    events = [
        Event(f"l{n}", f"person{n % PEOPLE}@empresa.test", start + timedelta(milliseconds=n), "sign_in", None, "Chile")
        for n in range(LOGGED)
    ]
    for first in range(0, LOGGED, 100):
        log(events[first : first + 100])
    today = DayRange.of_day(now().astimezone(ZONE).date(), ZONE)
    (answer,), _ = load([day_report(today)])
    assert answer.result.total.events == LOGGED or answer.searched_since, answer.result.total
    (closed,), _ = load([day_report(DAY)])
    from_log = median(cpu_seconds(lambda: load([day_report(today)])) for _ in range(TIMES))
    from_files = median(cpu_seconds(lambda: load([day_report(DAY)])) for _ in range(TIMES))
    per_logged, per_filed = from_log / answer.result.total.events, from_files / closed.result.total.events
    print("  The summary of a day, CPU per event:")
    print(f"    log tables {1e6 * per_logged:6.1f} µs ({answer.result.total.events:,} events)")
    print(f"    archive    {1e6 * per_filed:6.2f} µs ({closed.result.total.events:,} events)")
    print(f"    ×{per_logged / per_filed:.0f}")


def measure_pages(browser: Client) -> dict[str, tuple[int, float]]:
    """Round trips, and CPU in ms, of each page about the same day."""
    found = {}
    for url in (f"/activity/{page}?day={DAY.first}{query}" for page in PAGES for query in QUERIES):
        assert browser.get(url).status_code == 200
        trips = browser.get(url).wsgi_request.oplog.trips  # type: ignore[attr-defined]
        cpu = median(cpu_seconds(partial(browser.get, url)) for _ in range(TIMES))
        found[url] = trips, 1000 * cpu
    return found


def add_event_room() -> None:
    room = Room.new(room="sala1")
    room.open_zone = ZONE.key
    write.put(room)


def main() -> None:
    logging.disable(logging.INFO)
    settings.ACTIVITY_LOG_SECONDS = 0
    with demo.engine() as engine, tempfile.TemporaryDirectory() as folder:
        settings.ACTIVITY_ARCHIVE = folder
        storage = ArchiveFolder(Path(folder))
        print(f"Engine: {engine}; {DAYS} days × {EVENTS:,} events")
        browser = sign_in(add_person("staff@example.com", Role.STAFF, "Sofía"))
        add_event_room()
        for day in DAY.utc_dates:
            seal_day(storage, day)
        one = measure_pages(browser)
        for back in range(DAYS):
            if (day := LAST - timedelta(days=back)) not in DAY.utc_dates:
                seal_day(storage, day)
        many = measure_pages(browser)
        worst_page = 0.0
        for url, (trips, cpu) in many.items():
            ratio = cpu / one[url][1]
            worst_page = max(worst_page, ratio)
            print(f"  {url:<52} {trips} trips  CPU {one[url][1]:6.1f} → {cpu:6.1f} ms  ×{ratio:.2f}", flush=True)
            assert trips <= MOST_TRIPS, f"{url}: {trips} round trips"
        worst = compare_with_duckdb(storage)
        compare_with_log()
    print(f"Worst: query ×{worst:.2f} of plain DuckDB, page ×{worst_page:.2f} of its CPU at one day.")
    assert worst <= MOST_OVER_DUCKDB, "A query costs more than plain DuckDB."
    assert worst_page <= MOST_OVER_ONE_DAY, "A page costs more with a larger archive."


if __name__ == "__main__":
    main()
