"""Removing whole days, and removing or changing the record of how far a trail is sealed (SEALING), is reported."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.audit.seal_helpers import (
    FRIDAY_NIGHT,
    MONDAY,
    SYSTEM_SEALING,
    THURSDAY,
    TUESDAY,
    WEDNESDAY,
    different_value,
    edit,
    entry_name,
    find_problems,
    iso,
    load_sealing,
    raw_entries,
    remove,
    remove_day,
    seal_night,
    seal_of,
    verify,
    write_entry,
    write_week,
)
from tests.table.notes import load_raw, put

DAY = timedelta(days=1)


# --- Whole days ----------------------------------------------------------------------------------
def test_removing_all_entries_of_a_day_is_reported(week: None) -> None:
    first, second = raw_entries(MONDAY)
    remove_day(MONDAY, seal=False)
    assert find_problems() == [
        f"{entry_name(first)}: was removed",
        f"{entry_name(second)}: was removed",
        "platform 2025-09-15: nothing of the day is left, 2 entries were removed",
    ]


@pytest.mark.parametrize("day", [MONDAY, TUESDAY, THURSDAY])
def test_removing_a_day_with_its_seal_is_reported(week: None, day: Any) -> None:
    """Removes the first day, one in between, or the last day."""
    remove_day(day, seal=True)
    assert find_problems() == [f"platform {iso(day)}: the whole day was removed, its seal and its entries"]


def test_removing_several_days_with_their_seals_is_reported(week: None) -> None:
    remove_day(MONDAY, seal=True)
    remove_day(TUESDAY, seal=True)
    assert find_problems() == ["platform 2025-09-16: this day and 1 sealed before it were removed, seals and entries"]
    remove_day(THURSDAY, seal=True)
    assert find_problems() == ["platform 2025-09-18: this day and 2 sealed before it were removed, seals and entries"]


def test_removing_the_last_day_and_changing_the_record_is_reported(week: None) -> None:
    tuesday = seal_of(TUESDAY)
    remove_day(THURSDAY, seal=True)
    back = {"through": {"S": iso(WEDNESDAY)}, "day": {"S": iso(TUESDAY)}, "hash": {"S": tuesday.hash}}
    edit(SYSTEM_SEALING, **back, number={"N": "2"})
    altered = "platform: the record of how far it is sealed (SEALING) was altered: its signature is not ours"
    assert find_problems() == [altered]
    lines, (error,) = seal_night(FRIDAY_NIGHT + DAY)
    assert lines == []
    assert "the record of how far it is sealed was altered" in error
    assert load_sealing().through == iso(WEDNESDAY), "continuing would hide the change"


def test_restoring_an_old_copy_of_the_record_is_reported(table: str) -> None:
    """An old copy has a valid signature, but there are newer seals."""
    write_week()
    seal_night(THURSDAY + timedelta(minutes=15))
    old = load_raw(SYSTEM_SEALING)
    seal_night()
    assert old is not None
    put(old)
    problems = find_problems()
    assert problems[0] == "platform: SEALING was moved back: it says 2025-09-17, and 2025-09-18 has a seal"
    assert problems[1:] == ["platform: the seals do not end where they should"]
    _, errors = seal_night(FRIDAY_NIGHT + DAY)
    assert errors, "the next day already has a seal"


def test_removing_the_record_is_reported(week: None) -> None:
    remove(SYSTEM_SEALING)
    assert find_problems() == [
        "platform: there are seals, but the record of how far it is sealed (SEALING) was removed"
    ]
    lines, (error,) = seal_night(FRIDAY_NIGHT + DAY)
    assert lines == []
    assert "there are seals, but the record of how far it is sealed is gone" in error


def test_postponing_sealing_is_reported_after_some_days(week: None) -> None:
    """The due time is not signed, because `run_due` changes it. But missing seals are reported."""
    far = "2099-01-01T00:00:00Z"
    edit(SYSTEM_SEALING, dueAt={"S": far}, GSIStatusSK={"S": far})
    seal_night(FRIDAY_NIGHT + 3 * DAY)
    assert verify(FRIDAY_NIGHT + DAY)[0] == []
    assert verify(FRIDAY_NIGHT + 3 * DAY)[0] == ["platform: sealed only through 2025-09-18: does run_due run?"]


def test_a_trail_that_was_never_sealed_is_reported(table: str) -> None:
    write_entry(THURSDAY)
    assert find_problems() == []
    assert verify(FRIDAY_NIGHT + DAY)[0] == [
        "platform: there are entries since 2025-09-18 and nothing is sealed: does run_due run?"
    ]


def test_changing_any_attribute_of_the_record_is_reported(week: None) -> None:
    raw = load_raw(SYSTEM_SEALING) or {}
    for attribute in ("through", "number", "day", "hash", "beganAt", "scope", "signature"):
        for other in (different_value(raw[attribute]), None):
            edit(SYSTEM_SEALING, **{attribute: other})
            assert find_problems()[0].endswith("(SEALING) was altered: its signature is not ours"), attribute
            put(raw)
    assert find_problems() == []
