"""Entries that lists show wrongly or not at all: a wrong time, wrong index keys, a key without a day."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from dashboard.platform.audit.queries import latest
from tests.audit.seal_helpers import (
    FRIDAY,
    FRIDAY_NIGHT,
    MONDAY,
    THURSDAY,
    TUESDAY,
    edit,
    entry_name,
    find_problems,
    key_of,
    load_sealing,
    raw_entries,
    seal_night,
    verify,
    write_entry,
    write_week,
)
from tests.table.notes import put

DAY = timedelta(days=1)
WRONG_INDEX_KEYS = "is not where it can be found: its index keys lead elsewhere (reindex)"


# --- Time ------------------------------------------------------------------------------------------
def test_an_entry_with_another_timestamp_than_its_key_is_reported(table: str) -> None:
    """An entry of today with the `timestamp` of another day is reported before and after it is sealed."""
    write_week()
    seal_night()
    write_entry(FRIDAY + timedelta(hours=9))
    entry = raw_entries(FRIDAY)[-1]
    edit(key_of(entry), timestamp={"S": "2025-09-15T09:30:00Z"})
    problem = f"{entry_name(entry)}: says 2025-09-15T09:30:00Z of itself, and its key says another time"
    assert verify(FRIDAY + timedelta(hours=10))[0] == [problem]
    seal_night(FRIDAY_NIGHT + DAY)
    assert verify(FRIDAY_NIGHT + DAY)[0] == [problem]


@pytest.mark.parametrize(
    ("at", "timestamp"),
    [
        ("2025-09-18T09:00:00.123456", "2025-09-18T09:00:00Z"),
        ("2025-09-18", "2025-09-18T21:00:00Z"),
        ("2025-09-18T09:00:00Z", "2025-09-18T11:00:00+02:00"),
        ("2025-09-18T09:00:00Z", "2025-09-18T09:00:01Z"),
        ("2025-09-18T09:00:00Z", None),
        ("2025-09-18T09:00:00Z", "this morning"),
    ],
)
def test_timestamps_of_outside_writers_are_accepted(table: str, at: str, timestamp: str | None) -> None:
    put_entry(at + "#x1", timestamp)
    seal_night()
    assert find_problems() == []


@pytest.mark.parametrize("at", ["2025-09-18", "2025-09-18Tlate"])
def test_a_timestamp_on_another_day_than_the_key_is_reported(table: str, at: str) -> None:
    put_entry(at + "#x1", "2025-09-17T21:00:00Z")
    seal_night()
    assert len(find_problems()) == 1


def put_entry(key_end: str, timestamp: str | None = None) -> None:
    """Write an entry as an outside writer might: without index keys and most attributes."""
    raw: dict[str, Any] = {"PK": {"S": "SYSTEM"}, "SK": {"S": "AUDIT#" + key_end}, "action": {"S": "stock.count"}}
    put(raw | ({"timestamp": {"S": timestamp}} if timestamp else {}))


# --- Index keys ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "change",
    [
        {"GSI1PK": {"S": "SYSTEM#ACTOR#nobody@example.com"}},
        {"GSI2SK": {"S": "2020-01-01T00:00:00Z#x"}},
        {"GSI4PK": {"S": "x"}, "GSI4SK": {"S": "y"}},
        {"GSI1PK": None, "GSI1SK": None, "GSI2PK": {"S": "SOMEWHERE"}},
    ],
)
def test_an_entry_with_changed_index_keys_is_reported(week: None, change: dict[str, Any]) -> None:
    """Its content is unchanged, but filters no longer find it."""
    (entry,) = raw_entries(TUESDAY)
    edit(key_of(entry), **change)
    assert find_problems() == [f"{entry_name(entry)}: {WRONG_INDEX_KEYS}"]
    put(entry)
    assert find_problems() == []


def test_changed_index_keys_are_reported_before_the_day_is_sealed(week: None) -> None:
    write_entry(FRIDAY_NIGHT)
    entry = raw_entries(FRIDAY)[-1]
    edit(key_of(entry), GSI2PK={"S": "SOMEWHERE"})
    assert find_problems() == [f"{entry_name(entry)}: {WRONG_INDEX_KEYS}"]


def test_entries_without_index_keys_are_a_note_and_no_problem(week: None) -> None:
    """Outside writers write none. It is unknown whether these entries once had index keys."""
    first, second = raw_entries(MONDAY)
    edit(key_of(first), GSI1PK=None, GSI1SK=None, GSI2PK=None, GSI2SK=None)
    edit(key_of(second), GSI1PK=None, GSI1SK=None)
    problems, summaries = verify()
    assert problems == []
    assert summaries[1:] == [
        f"Note: {entry_name(first)}: is not where filters find it",
        f"Note: {entry_name(second)}: is not where filters find it",
        "Note: platform: 2 entries lack index keys: reindex adds them",
    ]


def test_of_many_entries_without_index_keys_only_some_are_named(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.platform.audit.seals.verify.MAX_NAMES", 2)
    write_week()
    for day in (MONDAY, THURSDAY):
        for raw in raw_entries(day):
            edit(key_of(raw), GSI1PK=None, GSI1SK=None, GSI2PK=None, GSI2SK=None)
    seal_night()
    problems, summaries = verify()
    assert problems == []
    assert len(summaries) == 1 + 2 + 1
    assert "5 entries lack index keys" in summaries[-1]


# --- Keys without a day --------------------------------------------------------------------------
KEYS_WITHOUT_A_DAY = [
    "",
    "\x00",
    "\x002025-09-16T09:00:00Z#x1",
    "\x01#x",
    "2025",
    "\U0010ffff" * 3,
    "zebra",
    "z" * 1018,
]


@pytest.mark.parametrize("is_sealed", [True, False])
def test_an_entry_whose_key_names_no_day_is_reported(table: str, is_sealed: bool) -> None:
    """The list shows it because its key begins with `AUDIT#`, but no seal covers it."""
    write_week()
    if is_sealed:
        seal_night()
    for key_end in KEYS_WITHOUT_A_DAY:
        put_entry(key_end)
    assert len(latest(50)) == 6 + is_sealed + len(KEYS_WITHOUT_A_DAY)
    problems = find_problems()
    assert len([line for line in problems if "names no day, so that no seal" in line]) == len(KEYS_WITHOUT_A_DAY)
    seal_night(FRIDAY_NIGHT + DAY)
    assert load_sealing().through == "2025-09-19", "sealing continues"
    problems = verify(FRIDAY_NIGHT + DAY)[0]
    assert len(problems) == len(KEYS_WITHOUT_A_DAY)
    assert all("names no day, so that no seal" in line for line in problems)


@pytest.mark.parametrize("day", ["2025-09-16", "2025-09-17", "2025-09-18"])
def test_the_last_possible_key_of_a_day_belongs_to_that_day(week: None, day: str) -> None:
    put_entry(day + "\U0010ffff" * 2 + "x")
    (problem,) = find_problems()
    assert problem.endswith("was added after the day was sealed")
    seal_night(FRIDAY_NIGHT + DAY)
    assert load_sealing().through == "2025-09-19"
