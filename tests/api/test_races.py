"""32 API clients and 8 people book the same day, with lost replies and repeated Idempotency-Keys.

The ledger equals the bookings, nothing overlaps, and each reported success is in the audit trail exactly once. With
widgets: `tests/browser/test_crowd.py` and `make bench ARGS=widgets`.
"""

from __future__ import annotations

import pytest

from tests.crowd.race import race
from tests.table.notes import on_dynoxide


@pytest.mark.slow
@on_dynoxide
def test_each_reported_success_is_applied_exactly_once(table: str) -> None:
    result = race(programs=32, widgets=0, people=8, writes=6)
    assert result.faults > 50, "the test needs lost replies"
    assert result.programs.count("booking.create") > 16
    assert result.people.count("booking.create") and result.programs.repeated and result.people.repeated
