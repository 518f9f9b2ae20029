"""The review queue with 1,000 and with 100,000 posts: calls, round trips, units, time. `make bench ARGS=queue`."""

from __future__ import annotations

import os
import time
from statistics import median

from tests import demo

from django.test import Client  # isort: skip

from dashboard.platform.accounts.permissions import Role
from tests.audit.entries import put_all
from tests.conftest import add_person, sign_in
from tests.forum.many_posts import raw_posts
from tests.ui.walk import calls_of

FEW, MANY = 1_000, int(os.environ.get("POSTS", "100000"))
BATCH = 5_000
TIMES = 30


def measure_page(browser: Client) -> tuple[int, int, float, float]:
    """Calls, round trips, capacity units and median milliseconds."""
    times = []
    for _ in range(TIMES):
        since = time.perf_counter()
        response = browser.get("/forum/")
        times.append(time.perf_counter() - since)
        assert response.status_code == 200
    log = calls_of(response)
    return len(log.calls), log.trips, log.units, 1000 * median(times)


def main() -> None:
    with demo.engine() as engine:
        browser = sign_in(add_person("marco@example.com", Role.MODERATOR, "Marco Peña"))
        put_all(raw_posts(range(FEW)))
        few = measure_page(browser)
        for start in range(FEW, MANY, BATCH):
            put_all(raw_posts(range(start, min(start + BATCH, MANY))))
        many = measure_page(browser)
    print(f"The review queue on {engine}: posts, each with a comment; calls, trips, units, median ms of {TIMES}")
    for count, (calls, trips, units, ms) in ((FEW, few), (MANY, many)):
        print(f"{count:>8,}  {calls} calls  {trips} trips  {units:g} units  {ms:.1f} ms  ×{ms / few[3]:.2f}")


if __name__ == "__main__":
    main()
