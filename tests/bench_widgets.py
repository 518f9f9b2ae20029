"""Programs, widgets in Chromium and people in the back office that book the same day, while replies get lost.

`make bench ARGS=widgets`; the variables PROGRAMS (32), WIDGETS (8), PEOPLE (8), WRITES (6) and ENGINE set others.
"""

from __future__ import annotations

import os

from tests import demo

from tests.crowd.race import race  # isort: skip
from tests.live_server import serve

PROGRAMS, WIDGETS = int(os.environ.get("PROGRAMS", "32")), int(os.environ.get("WIDGETS", "8"))
PEOPLE, WRITES = int(os.environ.get("PEOPLE", "8")), int(os.environ.get("WRITES", "6"))
ACTIONS = ("create", "reschedule", "cancel")


def main() -> None:
    with demo.engine() as engine, serve() as site:
        print(f"Engine: {engine}")
        result = race(programs=PROGRAMS, widgets=WIDGETS, people=PEOPLE, writes=WRITES, site=site)
    print(f"{PROGRAMS} programs, {WIDGETS} widgets and {PEOPLE} people in {result.seconds:.0f} s")
    for name, each in (("programs", result.programs), ("widgets", result.widgets), ("people", result.people)):
        done = ", ".join(f"{each.count(f'booking.{action}')} {action}" for action in ACTIONS)
        print(f"  {name:<8} {done}; {each.refused} refused, {each.repeated} sent again, {len(each.unclear)} unclear")
    print(f"  {result.faults} replies of the engine were lost")
    print("  no bookings overlap, the ledger equals them, and each reported success was applied exactly once")


if __name__ == "__main__":
    main()
