"""64 concurrent writers on one provider's day; the calendar of 20 providers with 100 and with 100,000 bookings.

`make bench ARGS=bookings`; the variables BOOKINGS and WRITERS set other numbers.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from statistics import median
from typing import Any

from tests import demo

from django.test import Client  # isort: skip

from bookings.items import Booking
from dashboard.platform.accounts.permissions import Role
from dashboard.table.commands import Actor
from tests.audit.entries import put_all
from tests.bookings.bookable_business import (
    BUSINESS,
    HOUR,
    MONDAY,
    check_bookings,
    provider,
    put,
    service,
    working_hours,
)
from tests.bookings.test_races import KnownBookings, create_catalog, press
from tests.conftest import add_business, add_person, sign_in
from tests.faults import act_then_break, bad_network, lose_reply
from tests.ui.walk import calls_of

WRITERS, ACTIONS_PER_WRITER = int(os.environ.get("WRITERS", "64")), 8
FEW, MANY = 100, int(os.environ.get("BOOKINGS", "100000"))
PROVIDERS, BOOKINGS_A_DAY, BATCH = 20, 15, 5_000
LIMIT_SECONDS = 5.0
TIMES = 30


def measure_writers() -> None:
    """Create, confirm, move, cancel and restore bookings of one day; one reply in twelve is lost."""
    create_catalog("maria", "ana")
    shop, start = KnownBookings(), threading.Barrier(WRITERS)

    def write(number: int) -> list[Any]:
        chance, by = random.Random(number), Actor(f"p{number}@example.com")
        start.wait()
        return [press(shop, chance, by) for _ in range(ACTIONS_PER_WRITER)]

    since = time.perf_counter()
    with bad_network() as network, ThreadPoolExecutor(WRITERS) as pool:
        network.add_random_fault(0.04, lose_reply)
        network.add_random_fault(0.04, act_then_break)
        results = [each for answers in pool.map(write, range(WRITERS)) for each in answers]
        network.stop_faults()
    took, live = time.perf_counter() - since, len(check_bookings())
    times = sorted(each.seconds for each in results)
    p50, p95 = times[len(times) // 2], times[len(times) * 95 // 100]
    acts = ", ".join(f"{count} {act}" for act, count in sorted(Counter(e.act for e in results if e.done).items()))
    print(f"{WRITERS} writers, {len(results)} actions in {took:.1f} s, {network.faults} replies lost: {acts}")
    print(f"  answered: 50 % within {p50:.2f} s, 95 % within {p95:.2f} s; the longest took {times[-1]:.2f} s")
    print(f"  95 % within {LIMIT_SECONDS:g} s: {'yes' if p95 < LIMIT_SECONDS else 'NO'}; {live} bookings, no overlap")


def raw_bookings(count: int, first: int, *, day: int) -> Iterator[dict[str, Any]]:
    """Bookings of twenty providers, 300 a day, starting on this day."""
    for number in range(first, first + count):
        offset, slot = divmod(number, PROVIDERS * BOOKINGS_A_DAY)
        start = MONDAY + timedelta(days=day + offset, hours=8, minutes=30 * (slot // PROVIDERS))
        item = Booking.new(tenant=BUSINESS, provider=f"p{number % PROVIDERS}", start=start, booking=f"d{day}-{number}")
        item.service_id, item.customer_id, item.status = "masaje", f"c{number % 900}", "CONFIRMED"
        item.customer_name, item.service_name = "María José Fernández", "Masaje descontracturante"
        item.end_time, item.payment_status, item.revision = start + HOUR / 2, "NONE", 1
        item.set_index_keys()
        yield item.serialize(null_check=False)


def create_business() -> Client:
    """Creates a business with twenty providers. Returns the browser of its owner."""
    client = sign_in(add_person("olivia@example.com", Role.OWNER, "Olivia"))
    add_business(BUSINESS, "Andina", "olivia@example.com")
    people = [item for number in range(PROVIDERS) for item in (provider(f"p{number}"), *working_hours(f"p{number}"))]
    put(service(), *people)
    return client


def measure_page(browser: Client) -> tuple[int, int, float, float, int]:
    """Calls, round trips, capacity units, median milliseconds, and the number of bookings on the page."""
    times = []
    for _ in range(TIMES):
        since = time.perf_counter()
        answer = browser.get(f"/b/{BUSINESS}/bookings/?day={MONDAY:%Y-%m-%d}")
        times.append(time.perf_counter() - since)
        assert answer.status_code == 200
    log, shown = calls_of(answer), answer.content.count(b'class="cal-link"')
    return len(log.calls), log.trips, log.units, 1000 * median(times), shown


def measure_calendar() -> None:
    """Measures the whole request, with the check of the session."""
    browser = create_business()
    put_all(raw_bookings(FEW, 0, day=0))
    few = measure_page(browser)
    for start in range(0, MANY, BATCH):
        put_all(raw_bookings(min(BATCH, MANY - start), start, day=30))
    after = measure_page(browser)
    print(f"The day of {PROVIDERS} providers: calls, trips, units, median ms of {TIMES}")
    for count, (calls, trips, units, ms, shown) in ((FEW, few), (FEW + MANY, after)):
        cost = f"{calls} calls  {trips} trips  {units:g} units  {ms:.1f} ms  ×{ms / few[3]:.2f}"
        print(f"{count:>8,}  {shown} shown  {cost}")
    assert few[:3] == after[:3], "The day costs more as bookings are added."


def main() -> None:
    with demo.engine() as engine:
        print(f"Engine: {engine}")
        measure_writers()
    with demo.engine():
        measure_calendar()


if __name__ == "__main__":
    main()
