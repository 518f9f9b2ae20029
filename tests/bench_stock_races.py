"""Writers that sell, deliver, transfer and count the same twenty stock items, while a raw writer changes them.

`make bench ARGS=stock_races`; the variables WRITERS (64), ACTIONS (8) and ENGINE (dynamodb-local) set others.
"""

from __future__ import annotations

import os
from typing import Any

from tests import demo

from tests.franchises.stock_races import check_ledgers, outcomes, race  # isort: skip

ENGINE: Any = os.environ.get("ENGINE", "dynoxide")
WRITERS, ACTIONS = int(os.environ.get("WRITERS", "64")), int(os.environ.get("ACTIONS", "8"))


def main() -> None:
    with demo.engine(ENGINE) as engine:
        print(f"Engine: {engine}")
        result = race(WRITERS, ACTIONS)
        check_ledgers(result.attempts)
        times = sorted(each.seconds for each in result.attempts)
        acts = ", ".join(f"{count} {act}" for act, count in sorted(outcomes(result.attempts).items()))
        print(f"{WRITERS} writers, {len(times)} actions in {result.seconds:.1f} s: {acts}")
        print(f"  {result.faults} replies lost, {result.raw_writes} direct changes, {result.repairs} repairs")
        p50, p95 = times[len(times) // 2], times[len(times) * 95 // 100]
        print(f"  answered: 50 % within {p50:.2f} s, 95 % within {p95:.2f} s; the longest took {times[-1]:.2f} s")
        print("  every ledger explains its stock; index keys and totals match")


if __name__ == "__main__":
    main()
