"""Parallel runs and lost replies: every day has exactly one seal."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import pytest

from dashboard.core.clock import frozen
from dashboard.core.errors import Unavailable
from dashboard.platform.audit.due import ensure_platform_seals, seal_trail
from dashboard.platform.audit.queries import latest
from dashboard.platform.audit.seals import services
from dashboard.platform.audit.seals.queries import find_sealing
from dashboard.platform.audit.seals.trails import audit_trail
from tests.audit.seal_helpers import (
    FRIDAY_NIGHT,
    MONDAY,
    THURSDAY,
    TUESDAY,
    all_parts,
    iso,
    load_sealing,
    seal_night,
    seal_of,
    verify,
    write_week,
)
from tests.conftest import real_engines
from tests.faults import bad_network, lose_reply
from tests.table.notes import on_dynoxide
from tests.table.test_races import run_at_once

DAYS = (MONDAY, TUESDAY, THURSDAY)


@real_engines
def test_parallel_runs_start_sealing_once(table: str) -> None:
    write_week()

    def begin(_: int) -> None:
        with frozen(FRIDAY_NIGHT):
            ensure_platform_seals()

    run_at_once(begin, threads=6)
    assert [entry.action for entry in latest()].count(services.BEGIN) == 1


@real_engines
def test_parallel_runs_write_one_seal_per_day(table: str) -> None:
    """The runs ignore the lease. Each has read the same state and tries to seal all days."""
    write_week()
    with frozen(FRIDAY_NIGHT):
        ensure_platform_seals()
    results: list[services.SealingResult] = []

    def seal(_: int) -> None:
        with frozen(FRIDAY_NIGHT):
            found = find_sealing(audit_trail().sealing)
            assert found is not None
            results.append(services.seal(audit_trail(), found))

    run_at_once(seal, threads=4)
    assert sum(each.days for each in results) == 3
    assert [seal_of(day).number for day in DAYS] == [1, 2, 3]
    assert [len(list(all_parts(day))) for day in DAYS] == [1, 1, 1], "the other runs removed their parts"
    assert verify()[0] == []


@real_engines
def test_a_slow_run_does_not_undo_the_seals_of_another_run(table: str) -> None:
    """It read the state, paused while another run sealed everything, and continues."""
    write_week()
    with frozen(FRIDAY_NIGHT):
        ensure_platform_seals()
        slow = load_sealing()
        seal_night()
        head = load_sealing().head
        assert seal_trail(slow) == "sealed 0 entries of 0 days, through no day yet"
    assert load_sealing().head == head
    assert [len(list(all_parts(day))) for day in DAYS] == [1, 1, 1]
    assert verify()[0] == []


@on_dynoxide
def test_every_day_is_sealed_once_despite_lost_replies(table: str) -> None:
    write_week()
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply, lose_reply)
        network.next("UpdateItem", lose_reply)
        seal_night()
        network.next("TransactWriteItems", *[lose_reply] * 7)
        for minutes in (5, 10, 15, 20):
            seal_night(FRIDAY_NIGHT + timedelta(minutes=minutes))
    assert load_sealing().through == iso(THURSDAY)
    assert [seal_of(day).number for day in DAYS] == [1, 2, 3]
    assert verify()[0] == []


@on_dynoxide
@pytest.mark.parametrize("seed", range(3))
def test_every_day_is_sealed_once_when_replies_are_lost_at_random(table: str, seed: int) -> None:
    write_week()
    with bad_network(seed) as network:
        network.add_random_fault(0.2, lose_reply)
        for hours in range(12):
            # A run stops when the table does not answer. The next run continues.
            with suppress(Unavailable):
                seal_night(FRIDAY_NIGHT + timedelta(hours=hours))
        network.stop_faults()
        seal_night(FRIDAY_NIGHT + timedelta(hours=13))
        assert network.faults
    assert load_sealing().through == iso(THURSDAY)
    assert verify()[0] == []
    begin_entries = [entry.action for entry in latest()].count(services.BEGIN)
    assert begin_entries == 1
