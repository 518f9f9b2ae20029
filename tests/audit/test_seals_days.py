"""Days and the record of how far a trail is sealed: what is removed or moved back is named."""

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
def test_all_entries_of_a_day_removed(week: None) -> None:
    first, second = raw_entries(MONDAY)
    remove_day(MONDAY, seal=False)
    assert find_problems() == [
        f"{entry_name(first)}: was removed",
        f"{entry_name(second)}: was removed",
        "platform 2025-09-15: nothing of the day is left, 2 entries were removed",
    ]


@pytest.mark.parametrize("day", [MONDAY, TUESDAY, THURSDAY])
def test_a_day_removed_with_its_seal(week: None, day: Any) -> None:
    """The first, one in between, and the last."""
    remove_day(day, seal=True)
    assert find_problems() == [f"platform {iso(day)}: the whole day was removed, its seal and its entries"]


def test_several_days_removed_with_their_seals(week: None) -> None:
    remove_day(MONDAY, seal=True)
    remove_day(TUESDAY, seal=True)
    assert find_problems() == ["platform 2025-09-16: this day and 1 sealed before it were removed, seals and entries"]
    remove_day(THURSDAY, seal=True)
    assert find_problems() == ["platform 2025-09-18: this day and 2 sealed before it were removed, seals and entries"]


def test_the_last_day_removed_and_sealing_moved_back(week: None) -> None:
    tuesday = seal_of(TUESDAY)
    remove_day(THURSDAY, seal=True)
    back = {"through": {"S": iso(WEDNESDAY)}, "day": {"S": iso(TUESDAY)}, "hash": {"S": tuesday.hash}}
    edit(SYSTEM_SEALING, **back, number={"N": "2"})
    altered = "platform: the record of how far it is sealed (SEALING) was altered: its signature is not ours"
    assert find_problems() == [altered]
    said, (failed,) = seal_night(FRIDAY_NIGHT + DAY)
    assert said == []
    assert "the record of how far it is sealed was altered" in failed
    assert load_sealing().through == iso(WEDNESDAY), "to go on would cover it up"


def test_sealing_moved_back_to_what_it_once_was(table: str) -> None:
    """An old copy bears a good signature; the seals that came after tell."""
    write_week()
    seal_night(THURSDAY + timedelta(minutes=15))
    old = load_raw(SYSTEM_SEALING)
    seal_night()
    assert old is not None
    put(old)
    problems = find_problems()
    assert problems[0] == "platform: SEALING was moved back: it says 2025-09-17, and 2025-09-18 has a seal"
    assert problems[1:] == ["platform: the seals do not end where they should"]
    _, failed = seal_night(FRIDAY_NIGHT + DAY)
    assert failed, "there is a seal already where the next should stand"


def test_sealing_removed(week: None) -> None:
    remove(SYSTEM_SEALING)
    assert find_problems() == [
        "platform: there are seals, but the record of how far it is sealed (SEALING) was removed"
    ]
    said, (failed,) = seal_night(FRIDAY_NIGHT + DAY)
    assert said == []
    assert "there are seals, but the record of how far it is sealed is gone" in failed


def test_sealing_put_off_for_ever(week: None) -> None:
    """Not signed, for `run_due` moves it; but a trail that is not sealed any more is noticed."""
    far = "2099-01-01T00:00:00Z"
    edit(SYSTEM_SEALING, dueAt={"S": far}, GSIStatusSK={"S": far})
    seal_night(FRIDAY_NIGHT + 3 * DAY)
    assert verify(FRIDAY_NIGHT + DAY)[0] == []
    assert verify(FRIDAY_NIGHT + 3 * DAY)[0] == ["platform: sealed only through 2025-09-18: does run_due run?"]


def test_a_trail_that_was_never_sealed(table: str) -> None:
    write_entry(THURSDAY)
    assert find_problems() == []
    assert verify(FRIDAY_NIGHT + DAY)[0] == [
        "platform: there are entries since 2025-09-18 and nothing is sealed: does run_due run?"
    ]


def test_each_thing_that_sealing_says_is_signed(week: None) -> None:
    raw = load_raw(SYSTEM_SEALING) or {}
    for attribute in ("through", "number", "day", "hash", "beganAt", "scope", "signature"):
        for other in (different_value(raw[attribute]), None):
            edit(SYSTEM_SEALING, **{attribute: other})
            assert find_problems()[0].endswith("(SEALING) was altered: its signature is not ours"), attribute
            put(raw)
    assert find_problems() == []
