"""Concurrent changes of the same stock with lost replies, while an outside writer changes it directly.

`make bench ARGS=stock_races` runs the same with more writers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from dashboard.core import locks
from tests import tables
from tests.conftest import REAL_ENGINES
from tests.franchises.stock_races import check_ledgers, outcomes, race

WRITERS = {"dynoxide": 64, "dynamodb_local": 16}
ACTIONS = 4


@pytest.fixture(params=REAL_ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """An engine with a table that has a stream."""
    endpoint: str = request.getfixturevalue(f"{request.param}_endpoint")
    with tables.SharedTable(request.param, endpoint, has_stream=True).create().in_use():
        yield request.param


@pytest.mark.slow
@pytest.mark.parametrize("has_lock", [True, False], ids=["with the queue", "without the queue"])
def test_every_unit_is_accounted_for(engine: str, monkeypatch: pytest.MonkeyPatch, has_lock: bool) -> None:
    """The queue only saves retries: without it, as between processes, nothing else changes."""
    writers = WRITERS[engine] if has_lock else 8
    if not has_lock:
        monkeypatch.setattr(locks, "_locked", lambda _lock: nullcontext())
    result = race(writers, ACTIONS)
    check_ledgers(result.attempts)
    assert result.faults > 0 and result.raw_writes > 0
    assert {"sell", "deliver", "transfer"} <= outcomes(result.attempts).keys()
