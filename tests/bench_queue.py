"""The queue's page at 1,000 and at 100,000 posts on Dynoxide: calls, trips, units, time. `make bench ARGS=queue`."""

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
AT_ONCE = 5_000
TIMES = 30


def measured(browser: Client) -> tuple[int, int, float, float]:
    """Calls, trips, units, and the time of the one in the middle in ms."""
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
        few = measured(browser)
        for start in range(FEW, MANY, AT_ONCE):
            put_all(raw_posts(range(start, min(start + AT_ONCE, MANY))))
        many = measured(browser)
    print(f"The review queue on {engine}: posts, each with a comment; calls, trips, units, ms in the middle of {TIMES}")
    for count, (calls, trips, units, ms) in ((FEW, few), (MANY, many)):
        print(f"{count:>8,}  {calls} calls  {trips} trips  {units:g} units  {ms:.1f} ms  ×{ms / few[3]:.2f}")


if __name__ == "__main__":
    main()
