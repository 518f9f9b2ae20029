"""The home page of each role with 1,000 and with 100,000 items of each kind: calls, round trips, units and time.

`make bench ARGS=home`; the variable ITEMS sets another number.
"""

from __future__ import annotations

import logging
import os
import time
from statistics import median

from tests import demo

from django.test import Client  # isort: skip

from dashboard.platform.accounts.permissions import Role
from tests.conftest import add_business, add_person, sign_in
from tests.home.many_items import measure, put_many

FEW, MANY = 1_000, int(os.environ.get("ITEMS", "100000"))
BATCH, TIMES = 5_000, 15
PLATFORM, BUSINESS = "/", "/b/andina/"
# The roles, and the home page whose time is measured.
PAGES = {Role.ADMIN: PLATFORM, Role.MODERATOR: PLATFORM, Role.STAFF: PLATFORM, Role.OWNER: BUSINESS}


def sign_in_everyone() -> dict[str, Client]:
    people = {role: add_person(f"{role}@example.com", role, role.title()) for role in PAGES}
    add_business("andina", "Andina", people[Role.OWNER].email)
    return {str(role): sign_in(person) for role, person in people.items()}


def median_ms(browser: Client, url: str) -> float:
    times = []
    for _ in range(TIMES):
        since = time.perf_counter()
        assert browser.get(url).status_code == 200
        times.append(time.perf_counter() - since)
    return 1000 * median(times)


def measure_warm(browsers: dict[str, Client]) -> dict[str, tuple[int, int, float]]:
    """The first request after some minutes also renews the session."""
    measure(browsers)
    return measure(browsers)


def main() -> None:
    logging.disable(logging.INFO)
    with demo.engine() as engine:
        print(f"Engine: {engine}")
        browsers = sign_in_everyone()
        put_many(range(FEW))
        few, few_ms = measure_warm(browsers), {role: median_ms(browsers[role], url) for role, url in PAGES.items()}
        for start in range(FEW, MANY, BATCH):
            put_many(range(start, min(start + BATCH, MANY)))
        many, many_ms = measure_warm(browsers), {role: median_ms(browsers[role], url) for role, url in PAGES.items()}
    print(f"Posts, comments, bookings, decisions and people: {FEW:,} and {MANY:,} of each. Calls, trips, units:")
    for name, (calls, trips, units) in few.items():
        more = " {} calls  {} trips  {:g} units".format(*many[name])
        print(f"  {name:<22} {calls} calls  {trips} trips  {units:g} units  →{more}")
    for role, url in PAGES.items():
        ms = many_ms[role]
        print(
            f"  {role + ' ' + url:<22} median of {TIMES}: {few_ms[role]:.1f} ms → {ms:.1f} ms  ×{ms / few_ms[role]:.2f}"
        )
    assert few == many, "A home page costs more as items are added."
    assert {trips for _calls, trips, _units in few.values()} <= {1, 2}


if __name__ == "__main__":
    main()
